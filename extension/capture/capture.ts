/**
 * A picture of the page as data: `capturePage` in slices that leave the page responsive, `capturePageNow` at once.
 * Everything is redacted here, before it leaves the content script. Knows no browser messaging.
 */
import { documentsOf } from './tree';
import { type CapturedPage, Walker } from './walker';

export type { CapturedPage } from './walker';

/** Longest piece of main-thread time, milliseconds. */
const SLICE_MS = 8;

/** Walks the page in one go. For small pages and for moments when nothing may change in between. */
export function capturePageNow(top: Document = document): CapturedPage {
  const walker = new Walker(top);
  walker.step(() => false);
  return walker.finish(false);
}

/** Walks the page in slices of at most about 8 ms, with the page's own work between them. */
export async function capturePage(signal?: AbortSignal, top: Document = document): Promise<CapturedPage> {
  const walker = new Walker(top);
  let mutated = false;
  const observer = new MutationObserver(() => {
    mutated = true;
  });
  for (const each of documentsOf(top)) {
    observer.observe(each, { subtree: true, childList: true, characterData: true });
  }
  try {
    for (;;) {
      const end = performance.now() + SLICE_MS;
      if (walker.step(() => performance.now() >= end)) break;
      await breathe();
      signal?.throwIfAborted();
    }
    if (observer.takeRecords().length > 0) mutated = true;
  } finally {
    observer.disconnect();
  }
  return walker.finish(mutated);
}

/** Lets the page work: `scheduler.yield` where there is one, else a message, which no timer throttling slows. */
function breathe(): Promise<void> {
  const scheduler = (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler;
  if (typeof scheduler?.yield === 'function') return scheduler.yield();
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}
