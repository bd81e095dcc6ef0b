/**
 * Sends what waits: in order for each subject, projects side by side, each item with its own id, and forgets an item only in the
 * transaction that stores the hub's acknowledgement. What is wrong with one item holds up only what names the same comment or
 * conversation, an import only for that comment; a hub that is late holds up that project. Knows nothing of how the link works.
 */
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { ErrorBody } from '../generated/ErrorBody';
import type { Request } from '../generated/Request';
import type { Comments } from './comments';
import type { Deliveries } from './deliveries';
import { fateOf, isDue, pauseAfter } from './fate';
import { halve, isSplittable, splitOff } from './imports';
import { Lanes } from './lanes';
import { LinkLost, NoAnswer } from './link';
import { Order } from './order';
import { goesWithoutSession, hasPictures, type PrepareOptions, prepared, sessionOf } from './prepare';
import { leftOut, refusal } from './refusal';
import type { OutboxItem, Store, Writing } from './store';
import { readIn, writing } from './store';
import { Survey } from './survey';
import { readItem, subjectsOf, waitingIn } from './waiting';

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
 * What became of a try. `failed`: it is tried again after a pause; `late`: so is its lane; `unanswered`: soon, for its connection may
 * have broken; `waits`: with the next flush; `gone`: it waits no more.
 */
type Sent = 'gone' | 'waits' | 'no session' | 'failed' | 'late' | 'unanswered' | 'no link';

export class Outbox {
  #options: OutboxOptions;
  #lanes = new Lanes();
  #order: Order;
  #running: Promise<void> | undefined;
  /** Something new is to be looked at; `#nudge` has it looked at while others are under way. */
  #again = false;
  #nudge = () => {};
  /** How often a flush was asked for. */
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Since the last look nothing could be sent; and lanes in which the hub was late since. */
  #isCut = false;
  #stopped = new Set<string>();
  /** In this run: an import was halved; for which items the sessions were opened again. */
  #hasHalved = false;
  #reopenedFor = new Set<number>();

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#order = new Order(options.store);
  }

  /** Sends everything that can be sent; what was queued while it runs goes at once. Until nothing is under way. Never rejects. */
  flush(): Promise<void> {
    this.#asked += 1;
    this.#lookAgain();
    if (this.#running) return this.#running;
    const run = this.#run()
      // The database cannot be read or written: what waits is still there, and the next flush sees.
      .catch((failure: unknown) => console.error('opentoolbar: what waits could not be looked at:', failure))
      .finally(() => {
        if (this.#running === run) this.#running = undefined;
      });
    this.#running = run;
    return run;
  }

  /** Tries everything at once, whatever pause it is in: the person, or what was wrong, says that it is time. */
  async flushNow(origin: string): Promise<void> {
    const { store } = this.#options;
    this.#lanes.goOnAll();
    await writing(store, async (tx) => {
      for (const item of await waitingIn(tx, 'origin', origin)) {
        const { retryAt, ...due } = item;
        if (retryAt !== undefined) await tx.objectStore('outbox').put(due);
      }
    });
    await this.flush();
  }

  async #run(): Promise<void> {
    const { store, rested, waits } = this.#options;
    this.#hasHalved = false;
    this.#reopenedFor.clear();
    do {
      do {
        this.#again = false;
        const nudged = new Promise<void>((resolve) => {
          this.#nudge = resolve;
        });
        waits?.begin();
        await this.#plan();
        await Promise.race([this.#lanes.idle(), nudged]);
      } while (this.#again || this.#lanes.isBusy);
      waits?.end(await store.count('outbox'));
    } while (this.#again); // a flush may have come during that count
    this.#running = undefined; // from here on a flush begins a run of its own
    rested();
  }

  #lookAgain(): void {
    this.#again = true;
    this.#nudge();
  }

  /** Gives everything its turn that has none. */
  async #plan(): Promise<void> {
    const { store, changed } = this.#options;
    this.#isCut = false;
    this.#stopped.clear();
    // Here, where whatever waits is looked at again, and not before: a flush that comes to no look takes no retry away.
    clearTimeout(this.#timer);
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const known = this.#order.items();
    const survey = await Survey.of(store, {
      hasTurn: (seq) => this.#lanes.has(seq),
      changed,
      now: this.#now(),
    });
    const names = await this.#order.namesOf(survey.damaged);
    // At once from here on: nothing is to overtake what is being planned.
    for (const seq of known) if (!survey.keys.has(seq) && !this.#lanes.has(seq)) this.#order.delete(seq);
    for (const [seq, its] of names) this.#order.setDamaged(seq, its);
    for (const { seq, lane, subjects } of survey.ready) {
      this.#order.set(seq, subjects);
      this.#lanes.add(seq, lane, subjects, () => this.#turn(seq, lane));
    }
    await survey.tellDamaged();
  }

  /** An item's turn. Never rejects: what the database refuses waits as it is. */
  async #turn(seq: number, lane: string): Promise<void> {
    try {
      await this.#take(seq, lane);
    } catch (failure) {
      console.error('opentoolbar: what waits could not be looked at:', failure);
    }
  }

  async #take(seq: number, lane: string): Promise<void> {
    const found: unknown = await this.#options.store.read('outbox', seq);
    let item = readItem(found);
    if (!item) {
      // Taken back meanwhile; or damaged since, which the next look finds.
      if (found === undefined && (await this.#options.store.count('outbox', seq)) === 0)
        this.#order.delete(seq);
      return;
    }
    if (this.#isCut || this.#stopped.has(lane)) return;
    const now = this.#now();
    const subjects = subjectsOf(item);
    const before = await this.#order.before(item);
    // What has its turn only after this one: a part of an import that was split meanwhile.
    if ([...before.values()].some((earlier) => this.#lanes.has(earlier))) this.#lookAgain();
    // What comes after it must not overtake it either.
    if (before.size > 0 && subjects.every((subject) => before.has(subject))) return;
    if (!isDue(item.retryAt, now)) return this.#wake(item.retryAt ?? now);
    const until = this.#lanes.pausedUntil(lane, now);
    if (until !== undefined) return this.#wake(until);
    // The rest of an import goes without those of its comments that must wait.
    if (before.size > 0) {
      item = await this.#splitOff(item, new Set(before.keys()));
      if (!item) return this.#wake(now + pauseAfter(1));
    }
    const asked = this.#asked;
    const sent = await this.#deliver(item);
    // What it waits for may have come while it was under way.
    if (sent !== 'gone' && asked !== this.#asked) this.#lookAgain();
    await this.#sent(item, lane, sent);
  }

  async #sent(item: OutboxItem, lane: string, sent: Sent): Promise<void> {
    if (sent === 'no link') {
      this.#isCut = true; // everything stays
      return;
    }
    if (sent === 'late' || sent === 'unanswered') {
      this.#stopped.add(lane);
      this.#wake(sent === 'late' ? this.#lanes.pause(lane, this.#now()) : this.#now() + pauseAfter(1));
    } else this.#lanes.goOn(lane);
    if (sent === 'gone') return this.#order.delete(item.seq);
    if (sent === 'no session' && !this.#reopenedFor.has(item.seq)) {
      // A restarted hub knows no sessions. They are opened at the next need, which is now; once, lest it go on so.
      this.#reopenedFor.add(item.seq);
      this.#options.forgetSessions();
      this.#lookAgain();
    }
    if (sent !== 'failed' && sent !== 'late') return;
    this.#wake(this.#now() + pauseAfter(item.attempts + 1));
    // One comment may be what breaks an import. Not more than one at once: a hub that is ill is not asked for ever more.
    if (!this.#hasHalved && item.attempts + 1 >= TOLD_AFTER && isSplittable(item)) {
      this.#hasHalved = true;
      await this.#halve(item);
    }
  }

  /** What is left of an import; nothing when it was taken back meanwhile, or could not be split and waits as a whole. */
  async #splitOff(item: OutboxItem, ids: Set<string>): Promise<OutboxItem | undefined> {
    try {
      const split = await writing(this.#options.store, (tx) => splitOff(tx, item, ids));
      this.#behind(split?.parts ?? []);
      return split?.left;
    } catch (failure) {
      console.warn('opentoolbar: an import could not be split and waits as a whole:', failure);
      return undefined;
    }
  }

  async #halve(item: OutboxItem): Promise<void> {
    try {
      this.#behind(await writing(this.#options.store, (tx) => halve(tx, item)));
    } catch (failure) {
      console.warn('opentoolbar: an import could not be split and is tried again as a whole:', failure);
    }
  }

  /** Parts of an import have their place before they have their turn. */
  #behind(parts: OutboxItem[]): void {
    for (const part of parts) this.#order.set(part.seq, subjectsOf(part));
    if (parts.length > 0) this.#lookAgain();
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

  /** Once in a row is the fate of whatever was under way when a connection broke; more often may be the item's own doing. */
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
    this.#lookAgain();
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
      this.#lookAgain();
      return this.#update(item, { withoutPicture: true }, 'waits');
    }
    if (error.code === 'too_large' && isSplittable(item)) {
      this.#behind(await writing(store, (tx) => halve(tx, item)));
      return 'waits';
    }
    if (item.session) {
      await deliveries.refuse(item, error);
      this.#lookAgain(); // it may have queued the words anew
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

  /** Flushes again when the first pause is over; should the background have ended by then, its alarm does. */
  #wake(at: number): void {
    if (at >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    const woken = () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      void this.flush();
    };
    this.#timer = setTimeout(woken, Math.max(0, at - this.#now()));
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

async function base(tx: Writing, id: string): Promise<Comment | undefined> {
  return (await readIn(tx.objectStore('comments').get(id)))?.base;
}
