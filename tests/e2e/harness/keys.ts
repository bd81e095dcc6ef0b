/** Keys that a test presses. */
import type { Page } from 'puppeteer-core';

const HANDLED_WITHIN_MS = 5_000;

/**
 * Chromium never says that a key was handled when the frame that has the focus leaves while it handles it, as the field
 * of a box that Escape closes. What a test waits for after the key tells whether it came.
 */
export function boundKeys({ keyboard }: Page): void {
  const { down, up } = keyboard;
  keyboard.down = (key, options) => withinBound(down.call(keyboard, key, options));
  keyboard.up = (key) => withinBound(up.call(keyboard, key));
}

async function withinBound(handled: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      // It is refused much later, when nobody waits for it.
      handled.catch(() => undefined);
      resolve();
    }, HANDLED_WITHIN_MS);
  });
  try {
    await Promise.race([handled, late]);
  } finally {
    clearTimeout(timer);
  }
}
