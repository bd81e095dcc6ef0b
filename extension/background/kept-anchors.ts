/**
 * Anchors that the core has decoded and keeps in its memory, so that a page that is looked at again crosses into it
 * with their ids alone. They die with the background.
 */
import type { Core } from './core';

/**
 * As many as are kept between two looks; those that were asked for longest ago go first. With its look one takes
 * about 5 KB.
 */
export const MOST_KEPT = 1_000;

/** Its id in the core, or why it cannot be read. */
type Read = number | Error;

export class KeptAnchors {
  readonly anchors: InstanceType<Core['Anchors']>;
  /** By the texts of anchor and look; the one that was asked for longest ago comes first. */
  #kept = new Map<string, Read>();

  constructor(core: Pick<Core, 'Anchors'>) {
    this.anchors = new core.Anchors();
  }

  /**
   * The id of an anchor with how its element was last seen; an Error when it cannot be read. It holds until `trim` is
   * called: two questions with a pause between them ask for ids twice.
   */
  idOf(anchor: string, look?: string): Read {
    // Neither holds a line break.
    const key = look === undefined ? anchor : `${anchor}\n${look}`;
    const read = this.#kept.get(key) ?? this.#read(anchor, look);
    this.#kept.delete(key);
    this.#kept.set(key, read);
    return read;
  }

  /** Drops those beyond `MOST_KEPT`. */
  trim(): void {
    for (const [key, read] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) return;
      this.#kept.delete(key);
      if (typeof read === 'number') this.anchors.drop(read);
    }
  }

  #read(anchor: string, look: string | undefined): Read {
    try {
      return this.anchors.keep(anchor, look);
    } catch (failure) {
      return failure instanceof Error ? failure : new Error(String(failure));
    }
  }
}
