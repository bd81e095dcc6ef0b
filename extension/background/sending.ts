/** One try of a waiting item: it is sent, and what became of it is kept with it. Knows nothing of what else waits. */
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { ErrorBody } from '../generated/ErrorBody';
import type { Request } from '../generated/Request';
import type { Comments } from './comments';
import type { Deliveries } from './deliveries';
import { fateOf, pauseAfter } from './fate';
import { halve, isSplittable } from './imports';
import { LinkLost, NoAnswer } from './link';
import { goesWithoutSession, hasPictures, type PrepareOptions, prepared, sessionOf } from './prepare';
import { leftOut, refusal, renumbered } from './refusal';
import type { OutboxItem, Store, Writing } from './store';
import { readIn, writing } from './store';

export interface SendingOptions extends PrepareOptions {
  store: Store;
  comments: Comments;
  deliveries: Pick<Deliveries, 'acknowledge' | 'refuse'>;
  /**
   * Rejects with `LinkLost` when nothing can be sent, with `NoAnswer` when the item went and no answer came, and with
   * any other Error when this request cannot be sent.
   */
  send: (request: Request, id: string, sessionId?: string) => Promise<Answer>;
  /** The hub's comment as the core reads it; nothing, having said so, when it cannot. */
  readComment: (comment: Comment) => Comment | undefined;
  /** An origin's comments or what waits changed. */
  changed: (origin: string) => void;
  /** An import was taken: the hub's comments are worth asking for. */
  imported: (origin: string) => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** What a try asks of the outbox. */
interface Queue {
  /** Something is to be looked at that waits. */
  lookAgain: () => void;
  /** An import was split: these parts of it wait behind it. */
  behind: (parts: OutboxItem[]) => void;
}

/** A picture that could not be read so often is left out: its comment is worth more. */
const PICTURE_TRIES = 3;
/** A change that was tried so often in vain is spoken of. */
export const TOLD_AFTER = 3;

/**
 * What became of a try. `failed`: it is tried again after a pause; `late`: so is its lane; `unanswered`: soon, for its
 * connection may have broken; `waits`: with the next flush; `gone`: it waits no more.
 */
export type Sent = 'gone' | 'waits' | 'no session' | 'failed' | 'late' | 'unanswered' | 'no link';

export class Sending {
  #options: SendingOptions;
  #outbox: Queue;

  constructor(options: SendingOptions, outbox: Queue) {
    this.#options = options;
    this.#outbox = outbox;
  }

  /** One try, whose outcome may be one that could not be kept: then it is tried again, and stops no other meanwhile. */
  async deliver(item: OutboxItem): Promise<Sent> {
    try {
      return await this.#try(item);
    } catch (failure) {
      console.warn('opentoolbar: what became of a change could not be kept:', failure);
      return 'failed';
    }
  }

  async #try(item: OutboxItem): Promise<Sent> {
    let answer: Answer;
    try {
      const request = await prepared(this.#options, item);
      answer = await this.#send(request, item, await sessionOf(this.#options, item));
      if (goesWithoutSession(item, answer)) answer = await this.#send(request, item, undefined);
    } catch (failure) {
      if (failure instanceof NoAnswer) return this.#unanswered(item);
      if (failure instanceof LinkLost) return this.#unsent(item, 'no link');
      return this.#unprepared(item, failure);
    }
    const fate = fateOf(answer);
    try {
      if (fate === 'done') await this.#acknowledge(item, answer);
      else if (fate === 'refused')
        return await this.#refused(item, (answer as { payload: ErrorBody }).payload);
    } catch (failure) {
      return this.#failed(item, `What the host answered could not be kept (${failure}).`);
    }
    if (fate === 'done') return 'gone';
    const { code, message } = (answer as { payload: ErrorBody }).payload;
    if (fate === 'retry') return this.#failed(item, `${message}.`, code === 'storage' ? 'late' : 'failed');
    return this.#unsent(item, code === 'unknown_session' ? 'no session' : 'waits');
  }

  /** The hub does not have it, for sure: a picture that comes now goes with it. */
  #unsent(item: OutboxItem, sent: Sent): Promise<Sent> | Sent {
    return hasPictures(item) ? this.#update(item, { isUnderWay: false }, sent) : sent;
  }

  /** A request that cannot go on its way is one that the hub cannot take. */
  async #send(request: Request, item: OutboxItem, sessionId: string | undefined): Promise<Answer> {
    try {
      return await this.#options.send(request, item.id, sessionId);
    } catch (failure) {
      if (failure instanceof LinkLost) throw failure;
      const message = `It cannot be sent (${failure instanceof Error ? failure.message : failure})`;
      const nextStep = 'Copy its words and say them shorter.';
      return { type: 'error', payload: { code: 'too_large', message, nextStep } };
    }
  }

  /**
   * Once in a row is the fate of whatever was under way when a connection broke; more often may be the item's own
   * doing.
   */
  async #unanswered(item: OutboxItem): Promise<Sent> {
    if (item.attempts > 0) return this.#failed(item, 'The host did not answer.', 'late');
    return this.#update(item, { attempts: 1 }, 'unanswered');
  }

  /** Nothing of it was sent: its picture or its context could not be read. */
  async #unprepared(item: OutboxItem, failure: unknown): Promise<Sent> {
    console.warn('opentoolbar: a change could not be made ready to be sent:', failure);
    if (item.attempts + 1 < PICTURE_TRIES || !hasPictures(item)) {
      return this.#failed(item, `It could not be made ready to be sent (${failure}).`);
    }
    this.#outbox.lookAgain();
    return this.#update(item, { attempts: 0, withoutPicture: true }, 'waits');
  }

  async #failed(item: OutboxItem, why: string, how: 'failed' | 'late' = 'failed'): Promise<Sent> {
    const attempts = item.attempts + 1;
    const retryAt = this.#now() + pauseAfter(attempts);
    const told = attempts >= TOLD_AFTER ? { delayed: item.origin } : {};
    const sent = await this.#update(item, { attempts, retryAt, why, ...told }, how);
    this.#options.changed(item.origin);
    return sent;
  }

  /**
   * Changes an item that goes on waiting. `gone` when the person took it back while it was under way: it stays away,
   * and what else was changed of it stays as it is now.
   */
  async #update(item: OutboxItem, change: Partial<OutboxItem>, sent: Sent): Promise<Sent> {
    return writing(this.#options.store, async (tx) => {
      const now = await tx.objectStore('outbox').get(item.seq);
      if (now?.id !== item.id) return 'gone';
      await tx.objectStore('outbox').put({ ...now, ...change });
      return sent;
    });
  }

  async #acknowledge(item: OutboxItem, answer: Answer): Promise<void> {
    const { store, comments, deliveries, changed, imported, readComment } = this.#options;
    if (item.session) {
      await deliveries.acknowledge(item, answer);
      changed(item.origin);
      return;
    }
    // One that cannot be read is stored at the hub all the same.
    const comment = answer.type === 'comment' ? readComment(answer.payload.comment) : undefined;
    await writing(store, async (tx) => {
      // It may have been taken back while it was under way.
      const waited = (await readIn(tx.objectStore('outbox').get(item.seq)))?.id === item.id;
      await tx.objectStore('outbox').delete(item.seq);
      if (comment) await comments.acknowledgeIn(tx, item, comment, waited);
      const { origin, subject, request } = item;
      if (request.type !== 'import_comments' || answer.type !== 'imported') return;
      const { leftOut: left = 0, renumbered: others = 0 } = answer.payload;
      const of = request.payload.comments.length;
      const told = { origin, subject, at: this.#now() };
      const problems = tx.objectStore('problems');
      if (left > 0) await problems.add({ ...told, sentence: leftOut(left, of), request });
      // Nothing of it would be gained by sending it again.
      if (others > 0) await problems.add({ ...told, sentence: renumbered(others, of) });
    });
    changed(item.origin);
    if (item.request.type === 'import_comments') imported(item.origin);
  }

  async #refused(item: OutboxItem, error: ErrorBody): Promise<Sent> {
    const { store, comments, deliveries, changed } = this.#options;
    const { request, origin, subject } = item;
    const hadPicture = request.type === 'create_comment' && (await store.count('screenshots', subject)) > 0;
    if (error.code === 'too_large' && hadPicture && !item.withoutPicture) {
      // The words are worth more than the picture.
      this.#outbox.lookAgain();
      return this.#update(item, { withoutPicture: true }, 'waits');
    }
    if (error.code === 'too_large' && isSplittable(item)) {
      this.#outbox.behind(await writing(store, (tx) => halve(tx, item)));
      return 'waits';
    }
    if (item.session) {
      await deliveries.refuse(item, error);
      this.#outbox.lookAgain(); // it may have queued the words anew
      changed(origin);
      return 'gone';
    }
    const known = await comments.get(subject);
    await writing(store, async (tx) => {
      await tx.objectStore('outbox').delete(item.seq);
      const sentence = refusal(item, error, await base(tx, subject), known);
      if (sentence) {
        const { code } = error;
        await tx.objectStore('problems').add({ origin, subject, sentence, request, code, at: this.#now() });
      }
      await comments.settleIn(tx, subject);
    });
    changed(origin);
    return 'gone';
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

async function base(tx: Writing, id: string): Promise<Comment | undefined> {
  return (await readIn(tx.objectStore('comments').get(id)))?.base;
}
