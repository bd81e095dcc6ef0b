/**
 * Where opentoolbar may run: local dev servers from the start, any other site when the person asks for it there.
 * Allowed sites get the content scripts registered, so that the next visit needs no click.
 */
import { browser } from 'wxt/browser';
import type { ToContent } from '../messages';
import { LOCAL_SITES } from '../sites';

const CONTENT = '/content-scripts/content.js';
const PROBE = '/content-scripts/probe.js';
const OVERLAY = '/overlay.js';

/** The match pattern of a page's site, which covers every port; null where extensions cannot run. */
export function siteOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${hostname}/*` : null;
}

/** Whether the person, or the manifest, allows opentoolbar on a page. */
export async function isAllowed(url: string): Promise<boolean> {
  const site = siteOf(url);
  return site !== null && browser.permissions.contains({ origins: [site] });
}

/** Asks for a page's site. Must be called straight from a click or a shortcut, before anything is awaited. */
export function ask(url: string): Promise<boolean> {
  const site = siteOf(url);
  return site === null ? Promise.resolve(false) : browser.permissions.request({ origins: [site] });
}

/** Brings the registered content scripts in line with the sites that are allowed now. */
export async function register(): Promise<void> {
  const { origins = [] } = await browser.permissions.getAll();
  const matches = origins.filter((origin) => !LOCAL_SITES.includes(origin));
  const registered = await browser.scripting.getRegisteredContentScripts();
  if (registered.length > 0) await browser.scripting.unregisterContentScripts();
  // Test builds are on every site by their manifest; registering again would run the scripts twice.
  if (matches.length === 0 || __TEST_BUILD__) return;
  await browser.scripting.registerContentScripts([
    { id: 'content', js: [CONTENT], matches, runAt: 'document_idle' },
    { id: 'probe', js: [PROBE], matches, runAt: 'document_idle', world: 'MAIN' },
  ]);
}

const attaching = new Map<number, Promise<void>>();

/**
 * Puts the content scripts into a page that was open before they were allowed or installed, unless they are there: a
 * second copy would take the place of the first, with what it is doing. Rejects where the page cannot be scripted.
 */
export function attach(tabId: number): Promise<void> {
  const running = attaching.get(tabId);
  if (running) return running;
  const attached = (async () => {
    const there = await browser.tabs.sendMessage(tabId, { type: 'ping' }, { frameId: 0 }).then(
      () => true,
      () => false,
    );
    if (there) return;
    const target = { tabId };
    await browser.scripting.executeScript({ target, files: [PROBE], world: 'MAIN' });
    await browser.scripting.executeScript({ target, files: [CONTENT] });
  })().finally(() => attaching.delete(tabId));
  attaching.set(tabId, attached);
  return attached;
}

/** The same for every open page of some sites; pages that cannot be scripted are passed over. */
export async function attachOpenTabs(url: string[]): Promise<void> {
  for (const { id } of await browser.tabs.query({ url })) {
    if (id !== undefined) await attach(id).catch(() => {});
  }
}

/** Ends our scripts in open pages of sites that are not allowed any more. Telling a script needs no permission for its site. */
export async function leaveForbidden(tabs: readonly { tabId: number; url: string }[]): Promise<void> {
  const message: ToContent = { type: 'leave', payload: {} };
  for (const { tabId, url } of tabs) {
    if (await isAllowed(url)) continue;
    await browser.tabs.sendMessage(tabId, message, { frameId: 0 }).catch(() => {});
  }
}

/** Puts the overlay's script beside the content script of a page; a second time does nothing. */
export async function injectOverlay(tabId: number): Promise<void> {
  await browser.scripting.executeScript({ target: { tabId }, files: [OVERLAY] });
}
