/**
 * What waits and cannot be sent as it is kept: damaged, of another version, or not to be read by the browser. It keeps
 * its place in the outbox and holds up what comes after it of the same comment or conversation; the person is told, and
 * goes on by letting it go.
 */
import type { Problem, Store, Writing } from './store';
import { readIn, writing } from './store';
import { namesIn, readItem } from './waiting';

/** What the person is told of them, by their keys in the outbox. */
export class Damaged {
  #store: Store;
  #told: Map<number, number>;
  #now: () => number;

  private constructor(store: Store, told: Map<number, number>, now: () => number) {
    this.#store = store;
    this.#told = told;
    this.#now = now;
  }

  /** As the database has it now. */
  static async of(store: Store, now: () => number): Promise<Damaged> {
    const told = (await store.readAll('problems')) as Problem[];
    const held = told.filter(({ waitsAt }) => waitsAt !== undefined);
    return new Damaged(store, new Map(held.map(({ waitsAt = 0, seq }) => [waitsAt, seq])), now);
  }

  /**
   * Tells of one; `found` is nothing when the browser cannot read it. The origin to be told; nothing when it was told
   * before.
   */
  async tell(seq: number, found: unknown): Promise<string | undefined> {
    if (this.#told.has(seq)) return undefined;
    const { subjects, origins } = await this.#store.outboxNames(seq);
    const subject = [...subjects, ...namesIn(found)][0] ?? '';
    const origin = origins[0] ?? '';
    const sentence = sentenceOf(subject, found !== undefined);
    await writing(this.#store, async (tx) => {
      // The person may have taken it back meanwhile.
      if ((await tx.objectStore('outbox').getKey(seq)) === undefined) return;
      const problem = { origin, subject, sentence, waitsAt: seq, at: this.#now() };
      this.#told.set(seq, await tx.objectStore('problems').add(problem));
    });
    return origin;
  }

  /** It can be sent after all, or is gone: nothing of it is told any more. Whether there was something. */
  async clear(seq: number): Promise<boolean> {
    const problem = this.#told.get(seq);
    if (problem === undefined) return false;
    await this.#store.delete('problems', problem);
    return this.#told.delete(seq);
  }

  /** The same of each that waits no more. */
  async clearAllBut(waiting: readonly number[]): Promise<void> {
    const left = new Set(waiting);
    for (const seq of [...this.#told.keys()]) if (!left.has(seq)) await this.clear(seq);
  }
}

/** The person goes on without it. One that can be sent meanwhile stays. */
export async function letGo(tx: Writing, { waitsAt }: Problem): Promise<void> {
  if (waitsAt === undefined) return;
  if (readItem(await readIn(tx.objectStore('outbox').get(waitsAt)))) return;
  await tx.objectStore('outbox').delete(waitsAt);
}

function sentenceOf(subject: string, isReadable: boolean): string {
  const [what, waits] = subject.startsWith('s_')
    ? ['Something that you said', 'what you said after it']
    : subject === 'import'
      ? ['An import', 'changes of the comments in it']
      : ['A change', 'later changes of the same comment'];
  const is = isReadable ? 'is damaged or of another version' : "can't be read any more";
  const first = isReadable ? 'Copy it to keep what it says, then discard it' : 'Discard it';
  return `${what} that waits to be sent ${is}, and ${waits} must wait for it. ${first} to send the others without it.`;
}
