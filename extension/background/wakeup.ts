/**
 * An alarm that stands while anything waits to be sent: browsers end the background when they like, and what waits goes
 * without anybody opening anything. Its pauses grow while nothing can be sent, for the extension is of use without a
 * hub as well.
 */
import { browser } from 'wxt/browser';

/** The alarm that has what waits delivered. */
export const DELIVER = 'deliver';

/** The shortest that Chrome keeps, minutes. */
const FIRST = 0.5;
const LONGEST = 32;

export class Wakeup {
  /** Counts what was about to be queued: what is queued while an end is looked at must not lose its alarm. */
  #queued = 0;
  #seen = 0;

  /**
   * Before something is put into the outbox: the alarm comes first, or an end in between would leave it there for good.
   */
  async queueing(): Promise<void> {
    this.#queued += 1;
    await set(FIRST);
  }

  /** A round of sending begins. */
  begin(): void {
    this.#seen = this.#queued;
  }

  /** It has ended, and so much is left. */
  end(waiting: number): void {
    if (waiting === 0 && this.#seen === this.#queued) void browser.alarms.clear(DELIVER);
    else if (waiting > 0) void this.#stand();
  }

  /** The alarm went off, as it was: the next comes later, unless everything is sent by then. */
  async rang({ periodInMinutes = FIRST }: { periodInMinutes?: number }): Promise<void> {
    await set(Math.min(periodInMinutes * 2, LONGEST));
  }

  /** What was queued by an earlier version, or lost its alarm with the browser's end, gets one. */
  async #stand(): Promise<void> {
    if (!(await browser.alarms.get(DELIVER))) await set(FIRST);
  }
}

async function set(minutes: number): Promise<void> {
  await browser.alarms.create(DELIVER, { delayInMinutes: minutes, periodInMinutes: minutes });
}
