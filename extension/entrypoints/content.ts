import { defineContentScript } from 'wxt/utils/define-content-script';
import { attend } from '../overlay/attend';
import { LOCAL_SITES } from '../sites';

/** Heard by an older copy of this script, left by an extension that has been reloaded: it goes. */
const REPLACED = 'opentoolbar:replaced';

/**
 * Calls `begin` when the page is shown: now, or when a page that the browser prepared ahead of a click is gone to. Until then it is
 * nobody's page, and speaks for no tab.
 */
function shown(signal: AbortSignal, begin: () => void): void {
  if ((document as { prerendering?: boolean }).prerendering !== true) begin();
  else document.addEventListener('prerenderingchange', begin, { signal, once: true });
}

/** Small and idle on every page; the overlay comes when it is needed. Runs in the isolated world of the top frame. */
export default defineContentScript({
  matches: LOCAL_SITES,
  allFrames: false,
  runAt: 'document_idle',
  main(context) {
    // Pictures, XML and the like have nothing to point at.
    if (document.documentElement?.localName !== 'html' || !document.body) return;
    const end = new AbortController();
    document.dispatchEvent(new Event(REPLACED));
    document.addEventListener(REPLACED, () => end.abort(), { signal: end.signal });
    context.onInvalidated(() => end.abort());
    shown(end.signal, () => attend(end.signal));
  },
});
