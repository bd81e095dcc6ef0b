/**
 * Runs what waits side by side: one thing after the other in a lane, lanes beside one another, and in order whatever
 * names the same comment or conversation. A lane whose hub is late pauses, and no other.
 */
import { pauseAfter } from './fate';

/** Shorter than the longest pause of an item: what always fails does not come first each time that its lane goes on. */
const LONGEST_LANE_PAUSE = 15_000;

interface Turn {
  done: Promise<void>;
  lane: string;
  /** It has its place in its lane; else it takes it when what it waits for in other lanes is done. */
  isInLane: boolean;
}

export class Lanes {
  #turns = new Map<number, Promise<void>>();
  /** The end of each lane. */
  #lanes = new Map<string, Promise<void>>();
  /** The last turn of each comment or conversation. */
  #subjects = new Map<string, Turn>();
  /** Lanes that are late: how often in a row, and until when nothing of them is tried. */
  #late = new Map<string, { times: number; until: number }>();

  get isBusy(): boolean {
    return this.#turns.size > 0;
  }

  /** Whether an item has its turn now, or will have it. */
  has(seq: number): boolean {
    return this.#turns.has(seq);
  }

  /** When everything has had its turn. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all(this.#turns.values());
  }

  /** Does `work`, which never rejects, after everything that was added before of the same lane or subjects. */
  add(seq: number, lane: string, subjects: string[], work: () => Promise<void>): void {
    const before = subjects.flatMap((subject) => this.#subjects.get(subject) ?? []);
    const isInLane = before.every((one) => one.isInLane && one.lane === lane);
    const worked = isInLane
      ? this.#inLane(lane, work)
      : // A lane does not wait for another.
        Promise.all(before.map(({ done }) => done)).then(() => this.#inLane(lane, work));
    const done = worked.finally(() => {
      this.#turns.delete(seq);
      for (const subject of subjects)
        if (this.#subjects.get(subject) === turn) this.#subjects.delete(subject);
    });
    const turn: Turn = { done, lane, isInLane };
    this.#turns.set(seq, done);
    for (const subject of subjects) this.#subjects.set(subject, turn);
  }

  #inLane(lane: string, work: () => Promise<void>): Promise<void> {
    const worked = (this.#lanes.get(lane) ?? Promise.resolve()).then(work);
    const end = worked.finally(() => {
      if (this.#lanes.get(lane) === end) this.#lanes.delete(lane);
    });
    this.#lanes.set(lane, end);
    return end;
  }

  /** The hub was late. Until when the lane pauses: 0.5 s, 1 s, 2 s ... 15 s. */
  pause(lane: string, now: number): number {
    const times = (this.#late.get(lane)?.times ?? 0) + 1;
    const until = now + Math.min(pauseAfter(times) / 2, LONGEST_LANE_PAUSE);
    this.#late.set(lane, { times, until });
    return until;
  }

  /** Until when a lane pauses; nothing when it does not. A clock that was set back makes no pause longer. */
  pausedUntil(lane: string, now: number): number | undefined {
    const until = this.#late.get(lane)?.until ?? 0;
    return until > now && until - now <= LONGEST_LANE_PAUSE ? until : undefined;
  }

  /** The hub answered in a lane. */
  goOn(lane: string): void {
    this.#late.delete(lane);
  }

  /** The person says that it is time. */
  goOnAll(): void {
    this.#late.clear();
  }
}
