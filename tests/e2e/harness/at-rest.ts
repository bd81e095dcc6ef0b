/** Waits until nothing that is seen is on its way to somewhere else: a colour on its way is none of ours. */
import type { Frame, Page } from 'puppeteer-core';
import { inOwn } from './closed.ts';
import { until } from './until.ts';

/** `within`: an expression of the page for its document or an open root; ours is closed to it, see `ownAtRest`. */
export async function atRest(page: Page | Frame, within = 'document'): Promise<void> {
  await rests(within, async () => (await page.evaluate(`(${String(moving)})(${within})`)) as string[]);
}

export async function ownAtRest(page: Page): Promise<void> {
  await rests('what is ours', () => inOwn(page, moving));
}

/** Asked again and again, not awaited: what hangs in a page is told by nobody. */
async function rests(what: string, look: () => Promise<string[] | null>): Promise<void> {
  await until(`nothing moves in ${what}`, async () => {
    const still = await look();
    if (still?.length) throw new Error(still.join(', '));
    return true;
  });
}

/** What runs in a document or a root. Runs in the browser. */
function moving(root: Document | ShadowRoot): string[] {
  const running = root.getAnimations().filter(({ playState }) => playState === 'running');
  return running.map(({ effect, currentTime }) => {
    const on = effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 160) : 'something';
    return `${on} at ${currentTime} ms, ${document.visibilityState}`;
  });
}
