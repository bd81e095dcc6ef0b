import { defineContentScript } from 'wxt/utils/define-content-script';
import { attend } from '../page/attend';
import { openGate } from '../page/host/gate';
import { Comeback } from '../page/lifecycle/comeback';
import { beginLife } from '../page/lifecycle/life';
import { watchRoot, whenIdle } from '../page/lifecycle/ready';
import { LOCAL_SITES } from '../sites';

/**
 * Calls `begin` when the page is shown: now, or when a page that the browser prepared ahead of a click is gone to.
 * Until then it is nobody's page, and speaks for no tab.
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

/**
 * Takes its place among the window's listeners and, once the page is idle, begins. Begins again when the page opened
 * its document anew, which took all our listeners; a page that does so again and again is left alone in the end.
 */
function live(): void {
  const never = new AbortController().signal;
  let isFirst = true;
  const begin = () => {
    const { documentElement: root, body } = document;
    // Pictures, XML and the like have nothing to point at.
    if (isFirst && root?.localName !== 'html') return;
    // A document that is being written has no body for a while.
    if (!isFirst && !body) return comeback.removed();
    const life = beginLife();
    if (!life) return;
    const { signal } = life;
    openGate(signal);
    watchRoot(() => {
      life.abort();
      comeback.removed();
    }, signal);
    const start = () => shown(signal, () => document.body && attend(life));
    // Who writes into a document may never close it, and then it is never idle.
    if (isFirst) whenIdle(start, signal);
    else start();
    isFirst = false;
  };
  const comeback = new Comeback(begin, () => {}, never);
  begin();
}

/** Small and idle on every page; the overlay comes when it is needed. Runs in the isolated world of the top frame. */
export default defineContentScript({
  matches: LOCAL_SITES,
  allFrames: false,
  runAt: 'document_start',
  main: live,
});
