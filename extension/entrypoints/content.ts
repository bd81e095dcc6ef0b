import { defineContentScript } from 'wxt/utils/define-content-script';
import { attend } from '../overlay/attend';
import { beginLife } from '../overlay/life';
import { LOCAL_SITES } from '../sites';

/**
 * Calls `begin` when the page is shown: now, or when a page that the browser prepared ahead of a click is gone to. Until then it is
 * nobody's page, and speaks for no tab.
 */
function shown(signal: AbortSignal, begin: () => void): void {
  if (!isPrepared()) {
    begin();
    return;
  }
  const shownAt = new AbortController();
  const onChange = () => {
    // A page may send this as well.
    if (isPrepared()) return;
    shownAt.abort();
    begin();
  };
  document.addEventListener('prerenderingchange', onChange, {
    signal: AbortSignal.any([signal, shownAt.signal]),
  });
}

function isPrepared(): boolean {
  return (document as { prerendering?: boolean }).prerendering === true;
}

/** Small and idle on every page; the overlay comes when it is needed. Runs in the isolated world of the top frame. */
export default defineContentScript({
  matches: LOCAL_SITES,
  allFrames: false,
  runAt: 'document_idle',
  main() {
    // Pictures, XML and the like have nothing to point at.
    if (document.documentElement?.localName !== 'html' || !document.body) return;
    const life = beginLife();
    if (life) shown(life.signal, () => attend(life));
  },
});
