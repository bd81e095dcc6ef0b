/**
 * Sends what waits: in order for each subject, each item with its own id, and forgets an item only in the transaction
 * that stores the hub's acknowledgement. What is wrong with one item holds up only what names the same comment or conversation, an
 * import only for that comment. Knows nothing of how the link works.
 */
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { ErrorBody } from '../generated/ErrorBody';
import type { Request } from '../generated/Request';
import type { Comments } from './comments';
import { Damaged } from './damaged';
import type { Deliveries } from './deliveries';
import { fateOf, isDue, pauseAfter } from './fate';
import { halve, isSplittable, splitOff } from './imports';
import { LinkLost, NoAnswer } from './link';
import { hasPictures, isHint, type PrepareOptions, prepared, sessionOf } from './prepare';
import { leftOut, refusal } from './refusal';
import type { OutboxItem, Store, Writing } from './store';
import { readIn, writing } from './store';
import { Blocked, readItem, subjectsOf, waitingIn } from './waiting';

export interface OutboxOptions extends PrepareOptions {
  store: Store;
  comments: Comments;
  deliveries: Pick<Deliveries, 'acknowledge' | 'refuse'>;
  /**
   * Rejects with `LinkLost` when nothing can be sent, with `NoAnswer` when the item went and no answer came, and with any other
   * Error when this request cannot be sent.
   */
  send: (request: Request, id: string, sessionId?: string) => Promise<Answer>;
  /** The hub's comment as the core reads it; nothing, having said so, when it cannot. */
  readComment: (comment: Comment) => Comment | undefined;
  /** The hub does not know a session that it knew: open them again at the next need. */
  forgetSessions: () => void;
  /** An origin's comments or what waits changed. */
  changed: (origin: string) => void;
  /** An import was taken: the hub's comments are worth asking for. */
  imported: (origin: string) => void;
  /** Nothing is under way any more: everything was sent, or waits. */
  rested: () => void;
  /** A round begins or ends; `waiting` items are left at an end. Wakes this background again should the browser end it. */
  waits?: { begin(): void; end(waiting: number): void };
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** A picture that could not be read so often is left out: its comment is worth more. */
const PICTURE_TRIES = 3;
/** A change that was tried so often in vain is spoken of. */
const TOLD_AFTER = 3;

/**
 * What became of a try. `failed`: it is tried again after a pause; `waits`: with the next flush; `gone`: it waits no more.
 */
type Sent = 'gone' | 'waits' | 'no session' | 'failed' | 'no link';

export class Outbox {
  #options: OutboxOptions;
  #running: Promise<void> | undefined;
  #again = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Sends everything that can be sent. Calls while it runs make it run once more. Never rejects. */
  flush(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    clearTimeout(this.#timer);
    this.#running = this.#rounds()
      // The database cannot be read or written: what waits is still there, and the next flush sees.
      .catch((failure: unknown) => console.error('opentoolbar: what waits could not be looked at:', failure))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Tries everything at once, whatever pause it is in: the person, or what was wrong, says that it is time. */
  async flushNow(origin: string): Promise<void> {
    const { store } = this.#options;
    await writing(store, async (tx) => {
      for (const item of await waitingIn(tx, 'origin', origin)) {
        const { retryAt, ...due } = item;
        if (retryAt !== undefined) await tx.objectStore('outbox').put(due);
      }
    });
    await this.flush();
  }

  async #rounds(): Promise<void> {
    const { store, forgetSessions, rested, waits } = this.#options;
    let reopened = false;
    waits?.begin();
    do {
      this.#again = false;
      const lost = await this.#round();
      if (!lost) continue;
      // A restarted hub knows no sessions. They are opened at the next need, which is now; once, lest it go on so.
      forgetSessions();
      if (!reopened) this.#again = true;
      reopened = true;
    } while (this.#again);
    const waiting = await store.count('outbox');
    waits?.end(waiting);
    rested();
  }

  /** Whether the hub did not know a session. */
  async #round(): Promise<boolean> {
    const { store } = this.#options;
    const now = this.#now();
    let lostSession = false;
    let hasHalved = false;
    let next = Number.POSITIVE_INFINITY;
    /** Subjects whose first item must wait, so the later ones must as well. */
    const blocked = new Blocked(store);
    const damaged = await Damaged.of(store, () => this.#now());
    const keys = await store.getAllKeys('outbox');
    await damaged.clearAllBut(keys);
    for (const seq of keys) {
      // Read one by one: an item may have gone meanwhile, and one that cannot be read stays and stops no other comment's.
      const found: unknown = await store.read('outbox', seq);
      if (found === undefined && (await store.count('outbox', seq)) === 0) continue;
      let item = readItem(found);
      if (!item) {
        await blocked.addDamaged(seq, found);
        await this.#tellDamaged(damaged, seq, found);
        continue;
      }
      if (await damaged.clear(seq)) this.#options.changed(item.origin);
      const subjects = subjectsOf(item);
      const waiting = await blocked.of(item);
      // What comes after it must not overtake it either.
      if (waiting.size > 0 && subjects.every((subject) => waiting.has(subject))) {
        blocked.add(subjects);
        continue;
      }
      if (!isDue(item.retryAt, now)) {
        blocked.add(subjects);
        next = Math.min(next, item.retryAt ?? next);
        continue;
      }
      // The rest of an import goes without those of its comments that must wait.
      if (waiting.size > 0) {
        const rest = await this.#splitOff(item, waiting);
        if (!rest) {
          blocked.add(subjects);
          next = Math.min(next, this.#now() + pauseAfter(1));
          continue;
        }
        item = rest;
      }
      const sent = await this.#deliver(item);
      if (sent === 'no link') return false; // everything stays
      if (sent === 'gone') continue;
      blocked.add(subjects);
      lostSession ||= sent === 'no session';
      if (sent !== 'failed') continue;
      next = Math.min(next, this.#now() + pauseAfter(item.attempts + 1));
      // One comment may be what breaks an import. Not more than one at once: a hub that is ill is not asked for ever more.
      if (!hasHalved && item.attempts + 1 >= TOLD_AFTER && isSplittable(item)) {
        hasHalved = true;
        await this.#halve(item);
      }
    }
    if (Number.isFinite(next)) this.#wake(next - this.#now());
    return lostSession;
  }

  /** What is left of an import; nothing when it was taken back meanwhile, or could not be split and waits as a whole. */
  #splitOff(item: OutboxItem, ids: Set<string>): Promise<OutboxItem | undefined> {
    return writing(this.#options.store, (tx) => splitOff(tx, item, ids)).catch((failure: unknown) => {
      console.warn('opentoolbar: an import could not be split and waits as a whole:', failure);
      return undefined;
    });
  }

  async #halve(item: OutboxItem): Promise<void> {
    await writing(this.#options.store, (tx) => halve(tx, item)).catch((failure: unknown) =>
      console.warn('opentoolbar: an import could not be split and is tried again as a whole:', failure),
    );
  }

  /** One try, whose outcome may be one that could not be kept: then it is tried again, and stops no other meanwhile. */
  async #deliver(item: OutboxItem): Promise<Sent> {
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
      if (isHint(item) && isUnknownSession(answer)) answer = await this.#send(request, item, undefined);
    } catch (failure) {
      if (failure instanceof NoAnswer) return this.#unanswered(item);
      if (failure instanceof LinkLost) return 'no link';
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
    if (fate === 'retry') return this.#failed(item, `${message}.`);
    return code === 'unknown_session' ? 'no session' : 'waits';
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

  /** Once in a row is the fate of whatever was under way when a connection broke; more often may be the item's own doing. */
  async #unanswered(item: OutboxItem): Promise<Sent> {
    if (item.attempts > 0) return this.#failed(item, 'The host did not answer.');
    return this.#update(item, { attempts: 1 }, 'waits');
  }

  /** Nothing of it was sent: its picture or its context could not be read. */
  async #unprepared(item: OutboxItem, failure: unknown): Promise<Sent> {
    console.warn('opentoolbar: a change could not be made ready to be sent:', failure);
    if (item.attempts + 1 < PICTURE_TRIES || !hasPictures(item)) {
      return this.#failed(item, `It could not be made ready to be sent (${failure}).`);
    }
    this.#again = true;
    return this.#update(item, { attempts: 0, withoutPicture: true }, 'waits');
  }

  async #failed(item: OutboxItem, why: string): Promise<Sent> {
    const attempts = item.attempts + 1;
    const retryAt = this.#now() + pauseAfter(attempts);
    const told = attempts >= TOLD_AFTER ? { delayed: item.origin } : {};
    const sent = await this.#update(item, { attempts, retryAt, why, ...told }, 'failed');
    this.#options.changed(item.origin);
    return sent;
  }

  /**
   * Changes an item that goes on waiting. `gone` when the person took it back while it was under way: it stays away, and what else
   * was changed of it stays as it is now.
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
      await tx.objectStore('outbox').delete(item.seq);
      if (comment) await comments.acknowledgeIn(tx, item, comment);
      const { origin, subject, request } = item;
      if (request.type !== 'import_comments' || answer.type !== 'imported') return;
      const count = answer.payload.leftOut ?? 0;
      if (count === 0) return;
      const sentence = leftOut(count, request.payload.comments.length);
      await tx.objectStore('problems').add({ origin, subject, sentence, request, at: this.#now() });
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
      this.#again = true;
      return this.#update(item, { withoutPicture: true }, 'waits');
    }
    if (error.code === 'too_large' && isSplittable(item)) {
      await writing(store, (tx) => halve(tx, item));
      this.#again = true;
      return 'waits';
    }
    if (item.session) {
      await deliveries.refuse(item, error);
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

  /** One that cannot be told of now is told of in the next round; it stays where it is. */
  async #tellDamaged(damaged: Damaged, seq: number, found: unknown): Promise<void> {
    try {
      const origin = await damaged.tell(seq, found);
      if (origin !== undefined) this.#options.changed(origin);
    } catch (failure) {
      console.warn('opentoolbar: nobody could be told of a damaged change yet:', failure);
    }
  }

  /** Flushes again when the first pause is over; should the background have ended by then, its alarm does. */
  #wake(after: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, after));
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

function isUnknownSession(answer: Answer): boolean {
  return answer.type === 'error' && answer.payload.code === 'unknown_session';
}

async function base(tx: Writing, id: string): Promise<Comment | undefined> {
  return (await readIn(tx.objectStore('comments').get(id)))?.base;
}
