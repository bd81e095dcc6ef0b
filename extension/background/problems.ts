/** What the hub will never take as it is: kept until the person sends it again, or discards it. */
import { newId } from '../new-id';
import type { Comments } from './comments';
import { type Problem, type Store, writing } from './store';
import { isRequest } from './waiting';

export interface ProblemsOptions {
  store: Store;
  comments: Pick<Comments, 'settleIn'>;
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
  return isRequest(request) ? sentence : `${sentence}\n${JSON.stringify(request, undefined, 2)}`;
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
        if (!canRetry(problem)) throw new Error('This cannot be sent again. Copy it, and say it anew.');
        const { origin, subject, request } = problem;
        await tx.objectStore('problems').delete(seq);
        await tx.objectStore('outbox').add({ id: newId('m_'), subject, origin, request, attempts: 0 });
        await comments.settleIn(tx, subject);
      }),
    );
  }

  /** The person wants it no more. */
  async discard(seq: number): Promise<void> {
    await this.#settle(seq, () => this.#options.store.delete('problems', seq));
  }

  async #settle(seq: number, work: (problem: Problem) => Promise<unknown>): Promise<void> {
    const problem = await this.#options.store.read('problems', seq);
    if (!problem) throw new Error('This is not there any more.');
    await work(problem as Problem);
    this.#options.changed(problem.origin);
  }
}
