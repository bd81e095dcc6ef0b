/** What a person reaches by Tab alone, and sees that they have reached. */
import type { Page } from 'puppeteer-core';
import { until } from './until.ts';

/** More than any state has. */
const MOST_TABS = 120;

/** Goes to the beginning, and notes what gets the focus, and whether that is seen. Runs in the browser. */
function begin(): void {
  const reached = new Set<Element>();
  const unseen: string[] = [];
  const post = (tabIndex: number) => Object.assign(document.createElement('span'), { tabIndex });
  // Beyond the end are the browser's own buttons, from which no script comes back.
  const [start, end] = [post(-1), post(0)];
  document.body.prepend(start);
  document.body.append(end);
  start.focus();
  const listen = new AbortController();
  const heard = ({ target }: Event) => {
    if (!(target instanceof Element) || target === end || reached.has(target)) return;
    reached.add(target);
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
    const isSeen = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    if (!isSeen) unseen.push(`no focus is seen at ${target.outerHTML.slice(0, 160)}`);
  };
  document.addEventListener('focusin', heard, { signal: listen.signal });
  Object.assign(globalThis, { walk: { reached, unseen, start, end, listen } });
}

/** `begin`'s, in the browser. */
type Scope = {
  walk: { reached: Set<Element>; unseen: string[]; start: Element; end: Element; listen: AbortController };
};

const isAtEnd = () => document.activeElement === (globalThis as unknown as Scope).walk.end;

/** What can be pressed or written into and was not reached, and what was without a sign. Runs in the browser. */
function left(): string[] {
  const { reached, unseen, start, end, listen } = (globalThis as unknown as Scope).walk;
  listen.abort();
  start.remove();
  end.remove();
  const actions = 'button, a[href], input, textarea, select, summary, [role="button"], [tabindex="0"]';
  const missed = [...document.querySelectorAll<HTMLElement>(actions)].filter((each) => {
    if (reached.has(each) || each.matches(':disabled') || !each.checkVisibility({ visibilityProperty: true }))
      return false;
    // One of a group that arrow keys walk; of a list of comments the comments themselves.
    const groups = each.matches('article')
      ? '[role="feed"]'
      : '[role="tablist"], [role="radiogroup"], [role="toolbar"], [role="listbox"]';
    const group = each.closest(groups);
    if (group && [...reached].some((one) => group.contains(one))) return false;
    return each.getBoundingClientRect().width > 1;
  });
  return [...missed.map((each) => `not reached by Tab: ${each.outerHTML.slice(0, 160)}`), ...unseen];
}

/** What a page of ours shows that can be used and Tab does not reach, or shows no focus when it does. */
export async function unreached(page: Page): Promise<string[]> {
  await page.evaluate(begin);
  for (let tabs = 0; tabs < MOST_TABS && !(await page.evaluate(isAtEnd)); tabs++)
    await page.keyboard.press('Tab');
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
