/**
 * Which addresses a page has loaded, and how often the same was loaded again. A page may load new ones without end (data by scripts
 * whose address has a counter), so only so many are remembered. What is lost: an address that was forgotten is taken for a new one when
 * it is loaded again, so that a change of it goes unnoticed until the page is loaded anew. Pure.
 */

/** An address that changes more often than anybody edits is data: so many times within so many milliseconds. */
const MOST_CHANGES = 10;
const CHANGES_WITHIN_MS = 20_000;

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

  /** A known one came again at that moment. True when it comes so often that it is data: a page that polls by scripts. */
  isOften(address: string, at: number): boolean {
    const recent = (this.again.get(address) ?? []).filter((each) => at - each < CHANGES_WITHIN_MS);
    for (const before of [this.unread, this.read, this.again]) before.delete(address);
    // The last ones alone tell it.
    this.again.set(address, [...recent, at].slice(-MOST_CHANGES));
    this.forgetExcess();
    return recent.length >= MOST_CHANGES;
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
