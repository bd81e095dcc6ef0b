/**
 * Sends what waits: in order for each subject, projects side by side, each item with its own id, and forgets an item
 * only in the transaction that stores the hub's acknowledgement. What is wrong with one item holds up only what names
 * the same comment or conversation, an import only for that comment; a hub that is late holds up that project. Knows
 * nothing of how the link works.
 */
import { isDue, pauseAfter } from './fate';
import { halve, isSplittable, splitOff } from './imports';
import { Lanes } from './lanes';
import { Order } from './order';
import { Sending, type SendingOptions, type Sent, TOLD_AFTER } from './sending';
import type { OutboxItem } from './store';
import { writing } from './store';
import { Survey } from './survey';
import { readItem, subjectsOf, waitingIn } from './waiting';

export interface OutboxOptions extends SendingOptions {
  /** Nothing is under way any more: everything was sent, or waits. */
  rested: () => void;
  /**
   * A round begins or ends; `waiting` items are left at an end. Wakes this background again should the browser end it.
   */
  waits?: { begin(): void; end(waiting: number): void };
}

export class Outbox {
  #options: OutboxOptions;
  #lanes = new Lanes();
  #order: Order;
  #sending: Sending;
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
  /** In this run: an import was halved; for which items a session was opened again. */
  #hasHalved = false;
  #reopenedFor = new Set<number>();

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#order = new Order(options.store);
    this.#sending = new Sending(options, {
      lookAgain: () => this.#lookAgain(),
      behind: (parts) => this.#behind(parts),
    });
  }

  /**
   * Sends everything that can be sent; what was queued while it runs goes at once. Until nothing is under way. Never
   * rejects.
   */
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
    await this.hurry(origin);
    await this.flush();
  }

  /** The next flush tries what waits of `origin`, whatever pause it is in. */
  async hurry(origin: string): Promise<void> {
    const { store } = this.#options;
    this.#lanes.goOnAll();
    await writing(store, async (tx) => {
      for (const item of await waitingIn(tx, 'origin', origin)) {
        const { retryAt, ...due } = item;
        if (retryAt !== undefined) await tx.objectStore('outbox').put(due);
      }
    });
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
    const sent = await this.#sending.deliver(item);
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
      // A restarted hub knows no session. This one is opened at the next need, which is now; once, lest it go on so.
      this.#reopenedFor.add(item.seq);
      this.#lookAgain();
    }
    if (sent !== 'failed' && sent !== 'late') return;
    this.#wake(this.#now() + pauseAfter(item.attempts + 1));
    // One comment may be what breaks an import. Not more than one at once: a hub that is ill is not asked for ever
    // more.
    if (!this.#hasHalved && item.attempts + 1 >= TOLD_AFTER && isSplittable(item)) {
      this.#hasHalved = true;
      await this.#halve(item);
    }
  }

  /**
   * What is left of an import; nothing when it was taken back meanwhile, or could not be split and waits as a whole.
   */
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
