/**
 * What of all that is seen is told to everyone, and when. Good news at once; that an element changed or is gone only
 * when it holds for a while, because pages flicker, load piece by piece and draw lists in part. Every change of mind
 * makes the next bad news wait longer, until the source changes: an edit that is seen is no flicker, however many came
 * before. A state machine without a clock of its own; all moments are milliseconds.
 */
import type { TargetState } from '../../generated/TargetState';
import type { Found } from '../../state/looking';

/** What a tab found of a target. */
export type Told = Pick<Found, 'counts'> & { [K in 'verdict' | 'cause']: Found[K] | null };

/**
 * One state for each target, null where there is nothing to tell everyone: what differs by the app's state is this
 * tab's alone. Nothing while one of them cannot be looked for, or has not been. `checkedAt`: now, since the epoch.
 */
export function reportOf(targets: readonly Told[], checkedAt: number): (TargetState | null)[] | null {
  if (targets.length === 0 || targets.some(({ verdict }) => verdict === null)) return null;
  return targets.map(({ verdict, counts, cause }) => {
    if (!verdict || !counts || cause !== 'source') return null;
    const { kind, confidence, diff, reason } = verdict;
    return { verdict: kind, confidence, diff, reason, cause, checkedAt };
  });
}

/** `well`: not outdated. `changed`: found, and different. `lost`: gone, or one of several. */
export type Sight = 'well' | 'changed' | 'lost';

/** How long a sight must hold before it is told. */
export const HOLD_MS: Record<Sight, number> = { well: 0, changed: 600, lost: 3_000 };
/** A page that has just come is given this long before anything of it is missed. */
export const ARRIVAL_MS = 2_500;
/** And this long before anything of it is said to differ: what it shows first may be a skeleton. */
const DRAWN_MS = 1_000;
/** Another difference of an element that is known to differ is told at most this often. */
export const SAME_SIGHT_MS = 5_000;
/** After so long without a change of mind it is trusted as at first. */
const CALM_MS = 60_000;
const MAX_DOUBLINGS = 6;
/** Has not begun to hold. */
const NEVER = Number.POSITIVE_INFINITY;

interface Watched {
  /** Of which elements. */
  anchors: string;
  /** What the comment says. */
  stored: Sight;
  /** What was told last: the sight, and what differed. */
  told: { sight: Sight; details: string };
  toldAt: number;
  /** What is seen now and since when; null: what was told. */
  seen: { sight: Sight; details: string; since: number } | null;
  /** How often the mind was changed lately. */
  flips: number;
}

export class Reports {
  private readonly watched = new Map<string, Watched>();
  private arrival: number;

  constructor(now: number) {
    this.arrival = now;
  }

  /** The page is another one, or still coming. */
  arrived(now: number): void {
    this.arrival = now;
  }

  /** The source changed: what comes of that is told as if nothing had been told before. */
  sourceChanged(): void {
    for (const watched of this.watched.values()) watched.toldAt = Number.NEGATIVE_INFINITY;
  }

  /** When the page will have come, unless it goes on coming. */
  get hereAt(): number {
    return this.arrival + ARRIVAL_MS;
  }

  /** What everyone knows of a comment before this page says anything. Once it is pinned anew it counts again. */
  know(id: string, anchors: string, sight: Sight, details: string): void {
    const watched = this.watched.get(id);
    if (watched?.anchors === anchors) {
      // Another tab has told something else meanwhile. Only what it comes to: words may have been redacted on their
      // way.
      if (sight !== watched.stored) watched.told = { sight, details };
      watched.stored = sight;
      return;
    }
    const told = { sight, details };
    this.watched.set(id, {
      anchors,
      stored: sight,
      told,
      toldAt: Number.NEGATIVE_INFINITY,
      seen: null,
      flips: 0,
    });
  }

  /** `excused`: there is a reason why it cannot be told well now; it has held for no time at all. */
  saw(id: string, sight: Sight, details: string, now: number, excused: boolean): void {
    const watched = this.watched.get(id);
    if (!watched) return;
    const { told, seen } = watched;
    if (sight === told.sight && details === told.details) {
      watched.seen = null;
      return;
    }
    if (now - watched.toldAt > CALM_MS) watched.flips = 0;
    const held = seen?.sight === sight && seen.since !== NEVER ? seen.since : now;
    watched.seen = { sight, details, since: excused ? NEVER : held };
  }

  /** What was told last of a comment. */
  told(id: string): Sight | undefined {
    return this.watched.get(id)?.told.sight;
  }

  /** Whether what is seen of a comment is held back. */
  waits(id: string): boolean {
    return (this.watched.get(id)?.seen ?? null) !== null;
  }

  /** When the next one may be told; null: none waits, or only for what nobody knows the time of. */
  next(): number | null {
    let next = Number.POSITIVE_INFINITY;
    for (const watched of this.watched.values()) next = Math.min(next, this.ripe(watched));
    return Number.isFinite(next) ? next : null;
  }

  /** Whether the time of a comment's sight has come. */
  isRipe(id: string, now: number): boolean {
    const watched = this.watched.get(id);
    return watched !== undefined && this.ripe(watched) <= now;
  }

  /** What is seen of a comment has been told. */
  tell(id: string, now: number): void {
    const watched = this.watched.get(id);
    if (!watched?.seen) return;
    const { sight, details } = watched.seen;
    if (sight !== watched.told.sight) watched.flips++;
    watched.told = { sight, details };
    watched.toldAt = now;
    watched.seen = null;
  }

  private ripe({ seen, told, toldAt, flips }: Watched): number {
    if (!seen) return Number.POSITIVE_INFINITY;
    if (seen.sight === 'well') return seen.since;
    const held = HOLD_MS[seen.sight] * 2 ** Math.min(Math.max(0, flips - 1), MAX_DOUBLINGS);
    const start = Math.max(seen.since, this.arrival + (seen.sight === 'lost' ? ARRIVAL_MS : DRAWN_MS));
    const spaced = seen.sight === told.sight ? toldAt + SAME_SIGHT_MS : Number.NEGATIVE_INFINITY;
    return Math.max(start + held, spaced);
  }
}
