/**
 * Which addresses a page has loaded, and how often the same was loaded again. A page may load new ones without end
 * (data by scripts whose address has a counter), so only so many are remembered. What is lost: an address that was
 * forgotten is taken for a new one when it is loaded again, so that a change of it goes unnoticed until the page is
 * loaded anew. Pure.
 */

/**
 * An address that comes more often than anybody saves is data: more than so many times within so many milliseconds. A
 * person who saves every other second is known from a page that polls by the beat, which only the page keeps, and by a
 * minute of it.
 */
const MOST = 10;
const NOBODY_SAVES_WITHIN_MS = 10_000;
const AT_A_BEAT_WITHIN_MS = 20_000;
const MOST_LONG = 30;
const LONG_MS = 60_000;
/** Pauses are of one beat when so many of them are as long as the one in the middle, to this part of it. */
const OF_ONE_BEAT = 0.75;
const BEAT_TOLERANCE = 0.1;

export class LoadedAddresses {
  /** Came once and were compared with nothing: forgetting them loses the least. Oldest first, as the two below. */
  private readonly unread = new Set<string>();
  /** Came once. */
  private readonly read = new Set<string>();
  /** Came again, with the last moments of that. */
  private readonly again = new Map<string, number[]>();

  /** Remembers so many: `most`. */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.unread.size + this.read.size + this.again.size;
  }

  has(address: string): boolean {
    return this.unread.has(address) || this.read.has(address) || this.again.has(address);
  }

  /** It came. `isRead`: its content is compared with what was there before. */
  add(address: string, isRead: boolean): void {
    if (this.has(address)) return;
    (isRead ? this.read : this.unread).add(address);
    this.forgetExcess();
  }

  /**
   * A known one came again at that moment. True when it comes so often that it is data: a page that polls by scripts.
   */
  isOften(address: string, at: number): boolean {
    const moments = [...(this.again.get(address) ?? []), at].filter((each) => at - each < LONG_MS);
    for (const before of [this.unread, this.read, this.again]) before.delete(address);
    // The last ones alone tell it.
    this.again.set(address, moments.slice(-MOST_LONG));
    this.forgetExcess();
    const within = (ms: number) => moments.filter((each) => at - each < ms);
    const short = within(AT_A_BEAT_WITHIN_MS);
    return (
      moments.length > MOST_LONG ||
      within(NOBODY_SAVES_WITHIN_MS).length > MOST ||
      (short.length > MOST && isBeat(short))
    );
  }

  private forgetExcess(): void {
    while (this.size > this.most) {
      const from = [this.unread, this.read, this.again].find((each) => each.size > 0);
      const [oldest] = from?.keys() ?? [];
      if (from === undefined || oldest === undefined) return;
      from.delete(oldest);
    }
  }
}

function isBeat(moments: readonly number[]): boolean {
  const pauses = moments.slice(1).map((each, n) => Math.abs(each - (moments[n] ?? each)));
  const middle = [...pauses].sort((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 0;
  const alike = pauses.filter((pause) => Math.abs(pause - middle) <= middle * BEAT_TOLERANCE);
  return alike.length >= pauses.length * OF_ONE_BEAT;
}
