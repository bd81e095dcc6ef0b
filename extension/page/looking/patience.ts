/**
 * How soon one comment is looked for again: at once, unless look after look brought no news of it. Then each wait is
 * longer than the one before, so that an element that is rewritten all the time costs little. Pure.
 */

/** Looks without news, one soon after the other, that cost no patience. */
const FREE = 2;
const FIRST_MS = 2_000;
const LONGEST_MS = 8_000;
/** After so long without being due it is as if nothing had been. */
const CALM_MS = 10_000;

export class Patience {
  private fruitless = 0;
  private lastLook = Number.NEGATIVE_INFINITY;

  /** The earliest moment at which another look is worth it. */
  get notBefore(): number {
    const over = this.fruitless - FREE;
    if (over <= 0) return Number.NEGATIVE_INFINITY;
    return this.lastLook + Math.min(FIRST_MS * 2 ** (over - 1), LONGEST_MS);
  }

  /** It was looked for because it was due. */
  looked(now: number, news: boolean): void {
    if (now - this.lastLook > LONGEST_MS + CALM_MS) this.fruitless = 0;
    this.fruitless = news ? 0 : this.fruitless + 1;
    this.lastLook = now;
  }

  /** Something happened that makes the next look worth it at once. */
  renew(): void {
    this.fruitless = 0;
  }
}
