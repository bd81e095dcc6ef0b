/**
 * Which looks later ones are compared with. What is seen is kept only when it has rested for a while and no evidence
 * came meanwhile that it is of a changed source: that is told a moment after the page shows it. A state machine without
 * a clock of its own; all moments are milliseconds since the epoch.
 */
import type { Varied } from '../../generated/Varied';
import type { PageSource } from '../../state/looking';
import type { Epoch } from '../evidence/epoch';

/** From a look to its being kept. A hub tells of a change of files within this. */
export const KEEP_AFTER_MS = 2_000;
/** After evidence an element may be drawn in several steps: so long each takes the place of the one before. */
export const STEPS_MS = 5_000;

export interface KeptComment {
  id: string;
  /** It was judged as after a change of the source. */
  isEvident: boolean;
  /** What it was seen to vary in, target by target; absent: nothing new. */
  varied?: Varied[][];
}

export interface Look {
  capture: string;
  /** When the capture began. */
  at: number;
  /** Not kept before: the page is still coming. */
  until: number;
  comments: KeptComment[];
}

/** Looks that wait at one time: about one a second comes. */
const MOST = 8;

export class Keeping {
  private readonly epoch: Epoch;
  private waiting: Look[] = [];
  private evidentAt = Number.NEGATIVE_INFINITY;

  /** `epoch`: of the page that is looked at. */
  constructor(epoch: Epoch) {
    this.epoch = epoch;
  }

  /**
   * Something was seen, and judged with `source`. Not kept as long as not all is known of how the page was loaded, nor
   * when more was learnt of its source meanwhile: it is seen once more then.
   */
  add(look: Look, source: PageSource): void {
    const { epoch } = this;
    if (!epoch.isRead || JSON.stringify(epoch.source(look.at)) !== JSON.stringify(source)) return;
    const evident = new Set(look.comments.filter(({ isEvident }) => isEvident).map(({ id }) => id));
    const isStep = look.at <= this.evidentAt + STEPS_MS;
    // Those of one page whose source changed are steps to the last of them.
    if (isStep)
      for (const before of this.waiting)
        before.comments = before.comments.filter(({ id }) => !evident.has(id));
    const kept = { ...look, until: Math.max(look.until, epoch.openUntil(look.at)) };
    this.waiting = [...this.waiting, kept].filter(({ comments }) => comments.length > 0).slice(-MOST);
  }

  /** There is evidence of a change at `at`, known only now: what was seen since is not of the source before. */
  changed(at: number, now: number): void {
    this.evidentAt = now;
    this.waiting = this.waiting.filter((look) => look.at < at);
  }

  /**
   * What is to be kept now, oldest first. `holds`: what is seen of a comment may pass; it is kept by a later look, or
   * not at all.
   */
  due(now: number, holds: (id: string) => boolean): Look[] {
    const isDue = (look: Look) => Math.max(look.at + KEEP_AFTER_MS, look.until) <= now;
    const due = this.waiting.filter(isDue);
    this.waiting = this.waiting.filter((look) => !isDue(look));
    const held: Look[] = [];
    const kept = due.map((look) => {
      const waits = look.comments.filter(({ id }) => holds(id));
      if (waits.length > 0) held.push({ ...look, until: now + KEEP_AFTER_MS, comments: waits });
      return { ...look, comments: look.comments.filter(({ id }) => !holds(id)) };
    });
    this.waiting.unshift(...held.slice(-MOST));
    return kept.filter(({ comments }) => comments.length > 0);
  }

  /** When to ask again; null: nothing waits. */
  next(): number | null {
    if (this.waiting.length === 0) return null;
    return Math.min(...this.waiting.map((look) => Math.max(look.at + KEEP_AFTER_MS, look.until)));
  }

  /** The comment was pinned anew, or is gone. */
  forget(id: string): void {
    for (const look of this.waiting) look.comments = look.comments.filter((comment) => comment.id !== id);
  }
}
