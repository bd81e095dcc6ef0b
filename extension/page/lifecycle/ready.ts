/** When a page is far enough to be looked at, and when it became another document under the same window. */

/**
 * As browsers do with scripts that wait for an idle document: so long after it was read, milliseconds, if it still
 * loads pictures.
 */
const IDLE_AFTER_MS = 200;

/** Calls `begin` once the document has been read and its own scripts had their turn. */
export function whenIdle(begin: () => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const done = new AbortController();
  const both = AbortSignal.any([signal, done.signal]);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const go = () => {
    clearTimeout(timer);
    if (both.aborted) return;
    done.abort();
    begin();
  };
  const look = () => {
    // What the page sends under these names says nothing: the state is the browser's.
    if (document.readyState === 'complete') go();
    else if (document.readyState === 'interactive') timer ??= setTimeout(go, IDLE_AFTER_MS);
  };
  document.addEventListener('readystatechange', look, { signal: both });
  look();
}

/**
 * Calls when the document got another root element: by `document.open`, which takes every listener from window and
 * document as well, or by a script that put another one in its place.
 */
export function watchRoot(onReplaced: () => void, signal: AbortSignal): void {
  const root = document.documentElement;
  const observer = new MutationObserver(() => {
    if (document.documentElement === root) return;
    observer.disconnect();
    onReplaced();
  });
  observer.observe(document, { childList: true });
  signal.addEventListener('abort', () => observer.disconnect());
}
