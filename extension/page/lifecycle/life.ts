/**
 * How long our script in a page lives. What a page can send decides nothing of it: the browser tells a script that its
 * extension was reloaded, updated or turned off, by taking its extension API away, and the background that the site is
 * not allowed any more.
 */
import { browser } from 'wxt/browser';

/** How often it is looked whether the extension is still there, milliseconds. */
const LOOK_MS = 1_000;
/**
 * In the world of this extension's own scripts; the page's world has a global object of its own, and so has an older
 * extension.
 */
const PLACE = 'opentoolbarLife';

/** Whether the extension that this script belongs to is gone: nothing that it does reaches anybody. */
export function isOrphan(): boolean {
  return browser.runtime?.id === undefined;
}

/** Ends the script of this extension in this page: the background says that the site is not allowed any more. */
export function endLife(): void {
  (globalThis as { [PLACE]?: AbortController })[PLACE]?.abort();
}

/**
 * Begins, unless a script of this extension lives in the page already: then null. Ends by itself when the extension is
 * gone, and by `abort`.
 */
export function beginLife(): AbortController | null {
  const scope = globalThis as { [PLACE]?: AbortController };
  if (scope[PLACE] && !scope[PLACE].signal.aborted) return null;
  const life = new AbortController();
  scope[PLACE] = life;
  const look = () => {
    if (isOrphan()) life.abort();
  };
  const timer = setInterval(look, LOOK_MS);
  // Timers of a page that was not seen are late.
  document.addEventListener('visibilitychange', look, { signal: life.signal });
  life.signal.addEventListener('abort', () => clearInterval(timer));
  return life;
}
