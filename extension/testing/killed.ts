/** Backgrounds that end in a test, as when the browser ends one. */
import type { Store } from '../background/store';

/**
 * Ends what a background does with its database. It has timers of its own, which a killed one would not have: an outbox
 * that means to try again would open the database that stands in its place by then, the next test's, and send what
 * waits there to its own hub.
 */
export function kill(store: Store): void {
  store.close();
  store.run = () => new Promise(() => {});
}
