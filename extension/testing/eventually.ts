/** Waits, in a test, for what comes by itself. */
import { vi } from 'vitest';

/** Asks until `ask` does not throw. The bound tells "never" from "late on a busy machine", and measures nothing. */
export function eventually<T>(ask: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(ask, { timeout: 20_000, interval: 20 });
}

/** All that was begun is done: counted in turns of the event loop, of which a busy machine makes as many. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve));
}
