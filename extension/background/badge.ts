/**
 * What the toolbar button says: of each tab, and how many approvals wait in all. While some wait their number stands in
 * every tab; what a tab said is kept meanwhile, and shown again after.
 */
import { browser } from 'wxt/browser';
import { buttonTitle } from '../shortcuts';

/** What the button says of one tab. */
interface Said {
  text: string;
  title: string;
}

interface Kept {
  /** How many wait. */
  count: number;
  /** What tabs would say without those. */
  tabs: Record<string, Said>;
}

/** In `storage.session`, because the background may restart meanwhile, and the button does not. */
const KEY = 'badge';

/** What is shown at the moment, and whatever is to be shown after it: the last one stands. */
let running: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: (kept: Kept) => Promise<T>): Promise<T> {
  const turn = running.then(async () => {
    const { [KEY]: stored } = await browser.storage.session.get(KEY);
    return work((stored as Kept | undefined) ?? { count: 0, tabs: {} });
  });
  running = turn.catch(() => {});
  return turn;
}

const keep = (kept: Kept) => browser.storage.session.set({ [KEY]: kept });

/** Says something at a tab's button, or, without text, nothing. Rejects when the tab is closed. */
export function say(tabId: number, said: Said): Promise<void> {
  return inTurn(async (kept) => {
    if (kept.count > 0) {
      kept.tabs[tabId] = said;
      await keep(kept);
    }
    await paint(tabId, kept.count, said);
  });
}

/** What stands at a tab's button, or would without what waits. */
export function said(tabId: number): Promise<string> {
  return inTurn(async ({ count, tabs }) =>
    count > 0 ? (tabs[tabId]?.text ?? '') : browser.action.getBadgeText({ tabId }),
  );
}

/** Says at the button by which keys it is pressed, as the browser has them now. */
export function tellKeys(): Promise<void> {
  return inTurn(async ({ count }) =>
    browser.action.setTitle({ title: titleWith(count, await buttonTitle()) }),
  );
}

/** Says how many approvals wait. Never rejects. */
export function showWaiting(count: number): Promise<void> {
  return inTurn((kept) => change(kept, count)).catch((failure: unknown) =>
    console.warn('opentoolbar:', failure),
  );
}

async function change(kept: Kept, count: number): Promise<void> {
  if (count === kept.count) return;
  const tabs = kept.count === 0 ? await saidNow() : kept.tabs;
  await browser.action.setBadgeText({ text: textWith(count, '') });
  await browser.action.setTitle({ title: titleWith(count, await buttonTitle()) });
  const still: Kept['tabs'] = {};
  for (const [id, own] of Object.entries(tabs)) {
    const tabId = Number(id);
    try {
      // A tab that went to another page has lost what it said: it says what all do.
      const isAsAll = (await browser.action.getBadgeText({ tabId })) === textWith(count, '');
      if (isAsAll && kept.count > 0) continue;
      await paint(tabId, count, own);
      still[id] = own;
    } catch {
      // It is closed.
    }
  }
  await keep({ count, tabs: count > 0 ? still : {} });
}

/** Tabs that say something of their own. */
async function saidNow(): Promise<Kept['tabs']> {
  const tabs: Kept['tabs'] = {};
  const [all, ofAll] = [await browser.tabs.query({}), await browser.action.getTitle({})];
  for (const { id: tabId } of all) {
    if (tabId === undefined) continue;
    try {
      const text = await browser.action.getBadgeText({ tabId });
      const title = await browser.action.getTitle({ tabId });
      if (text !== '' || title !== ofAll) tabs[tabId] = { text, title };
    } catch {
      // It is closed.
    }
  }
  return tabs;
}

async function paint(tabId: number, count: number, { text, title }: Said): Promise<void> {
  await browser.action.setBadgeText({ tabId, text: textWith(count, text) });
  await browser.action.setTitle({ tabId, title: titleWith(count, title) });
}

const textWith = (count: number, own: string) => (count === 0 ? own : count > 999 ? '999+' : String(count));

function titleWith(count: number, own: string): string {
  if (count === 0) return own;
  return `${count === 1 ? '1 approval waits' : `${count} approvals wait`} for you. ${own}`;
}
