/**
 * What each tab last saw of its comments' elements, under the source that its page had: what a later look is compared
 * with after the source changed. Proposed with each look, and kept once the page says that it has come to rest.
 */
import type { Comment } from '../generated/Comment';
import { hashOf } from '../text-hash';
import { type LookedAt, readIn, type Store, type StoredLook } from './store';

/** Captures of one tab whose looks may still be kept. */
const PROPOSED = 6;
/** Looks of all tabs; those of the tabs that were opened first go. */
const MAX_LOOKS = 5_000;

/** One for each target of a comment; null: what was known stays. */
export type Proposal = readonly (LookedAt | null)[];

export class Looks {
  #store: Store;
  /** By session and capture, the last ones at the end; by comment. */
  #proposed = new Map<string, Map<string, Map<string, Proposal>>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** What this session knows of these comments, of those that are pinned as they were then. */
  async of(sessionId: string, comments: readonly Comment[]): Promise<Map<string, StoredLook>> {
    const known = await Promise.all(
      comments.map(async (comment) => {
        const look = await this.#store.read('looks', keyOf(sessionId, comment.id));
        return look?.anchors === anchorsOf(comment) ? ([comment.id, look] as const) : null;
      }),
    );
    return new Map(known.filter((one) => one !== null));
  }

  /** What is seen on a capture; kept if the page says so while it is one of its last. */
  propose(sessionId: string, capture: string, looks: Map<string, Proposal>): void {
    const own = this.#proposed.get(sessionId) ?? new Map();
    this.#proposed.set(sessionId, own);
    own.set(capture, looks);
    for (const old of [...own.keys()].slice(0, -PROPOSED)) own.delete(old);
  }

  /** What was seen of these comments on that capture is what later looks are compared with. */
  async keep(sessionId: string, capture: string, comments: readonly Comment[]): Promise<void> {
    const proposed = this.#proposed.get(sessionId)?.get(capture);
    for (const comment of comments) {
      const targets = proposed?.get(comment.id);
      if (targets) await this.#update(sessionId, comment, (before) => merged(before, targets));
    }
  }

  /** This session has told everyone what it sees, with this `checkedAt`. */
  async reported(sessionId: string, comment: Comment, checkedAt: number): Promise<void> {
    await this.#update(sessionId, comment, (before) => ({
      ...(before ?? { anchors: '', targets: comment.targets.map(() => null) }),
      reportedAt: checkedAt,
    }));
  }

  async #update(
    sessionId: string,
    comment: Comment,
    change: (before: StoredLook | undefined) => StoredLook | undefined,
  ): Promise<void> {
    const anchors = anchorsOf(comment);
    const key = keyOf(sessionId, comment.id);
    await this.#store.run(async (db) => {
      const tx = db.transaction('looks', 'readwrite', { durability: 'relaxed' });
      // One that the browser cannot read is made anew.
      const stored = await readIn(tx.store.get(key));
      const before = stored?.anchors === anchors ? stored : undefined;
      const after = change(before);
      if (after && after !== before) await tx.store.put({ ...after, anchors }, key);
      await tx.done;
    });
  }

  /** The tab is closed, or shows another origin. */
  async forget(sessionId: string): Promise<void> {
    this.#proposed.delete(sessionId);
    await this.#store.delete('looks', IDBKeyRange.bound(`${sessionId} `, `${sessionId} \uffff`));
  }

  /** Drops what belongs to sessions that are not open, and to comments that are none of these. */
  async tidy(sessions: ReadonlySet<string>, comments: ReadonlySet<string>): Promise<void> {
    const keys = await this.#store.getAllKeys('looks');
    const [kept, gone] = [[] as string[], [] as string[]];
    for (const key of keys) {
      const [session = '', comment = ''] = key.split(' ');
      (sessions.has(session) && comments.has(comment) ? kept : gone).push(key);
    }
    gone.push(...kept.slice(0, -MAX_LOOKS));
    for (const key of gone) await this.#store.delete('looks', key);
  }
}

/**
 * Where nothing is new the record stays the very same. A page that was kept for the way back has an older source, and
 * says nothing.
 */
function merged(before: StoredLook | undefined, proposed: Proposal): StoredLook | undefined {
  let isNew = false;
  const targets = proposed.map((now, at): LookedAt | null => {
    const known = before?.targets[at] ?? null;
    if (!now || (known && known.judgedAt > now.judgedAt)) return known;
    if (known && known.judgedAt === now.judgedAt && known.look === now.look) return known;
    isNew = true;
    return now;
  });
  return isNew ? { ...(before ?? { anchors: '' }), targets } : before;
}

const keyOf = (sessionId: string, commentId: string) => `${sessionId} ${commentId}`;

function anchorsOf({ targets }: Comment): string {
  return hashOf(targets.map(({ anchor }) => anchor).join(' '));
}
