/**
 * What the background knows of a tab and of the page in it, and when that ends: some of it when another page is there,
 * all of it when the tab closes.
 */
import type { Browser } from 'wxt/browser';
import type { App } from './app';
import { originOf } from './page-address';

/** The script of a new page tells of itself: nothing of the page before holds. */
export async function pageStarted(
  { sessions, picking, captures, roundTrips, seenStates, views }: App,
  { tabId, url, title }: { tabId: number; url: string; title: string },
): Promise<void> {
  captures.forget(tabId);
  roundTrips.setExpelled(tabId, false);
  await sessions.visit(tabId, url, title);
  await picking.heard(tabId, false);
  await seenStates.forget(tabId);
  views.forget(tabId);
  views.changedTab(tabId);
}

/** The browser tells of a tab, wherever it is: also where no script of ours can tell. */
export async function tabUpdated(
  { sessions, picking, views }: App,
  tabId: number,
  change: Pick<Browser.tabs.OnUpdatedInfo, 'status' | 'title' | 'url'>,
  tab: Pick<Browser.tabs.Tab, 'url'>,
): Promise<void> {
  const session = await sessions.of(tabId);
  const url = change.url ?? tab.url;
  if (change.status === 'loading' && change.url !== undefined) await picking.heard(tabId, false);
  // The browser tells no address where opentoolbar may not be: then the tab has left the session's site too.
  const elsewhere = url === undefined || (URL.canParse(url) && originOf(url) !== session?.origin);
  if (session && elsewhere) await sessions.leave(tabId);
  views.changedTab(tabId);
}

export async function tabClosed(
  { sessions, picking, hiddenPins, drafts, captures, fields, roundTrips, seenStates, views }: App,
  tabId: number,
): Promise<void> {
  captures.forget(tabId);
  fields.forget(tabId);
  roundTrips.forget(tabId);
  await sessions.leave(tabId);
  await drafts.forget(tabId);
  await seenStates.forget(tabId);
  views.forget(tabId);
  await picking.heard(tabId, false);
  await hiddenPins.set(tabId, false);
}
