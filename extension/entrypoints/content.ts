import { defineContentScript } from 'wxt/utils/define-content-script';
import { attend } from '../overlay/attend';
import { LOCAL_SITES } from '../sites';

/** Heard by an older copy of this script, left by an extension that has been reloaded: it goes. */
const REPLACED = 'opentoolbar:replaced';

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
    attend(end.signal);
  },
});
