/**
 * The round trips that the connection's lights stand for: to the script in the page, and to the host and through it to
 * the agents. An open port or socket says nothing: whoever hangs keeps its own.
 */
import type { Connection } from '../state/connection';

/** What the script in a page did when it was last asked. */
export type PagePresence = Connection['page'];

export interface RoundTripsOptions {
  hub: () => Connection['hub'];
  /** Asks the host; resolves when it answered, or when the link gave it up. */
  ping: () => Promise<unknown>;
  /** Asks the script in a tab's page; resolves when it answered, rejects when there is none. */
  askPage: (tabId: number) => Promise<unknown>;
  /** Whether the tab's page has been loaded, and a script may be expected in it. */
  isPageReady: (tabId: number) => Promise<boolean>;
  changedTab: (tabId: number) => void;
  changedAll: () => void;
}

/** What has not answered by then is said to be silent; the link itself goes on waiting. */
const LATE_AFTER = 3_000;
/** A page between two documents has no script for a moment. */
const MISSED_BEFORE_ABSENT = 2;

export class RoundTrips {
  #options: RoundTripsOptions;
  #isLate = false;
  #underWay: Promise<void> | undefined;
  #pages = new Map<number, { presence: PagePresence; missed: number }>();
  /** Tabs whose page takes out what our script shows. */
  #expelled = new Set<number>();
  #asking = new Set<number>();

  constructor(options: RoundTripsOptions) {
    this.#options = options;
  }

  /** The host was asked and has not answered yet. */
  get isLate(): boolean {
    return this.#isLate;
  }

  page(tabId: number): PagePresence {
    const presence = this.#pages.get(tabId)?.presence ?? 'unknown';
    return presence === 'answers' && this.#expelled.has(tabId) ? 'expelled' : presence;
  }

  /** The tab's page is another. */
  forget(tabId: number): void {
    this.#pages.delete(tabId);
    this.#expelled.delete(tabId);
  }

  /** Whether the script in the tab's page gave up showing anything, or tries again. */
  setExpelled(tabId: number, isExpelled: boolean): void {
    if (this.#expelled.has(tabId) === isExpelled) return;
    if (isExpelled) this.#expelled.add(tabId);
    else this.#expelled.delete(tabId);
    this.#options.changedTab(tabId);
  }

  /** One round trip for a tab; resolves when all have answered or are late. */
  async make(tabId: number, isByPerson: boolean): Promise<void> {
    await Promise.all([this.#askHost(isByPerson), this.#askPage(tabId)]);
  }

  async #askHost(isByPerson: boolean): Promise<void> {
    // Asking again would start a program each time, which would say the same.
    if (this.#options.hub() === 'incompatible' && !isByPerson) return;
    this.#underWay ??= this.#ping().finally(() => {
      this.#underWay = undefined;
    });
    await inTime(this.#underWay);
  }

  async #ping(): Promise<void> {
    const late = setTimeout(() => this.#setLate(true), LATE_AFTER);
    try {
      await this.#options.ping();
    } finally {
      clearTimeout(late);
      this.#setLate(false);
    }
  }

  #setLate(isLate: boolean): void {
    if (isLate === this.#isLate) return;
    this.#isLate = isLate;
    this.#options.changedAll();
  }

  async #askPage(tabId: number): Promise<void> {
    if (this.#asking.has(tabId)) return;
    if (!(await this.#options.isPageReady(tabId))) {
      this.#hear(tabId, 'unknown');
      return;
    }
    this.#asking.add(tabId);
    const asked = this.#options
      .askPage(tabId)
      .then(
        () => this.#hear(tabId, 'answers'),
        () => this.#hear(tabId, 'absent'),
      )
      .finally(() => this.#asking.delete(tabId));
    if (!(await inTime(asked))) this.#hear(tabId, 'silent');
  }

  #hear(tabId: number, heard: PagePresence): void {
    const before = this.#pages.get(tabId) ?? { presence: 'unknown', missed: 0 };
    const missed = heard === 'absent' ? before.missed + 1 : 0;
    const presence = heard === 'absent' && missed < MISSED_BEFORE_ABSENT ? before.presence : heard;
    this.#pages.set(tabId, { presence, missed });
    if (presence !== before.presence) this.#options.changedTab(tabId);
  }
}

/** Whether it was done before it counts as late. */
async function inTime(work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), LATE_AFTER);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
