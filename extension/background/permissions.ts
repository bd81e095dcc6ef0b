/**
 * Where opentoolbar may run: local dev servers from the start, any other site when the person asks for it there.
 * Allowed sites get the content scripts registered, so that the next visit needs no click.
 */
import { browser } from 'wxt/browser';
import { within } from '../deadline';
import type { ToContent } from '../state/to-content';

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

/** What runs at the moment, and whatever is asked for meanwhile: two at a time would register the same twice. */
let registering: Promise<void> = Promise.resolve();

/** Brings the registered content scripts in line with the sites that are allowed now; calls follow one another. */
export function register(): Promise<void> {
  const turn = registering.then(registerNow);
  registering = turn.catch(() => {});
  return turn;
}

async function registerNow(): Promise<void> {
  const { origins = [] } = await browser.permissions.getAll();
  const declared = new Set(
    browser.runtime.getManifest().content_scripts?.flatMap(({ matches = [] }) => matches) ?? [],
  );
  const matches = origins.filter((origin) => !declared.has(origin));
  const { scripting } = browser;
  const known = await scripting.getRegisteredContentScripts();
  const wanted = matches.length === 0 ? [] : scriptsFor(matches);
  const isKnown = ({ id }: { id: string }) => known.some((one) => one.id === id);
  const gone = known.filter(({ id }) => !wanted.some((one) => one.id === id)).map(({ id }) => id);
  const added = wanted.filter((one) => !isKnown(one));
  // Changed in place: between taking away and adding, a page that loads would get no script.
  const changed = wanted.filter(
    (one) =>
      isKnown(one) &&
      !isSame(
        one,
        known.find(({ id }) => id === one.id),
      ),
  );
  if (gone.length > 0) await scripting.unregisterContentScripts({ ids: gone });
  if (changed.length > 0) await scripting.updateContentScripts(changed);
  if (added.length > 0) await scripting.registerContentScripts(added);
}

const scriptsFor = (matches: string[]) => [
  { id: 'content', js: [CONTENT], matches, runAt: 'document_start' as const },
  { id: 'probe', js: [PROBE], matches, runAt: 'document_idle' as const, world: 'MAIN' as const },
];

interface Where {
  matches?: string[] | undefined;
  runAt?: string | undefined;
}

function isSame(wanted: Where, known: Where | undefined): boolean {
  const sorted = ({ matches = [] }: Where) => [...matches].sort().join();
  return known !== undefined && wanted.runAt === known.runAt && sorted(wanted) === sorted(known);
}

/** A tab with a page that our script may be in. */
interface OpenPage {
  tabId: number;
  url: string;
  origin: string;
}

/**
 * Does what the permissions that hold now ask for: which sites get scripts, and which open pages lose theirs. The
 * second happens whatever becomes of the first.
 */
export async function followPermissions(pages: () => Promise<readonly OpenPage[]>): Promise<void> {
  try {
    await register();
  } finally {
    await leaveForbidden(await pages());
  }
}

/** A page that does not say by then whether our script is there hangs, milliseconds. */
const ANSWER_MS = 3_000;

const attaching = new Map<number, Promise<void>>();

/**
 * Puts the content scripts into a page that was open before they were allowed or installed, unless they are there: a
 * second copy would take the place of the first, with what it is doing. Rejects where the page cannot be scripted.
 */
export function attach(tabId: number): Promise<void> {
  const running = attaching.get(tabId);
  if (running) return running;
  const attached = (async () => {
    const asked = browser.tabs.sendMessage(tabId, { type: 'ping' }, { frameId: 0 }).then(
      () => true,
      () => false,
    );
    if (await within(ANSWER_MS, asked)) return;
    const target = { tabId };
    await browser.scripting.executeScript({ target, files: [PROBE], world: 'MAIN' });
    await browser.scripting.executeScript({ target, files: [CONTENT] });
  })().finally(() => attaching.delete(tabId));
  attaching.set(tabId, attached);
  return attached;
}

/** The same for every open page of some sites; pages that cannot be scripted are passed over. */
export async function attachOpenTabs(url: string[]): Promise<void> {
  const tabs = await browser.tabs.query({ url });
  await Promise.all(tabs.map(({ id }) => (id === undefined ? undefined : attach(id).catch(() => {}))));
}

/**
 * Ends our scripts in open pages of sites that are not allowed any more. Telling a script needs no permission for its
 * site. No answer is waited for: a page that hangs gives none.
 */
export async function leaveForbidden(pages: readonly OpenPage[]): Promise<void> {
  await Promise.all(
    pages.map(async ({ tabId, url, origin }) => {
      if (await isAllowed(url)) return;
      // With the origin: the tab may have gone to another site meanwhile.
      const message: ToContent = { type: 'leave', payload: { origin } };
      browser.tabs.sendMessage(tabId, message, { frameId: 0 }).catch(() => {});
    }),
  );
}

/** Puts the overlay's script beside the content script of a page; a second time does nothing. */
export async function injectOverlay(tabId: number): Promise<void> {
  await browser.scripting.executeScript({ target: { tabId }, files: [OVERLAY] });
}
