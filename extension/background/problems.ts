/**
 * What the hub will never take as it is, and what cannot be sent: kept until the person sends it again, or discards it.
 */
import { newId } from '../new-id';
import type { Comments } from './comments';
import { letGo } from './damaged';
import type { Deliveries } from './deliveries';
import { type Problem, readIn, type Store, type Writing, writing } from './store';
import { isRequest } from './waiting';

export interface ProblemsOptions {
  store: Store;
  comments: Pick<Comments, 'settleIn'>;
  deliveries: Pick<Deliveries, 'refuseLost'>;
  /** Something is about to be put into the outbox. */
  queueing: () => Promise<void>;
  /** An origin's problems, or what waits, changed. */
  changed: (origin: string) => void;
}

/** Whether sending it again may help: an edit of what somebody else edited is refused as often as it is sent. */
export function canRetry({ request, code }: Problem): boolean {
  // What belongs to a conversation is sent again from there.
  return isRequest(request) && /comment/.test(request.type) && code !== 'conflict';
}

/** Everything that a person would want back of it. */
export function textOf({ sentence, request }: Problem): string {
  if (request === undefined || isRequest(request)) return sentence;
  return `${sentence}\n${JSON.stringify(request, undefined, 2)}`;
}

export class Problems {
  #options: ProblemsOptions;

  constructor(options: ProblemsOptions) {
    this.#options = options;
  }

  /** Puts what was refused back to where it waits, as a new message: the hub may have settled the old one. */
  async retry(seq: number): Promise<void> {
    const { store, comments, queueing } = this.#options;
    await queueing();
    await this.#settle(seq, (problem) =>
      writing(store, async (tx) => {
        const { origin, subject, request } = problem;
        if (!request || !canRetry(problem))
          throw new Error('This can’t be sent again. Copy the text and write it again.');
        await tx.objectStore('problems').delete(seq);
        await tx.objectStore('outbox').add({ id: newId('m_'), subject, origin, request, attempts: 0 });
        await comments.settleIn(tx, subject);
      }),
    );
  }

  /** The person wants it no more. What waited for it can go. */
  async discard(seq: number): Promise<void> {
    await this.#settle(seq, (problem) =>
      writing(this.#options.store, (tx) => this.#discard(tx, seq, problem)).then(() => this.#told(problem)),
    );
  }

  /** The person has read an origin's problems, and wants none of them any more. */
  async dismiss(origin: string): Promise<void> {
    const gone = await writing(this.#options.store, async (tx) => {
      const all: Problem[] = [];
      for (const of of [origin, '']) {
        for (const seq of await tx.objectStore('problems').index('origin').getAllKeys(of)) {
          const problem = (await readIn(tx.objectStore('problems').get(seq))) as Problem | undefined;
          await this.#discard(tx, seq, problem);
          if (problem) all.push(problem);
        }
      }
      return all;
    });
    for (const problem of gone) await this.#told(problem);
    this.#options.changed(origin);
  }

  async #discard(tx: Writing, seq: number, problem: Problem | undefined): Promise<void> {
    await tx.objectStore('problems').delete(seq);
    if (problem?.waitsAt === undefined) return;
    await letGo(tx, problem);
    await this.#options.comments.settleIn(tx, problem.subject);
  }

  /** What was said and let go stands in its conversation as something that was not sent. */
  async #told({ waitsAt, subject }: Problem): Promise<void> {
    if (waitsAt !== undefined) await this.#options.deliveries.refuseLost(subject);
  }

  async #settle(seq: number, work: (problem: Problem) => Promise<unknown>): Promise<void> {
    const problem = await this.#options.store.read('problems', seq);
    if (!problem) throw new Error('This change is gone already: it was sent or discarded.');
    await work(problem as Problem);
    this.#options.changed(problem.origin);
  }
}
