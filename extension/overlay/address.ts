/**
 * Notices that the page got another address without loading: by the Navigation API where there is one, `popstate` and
 * `hashchange`, and a look at the address now and then. The page's own `history` is left alone.
 */
const POLL_MS = 500;

/** Calls `onChange` with each new address until the signal ends. Returns a check to call when the page has changed. */
export function watchAddress(onChange: (url: string) => void, signal: AbortSignal): () => void {
  let last = location.href;
  const check = () => {
    if (signal.aborted || location.href === last) return;
    last = location.href;
    onChange(last);
  };
  const { navigation } = window as Window & { navigation?: EventTarget };
  // `currententrychange` comes at once; `navigatesuccess` when an intercepted navigation is done.
  navigation?.addEventListener('currententrychange', check, { signal });
  navigation?.addEventListener('navigatesuccess', check, { signal });
  window.addEventListener('popstate', check, { signal });
  window.addEventListener('hashchange', check, { signal });
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') check();
  }, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  return check;
}
