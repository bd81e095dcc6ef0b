/**
 * Which comments an agent has answered without anybody having seen it: no panel in sight had the answer on its
 * screen, and their thread was not opened. Kept in `storage.local`: an answer that came before the browser was closed
 * is still one.
 */
import { browser } from 'wxt/browser';
import type { Comment } from '../generated/Comment';

const KEY = 'answered';
/** The oldest are forgotten: whoever has so many unseen looks through the list anyway. */
export const MOST_ANSWERED = 500;

export class Answered {
  /** Ids, the oldest first. */
  #ids: Promise<Set<string>>;
  /** When those were added that came since this background began. */
  readonly #addedAt = new Map<string, number>();

  constructor() {
    this.#ids = browser.storage.local.get(KEY).then(
      (stored) => new Set((stored[KEY] ?? []) as string[]),
      () => new Set(),
    );
  }

  /** The ids of those of them that were answered. */
  async of(comments: readonly Comment[]): Promise<string[]> {
    const ids = await this.#ids;
    return comments.flatMap(({ id, deletedAt }) => (deletedAt === undefined && ids.has(id) ? [id] : []));
  }

  async add(id: string): Promise<void> {
    const ids = await this.#ids;
    this.#addedAt.set(id, Date.now());
    if (ids.has(id)) return;
    ids.add(id);
    for (const oldest of ids) {
      if (ids.size <= MOST_ANSWERED) break;
      ids.delete(oldest);
    }
    await this.#keep(ids);
  }

  /** Whether it was answered less than so many milliseconds ago. */
  isNew(id: string, within: number): boolean {
    return Date.now() - (this.#addedAt.get(id) ?? Number.NEGATIVE_INFINITY) < within;
  }

  /** The person has seen them. Whether that is news. */
  async seen(seen: readonly string[]): Promise<boolean> {
    const ids = await this.#ids;
    const isNews = seen.filter((id) => ids.delete(id)).length > 0;
    for (const id of seen) this.#addedAt.delete(id);
    if (isNews) await this.#keep(ids);
    return isNews;
  }

  async #keep(ids: Set<string>): Promise<void> {
    await browser.storage.local.set({ [KEY]: [...ids] }).catch((failure: unknown) => {
      // Known for as long as this background lives.
      console.warn('opentoolbar: which comments were answered is not kept:', failure);
    });
  }
}

/** Whether an agent says more in `now` than it did in `before`: a reply, or that it resolved the comment. */
export function isAnswer(now: Comment, before: Comment): boolean {
  return saidByAgents(now) > saidByAgents(before);
}

function saidByAgents({ replies, resolution }: Comment): number {
  const own = replies.filter(({ author, importedAt }) => author.kind === 'agent' && importedAt === undefined);
  return own.length + (resolution?.by.kind === 'agent' && resolution.importedAt === undefined ? 1 : 0);
}
