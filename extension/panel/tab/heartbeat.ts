/**
 * Keeps the connection's lights true while somebody looks: asks the background for a round trip again and again, which
 * goes to the page's script, the host, the agents, and back.
 */
import { effect, type ReadonlySignal } from '@preact/signals';
import type { Platform } from '../platform/platform';
import type { WatchedTab } from './tab';

const EVERY = 3_000;
/** The background answers within this time, whatever became of the round trip; else it is the background that hangs. */
const PATIENCE = 8_000;

export class Heartbeat {
  readonly #end: () => void;
  #isAsking = false;

  constructor(
    private readonly platform: Platform,
    private readonly tab: WatchedTab,
    visible: ReadonlySignal<boolean>,
  ) {
    this.#end = effect(() => {
      if (!visible.value || this.tab.tabId.value === null) return;
      void this.#beat();
      const timer = setInterval(() => void this.#beat(), EVERY);
      return () => clearInterval(timer);
    });
  }

  end(): void {
    this.#end();
  }

  async #beat(): Promise<void> {
    const tabId = this.tab.tabId.peek();
    if (this.#isAsking || tabId === null) return;
    this.#isAsking = true;
    const late = setTimeout(() => this.tab.retry(), PATIENCE);
    try {
      await this.platform.ask('check_connection', { tabId, isByPerson: false });
    } catch {
      // The port to the background tells that it is gone.
    } finally {
      clearTimeout(late);
      this.#isAsking = false;
    }
  }
}
