/**
 * A picture of the page as data: `capturePage` in slices that leave the page responsive, `capturePageNow` at once.
 * Everything is redacted here, before it leaves the content script. Knows no browser messaging.
 */
import type { Capture } from '../generated/Capture';
import { Slices } from './slices';
import { documentsOf } from './tree';
import { type Stretch, type WalkedPage, Walker } from './walker';

export type { Stretch, WalkedPage } from './walker';

export interface CapturedPage extends Omit<WalkedPage, 'head'> {
  capture: Capture;
}

/** Walks the page in one go. For small pages and for moments when nothing may change in between. */
export function capturePageNow(top: Document = document): CapturedPage {
  const walker = new Walker(top);
  walker.step(() => false);
  const { head, ...rest } = walker.finish(false);
  return { capture: { ...head, ...walker.take() }, ...rest };
}

/**
 * Walks the page in slices of a few milliseconds, with the page's own work between them. `onStretch` is given what each
 * slice walked and counts as part of it.
 */
export async function capturePage(
  onStretch: (stretch: Stretch) => void,
  signal?: AbortSignal,
  top: Document = document,
): Promise<WalkedPage> {
  const walker = new Walker(top);
  let mutated = false;
  const observer = new MutationObserver(() => {
    mutated = true;
  });
  const slices = new Slices(signal);
  for (const each of documentsOf(top)) {
    observer.observe(each, { subtree: true, childList: true, characterData: true });
  }
  try {
    // From the start in a slice of its own: what came before has used up some of this one.
    for (;;) {
      await slices.rest();
      const done = walker.step(() => slices.over());
      onStretch(walker.take());
      if (done) break;
    }
    if (observer.takeRecords().length > 0) mutated = true;
  } finally {
    observer.disconnect();
  }
  return walker.finish(mutated);
}
