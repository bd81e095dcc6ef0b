/** The toolbar button, the shortcuts and the panel's opening: what needs a person's click to be allowed. */
import { type Browser, browser } from 'wxt/browser';
import { ask, register, siteOf } from './permissions';
import type { Picking } from './picking';

/** Firefox's sidebar, which the shared types do not know. */
interface Sidebar {
  open(): Promise<void>;
}

/**
 * Opens the panel: Chrome's side panel, Firefox's sidebar, or a tab where neither may be opened. Must be called
 * straight from a click, a shortcut or a message that came of one, before anything is awaited.
 */
export function openPanel(tabId: number | undefined): Promise<unknown> {
  const inTab = () => {
    const query = tabId === undefined ? '' : `?tabId=${tabId}`;
    return browser.tabs.create({ url: browser.runtime.getURL(`/panel.html${query}`) });
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

/** Toggles picking in a tab, asking for the site first where that is needed. Call straight from the click. */
export function toggle(tab: Browser.tabs.Tab, picking: () => Promise<Picking>): Promise<void> {
  const { id, url } = tab;
  if (id === undefined) return Promise.resolve();
  if (url === undefined || siteOf(url) === null) {
    return warn(id, 'opentoolbar cannot run on this page: it works on http and https pages.');
  }
  // Before anything is awaited: browsers let a person be asked only straight from the click. What is allowed
  // already is granted without a question.
  return start(id, ask(url), picking).catch((failure: unknown) =>
    warn(id, failure instanceof Error ? failure.message : String(failure)),
  );
}

async function start(
  tabId: number,
  allowed: Promise<boolean>,
  picking: () => Promise<Picking>,
): Promise<void> {
  if (!(await allowed)) {
    await warn(tabId, 'opentoolbar may not run on this site. Click again to allow it.');
    return;
  }
  await register();
  const it = await picking();
  await it.set(tabId, !(await it.of(tabId)));
  await browser.action.setBadgeText({ tabId, text: '' });
  await browser.action.setTitle({ tabId, title: '' });
}

/** Says at the button why nothing happened. */
export async function warn(tabId: number, sentence: string): Promise<void> {
  await browser.action.setBadgeText({ tabId, text: '!' });
  await browser.action.setTitle({ tabId, title: sentence });
}
