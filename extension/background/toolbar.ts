/** The toolbar button, the shortcuts and the panel's opening: what needs a person's click to be allowed. */
import { type Browser, browser } from 'wxt/browser';
import { buttonTitle } from '../shortcuts';
import { said, say } from './badge';
import { ask, register, siteOf } from './permissions';
import type { Picking } from './picking';

/** Firefox's sidebar, which the shared types do not know. */
interface Sidebar {
  open(): Promise<void>;
}

/**
 * Opens the panel: Chrome's side panel, Firefox's sidebar, or a tab where neither may be opened. Must be called
 * straight from a click, a shortcut or a message that came of one, before anything is awaited. `isSeen`: whether the
 * person has one before their eyes: a tab as well would be one too many.
 */
export function openPanel(
  tabId: number | undefined,
  isSeen: () => Promise<boolean> = async () => false,
): Promise<unknown> {
  const inTab = async () => {
    if (await isSeen()) return;
    const query = tabId === undefined ? '' : `?tabId=${tabId}`;
    await browser.tabs.create({ url: browser.runtime.getURL(`/panel.html${query}`) });
  };
  try {
    const { sidebarAction } = browser as unknown as { sidebarAction?: Sidebar };
    if (sidebarAction) return sidebarAction.open().catch(inTab);
    if (tabId !== undefined) return browser.sidePanel.open({ tabId }).catch(inTab);
  } catch {
    // Not allowed from here.
  }
  return inTab();
}

/**
 * Shows a panel in a tab of ours: the one that is there, or a new one. For where no click in the browser's window is
 * behind it.
 */
export async function openPanelTab(): Promise<void> {
  const address = browser.runtime.getURL('/panel.html');
  const [known] = await browser.tabs.query({ url: `${address}*` });
  if (known?.id === undefined) {
    await browser.tabs.create({ url: address });
    return;
  }
  await browser.tabs.update(known.id, { active: true });
  await browser.windows.update(known.windowId, { focused: true });
}

/** What a press of the button needs of the background. */
export interface Pressed {
  picking: Picking;
  views: { answersAnew(tabId: number): void };
}

/** Toggles picking in a tab, asking for the site first where that is needed. Call straight from the click. */
export function toggle(tab: Browser.tabs.Tab, app: () => Promise<Pressed>): Promise<void> {
  const { id, url } = tab;
  if (id === undefined) return Promise.resolve();
  if (url === undefined || siteOf(url) === null) {
    return warn(id, 'opentoolbar cannot run on this page: it works on http and https pages.');
  }
  // Before anything is awaited: browsers let a person be asked only straight from the click. What is allowed
  // already is granted without a question.
  return start(id, ask(url), app).catch((failure: unknown) =>
    warn(id, failure instanceof Error ? failure.message : String(failure)),
  );
}

async function start(tabId: number, allowed: Promise<boolean>, app: () => Promise<Pressed>): Promise<void> {
  if (!(await allowed)) {
    await warn(tabId, 'opentoolbar may not run on this site. Click again to allow it.');
    return;
  }
  await register();
  const { picking, views } = await app();
  await picking.set(tabId, !(await picking.of(tabId)));
  await clear(tabId);
  // A warning may have stood in their place.
  views.answersAnew(tabId);
}

/** Without a title the tab's button would not even say its keys. */
async function clear(tabId: number): Promise<void> {
  await say(tabId, { text: '', title: await buttonTitle() });
}

/** What is shown at the moment, and whatever is to be shown after it: the last number stands. */
let showing: Promise<void> = Promise.resolve();

/** Says at the button how many answers of agents wait to be seen; none takes the number away. Never rejects. */
export function showAnswers(tabId: number, count: number): Promise<void> {
  showing = showing
    .then(() => showNow(tabId, count))
    .catch(() => {
      // The tab is closed.
    });
  return showing;
}

async function showNow(tabId: number, count: number): Promise<void> {
  if (count > 0) {
    const answers = count === 1 ? '1 new answer' : `${count} new answers`;
    await say(tabId, { text: String(count), title: `opentoolbar: ${answers} of your agent` });
  } else if ((await said(tabId)) !== '') {
    // Where nothing stands, the title of all tabs does, which follows the keys.
    await clear(tabId);
  }
}

/** Says at the button why nothing happened. */
export async function warn(tabId: number, sentence: string): Promise<void> {
  await say(tabId, { text: '!', title: sentence });
}
