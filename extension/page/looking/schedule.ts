/**
 * When to check the elements of comments and when to capture the page: a state machine without a clock of its own.
 *
 * A check is cheap and follows a change of the page after a short wait; the wait is never begun anew, so a page that
 * changes all the time is checked all the time, and a change at the end of a burst is checked like any other. A capture
 * is dear: at most one begins a second, and none while the page is hidden. All moments are milliseconds on one
 * monotonic clock.
 */

/** From a change to the check that follows it. */
export const CHECK_AFTER_MS = 150;
/** From the end of one capture to the beginning of the next. */
export const BETWEEN_CAPTURES_MS = 1_000;
/** The background may be starting: try again, slower each time. */
export const MAX_RETRY_MS = 30_000;

export class Schedule {
  /** When the next check is due; null: nothing has happened since the last one. */
  private checkAt: number | null = null;
  private changed = false;
  private busy = false;
  private visible: boolean;
  private lastCapture = Number.NEGATIVE_INFINITY;
  private retry = BETWEEN_CAPTURES_MS;

  constructor(visible: boolean) {
    this.visible = visible;
  }

  /** Something happened that a check should follow. `pageChanged`: elements that were not found may have come. */
  notice(now: number, pageChanged: boolean): void {
    this.changed ||= pageChanged;
    this.dueBy(now + CHECK_AFTER_MS);
  }

  /** A check is wanted at this moment although nothing happens until then. */
  dueBy(at: number): void {
    this.checkAt = Math.min(this.checkAt ?? Number.POSITIVE_INFINITY, at);
  }

  /** The tab is hidden, and all rests; or shown again, and the page may have changed meanwhile. */
  show(now: number, visible: boolean): void {
    if (visible && !this.visible) {
      this.changed = true;
      this.dueBy(now);
    }
    this.visible = visible;
  }

  /** When to call `begin`; null: not before something happens. */
  next(): number | null {
    return this.busy || !this.visible ? null : this.checkAt;
  }

  /** A check begins. Returns whether the page has changed since the last one. */
  begin(): boolean {
    this.busy = true;
    this.checkAt = null;
    const { changed } = this;
    this.changed = false;
    return changed;
  }

  /**
   * The check is done. `wantedAt`: the earliest moment at which a comment wants a capture; null: none does. Returns
   * whether the capture is to be made now, and `looked` or `failed` called after it.
   */
  checked(now: number, wantedAt: number | null, changed: boolean): boolean {
    if (wantedAt === null) {
      this.busy = false;
      return false;
    }
    const at = Math.max(wantedAt, this.lastCapture + BETWEEN_CAPTURES_MS);
    if (at > now) {
      this.busy = false;
      // What the page's change made due is still due then.
      this.changed ||= changed;
      this.dueBy(at);
      return false;
    }
    return true;
  }

  /** The capture is done and answered. `mutated`: the page changed while it was made. */
  looked(now: number, mutated: boolean): void {
    this.busy = false;
    this.lastCapture = now;
    this.retry = BETWEEN_CAPTURES_MS;
    if (mutated) this.notice(now, true);
  }

  /** The capture came to nothing. */
  failed(now: number): void {
    this.busy = false;
    this.lastCapture = now;
    this.retry = Math.min(this.retry * 2, MAX_RETRY_MS);
    this.changed = true;
    this.checkAt = now + this.retry;
  }
}
