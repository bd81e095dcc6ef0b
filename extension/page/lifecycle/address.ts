/**
 * Notices that the page got another address without loading: by the Navigation API where there is one, `popstate` and
 * `hashchange`; where there is none, a look at the address now and then. The page's own `history` is left alone.
 */
const POLL_MS = 500;

/** Calls `onChange` with each new address until the signal ends. */
export function watchAddress(onChange: (url: string) => void, signal: AbortSignal): void {
  let last = location.href;
  const check = () => {
    if (signal.aborted || location.href === last) return;
    last = location.href;
    onChange(last);
  };
  window.addEventListener('popstate', check, { signal });
  window.addEventListener('hashchange', check, { signal });
  const { navigation } = window as Window & { navigation?: EventTarget };
  if (navigation) {
    // `currententrychange` comes at once; `navigatesuccess` when an intercepted navigation is done.
    navigation.addEventListener('currententrychange', check, { signal });
    navigation.addEventListener('navigatesuccess', check, { signal });
    return;
  }
  window.addEventListener('click', () => queueMicrotask(check), { signal, passive: true });
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') check();
  }, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}
