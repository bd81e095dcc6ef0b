/** What a person reaches by Tab alone, and sees that they have reached. */
import type { Page } from 'puppeteer-core';
import { until } from './until.ts';

/** More than any state has. */
const MOST_TABS = 90;

/** Notes what gets the focus, and whether that is seen. Runs in the browser: it knows its argument alone. */
function note(): void {
  const scope = globalThis as unknown as { reached?: Set<Element>; unseen?: string[] };
  const reached = new Set<Element>();
  const unseen: string[] = [];
  Object.assign(scope, { reached, unseen });
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element) || reached.has(target)) return;
    reached.add(target);
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
    const isSeen = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    if (!isSeen) unseen.push(`no focus is seen at ${target.outerHTML.slice(0, 160)}`);
  });
  (document.activeElement as HTMLElement | null)?.blur();
}

/** How many were reached so far. */
const count = () => (globalThis as unknown as { reached: Set<Element> }).reached.size;

/** What can be pressed or written into and was not reached, and what was without a sign. Runs in the browser. */
function left(): string[] {
  const { reached, unseen } = globalThis as unknown as { reached: Set<Element>; unseen: string[] };
  const actions = 'button, a[href], input, textarea, select, summary, [role="button"], [tabindex="0"]';
  const open = document.querySelector('dialog:modal') ?? document;
  const missed = [...open.querySelectorAll<HTMLElement>(actions)].filter((each) => {
    if (reached.has(each) || each.matches(':disabled') || !each.checkVisibility({ visibilityProperty: true }))
      return false;
    // One of a group that arrow keys walk.
    const group = each.closest('[role="tablist"], [role="radiogroup"], [role="toolbar"], [role="listbox"]');
    if (group && [...reached].some((one) => group.contains(one))) return false;
    return each.getBoundingClientRect().width > 1;
  });
  return [...missed.map((each) => `not reached by Tab: ${each.outerHTML.slice(0, 160)}`), ...unseen];
}

/** What a page of ours shows that can be used and Tab does not reach, or shows no focus when it does. */
export async function unreached(page: Page): Promise<string[]> {
  await page.evaluate(note);
  let before = -1;
  // Round once, and what is in between: nothing new of several steps is the end.
  for (let idle = 0, at = 0; idle < 4 && at < MOST_TABS; at++) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(count);
    idle = now === before ? idle + 1 : 0;
    before = now;
  }
  return page.evaluate(left);
}

/** Presses Tab on a page until something of ours there has the focus. */
export async function tabTo(page: Page, what: string, has: () => Promise<boolean>): Promise<void> {
  await until(`Tab reaches ${what}`, async () => {
    if (await has()) return true;
    await page.keyboard.press('Tab');
    return has();
  });
}
