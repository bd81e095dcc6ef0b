/**
 * Clicks and typing as a person does them: at what can be seen, rests, and lies on top; into what has the focus. A
 * point that was read once may be another's by the time of the click.
 */
import type { ElementHandle, Page } from 'puppeteer-core';
import { ownRoot } from './closed.ts';
import { until } from './until.ts';

export interface Point {
  x: number;
  y: number;
}

type Find = () => Promise<ElementHandle | null | undefined>;

/** The middle of an element in the window, once it stands still and nothing lies over it; null for now. */
export async function resting(element: ElementHandle): Promise<Point | null> {
  const rests = await element.evaluate(
    async (each, own) => {
      if (!(each instanceof Element)) return false;
      const middle = () => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2, width, height };
      };
      const isOnTop = () => {
        const { x, y, width, height } = middle();
        const around = each.getRootNode() as Document | ShadowRoot;
        const hit = around.elementsFromPoint(x, y).find((one) => !one.matches('[data-opentoolbar-root]'));
        // Our own root lies over all of the page: of its parts only the shield lets what is below be meant.
        const ours = around === own ? null : own?.elementFromPoint(x, y);
        const isCovered = ours && ours.getRootNode() === own && !ours.matches('.shield');
        return width > 0 && height > 0 && hit !== undefined && each.contains(hit) && !isCovered;
      };
      const isStill = async () => {
        const before = JSON.stringify(middle());
        for (let frame = 0; frame < 3; frame++) {
          // A page in the back draws no frames.
          await Promise.race([
            new Promise((resolve) => requestAnimationFrame(resolve)),
            new Promise((resolve) => setTimeout(resolve, 250)),
          ]);
          if (JSON.stringify(middle()) !== before) return false;
        }
        return true;
      };
      if (each.matches(':disabled, [aria-disabled="true"]')) return false;
      if (!isOnTop()) each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      return (await isStill()) && isOnTop();
    },
    await ownRootOver(element),
  );
  const box = rests ? await element.boundingBox() : null;
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Our root where it lies over an element: a frame in the page has none. */
async function ownRootOver({ frame }: ElementHandle) {
  return frame.parentFrame() ? null : ownRoot(frame.page());
}

/**
 * Clicks something, and sees that the click came to it. What moved away as the finger went down is clicked once more.
 */
export async function press(page: Page, what: string, find: Find): Promise<void> {
  const first = await tryPress(page, what, find);
  if (!first) return;
  console.error(`    ${what} moved away from ${first.x}, ${first.y} as it was clicked`);
  const second = await tryPress(page, what, find);
  if (second) throw new Error(`${what} moves away whenever it is clicked`);
}

/** Null when the click came to it, else where it was clicked in vain. */
async function tryPress(page: Page, what: string, find: Find): Promise<Point | null> {
  const [element, { x, y }] = await until(`${what} can be clicked`, async () => {
    const found = await find();
    const at = found && (await resting(found));
    return at && ([found, at] as const);
  });
  const heard = await element.evaluateHandle((each) => {
    const clicks: unknown[] = [];
    each.addEventListener('click', () => clicks.push(null), { once: true });
    return clicks;
  });
  await page.mouse.click(x, y);
  // Where the click led away from the page, nobody is there to ask.
  const came = () => heard.evaluate((clicks) => clicks.length > 0).catch(() => true);
  if (await came()) return null;
  const now = await element.boundingBox();
  const isThere = now && Math.abs(now.x + now.width / 2 - x) < 1 && Math.abs(now.y + now.height / 2 - y) < 1;
  const heardOf = until(`the click at ${x}, ${y} comes to ${what}`, came, isThere ? undefined : 1_000);
  if (isThere) await heardOf;
  return heardOf.then(
    () => null,
    () => ({ x, y }),
  );
}

/** Waits until keys go to something: it, or something in it, has the focus. */
export async function focused(what: string, find: Find, within?: number): Promise<ElementHandle> {
  return until(
    `${what} has the focus`,
    async () => {
      const element = await find();
      const hasFocus = await element?.evaluate((each) => {
        const { activeElement } = each.getRootNode() as Document | ShadowRoot;
        return activeElement !== null && each.contains(activeElement);
      });
      return hasFocus ? element : null;
    },
    within,
  );
}
