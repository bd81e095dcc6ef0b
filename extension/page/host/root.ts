/**
 * Our one element in the page: a manual popover with a closed shadow root.
 *
 * It is a `div`. A page can define any name with a hyphen as a custom element, and such an element reads its own closed
 * shadow root.
 *
 * A manual popover stands in the top layer, so no z-index of the page is above it; whatever enters the top layer later
 * (a modal dialog, a popover, a fullscreen element) is, so `raise` puts ours on top again. A page that keeps us from
 * the top layer leaves us the highest z-index: everything but what it has in the top layer is below us.
 *
 * A modal dialog makes everything outside of it inert, the top layer included. Moving our element into the dialog would
 * change the page's own tree (its `:last-child`, its gaps, its observers), so it stays where it is, and:
 * - picking and clicks on our parts are served by listeners on the window (`isolation.ts`), which inertness does not
 *   stop;
 * - what needs the keyboard (comment box, thread) is a `<dialog>` of ours, opened modally while a modal dialog of the
 *   page is open: the topmost modal dialog is never inert. On closing, focus goes back to where it was.
 *
 * A light-dismiss popover of the page closes at a click outside of it, before any script hears of the click. While one
 * is open, the shield lets the pointer through, and a card is a popover that belongs to it. What cannot be kept: a
 * click on a pin or on the bar, and picking something outside of the popover, still dismiss it, as every click there
 * does.
 */

import { claim, ROOT_MARK } from '../../capture/tree';
import tokens from '../../design/tokens.css?raw';
import { Comeback } from '../lifecycle/comeback';
import { isOrphan } from '../lifecycle/life';
import { focusPart } from './focus';
import { guardEvents } from './gate';
import { watchModals } from './modal';

/** Between two times that we go to the top of the top layer because the page put something above us, milliseconds. */
const BETWEEN_RISES_MS = 100;

export interface Root {
  host: HTMLElement;
  shadow: ShadowRoot;
  /**
   * Asked first about every trusted pointer and key event of the top window; true: handled, nobody else hears of it.
   */
  interceptors: Set<(event: Event) => boolean>;
  /** Called when our element stands in the document again after the page took it out: every frame in it loads anew. */
  returned: Set<() => void>;
  /** A box of our own inside the shadow root, above those asked for earlier. */
  layer(name: string): HTMLElement;
  /** The focus came to us from this element of the page, or from none. */
  focusCameFrom(before: EventTarget | null): void;
  /** What of ours has the focus goes: the page's element that had it before gets it again. */
  giveFocusBack(): void;
  /** Goes to the top of the top layer again. */
  raise(): void;
  /** Takes us out of what is drawn, for a screenshot, and back. Focus stays. */
  hide(hidden: boolean): void;
  /** Whether nothing of ours is drawn. */
  isHidden(): boolean;
  /** Undoes what a `zoom` on the page's root does to us: we draw in pixels of the viewport. */
  fit(): void;
}

/**
 * `styles`: of what is drawn in it. `onExpelled`: the page takes our element out again and again; nothing of ours is
 * seen any more.
 */
export function createRoot(styles: string, signal: AbortSignal, onExpelled: () => void): Root {
  for (const left of document.querySelectorAll(`:root > [${ROOT_MARK}]`)) left.remove();
  const host = document.createElement('div');
  claim(host);
  host.setAttribute(ROOT_MARK, '');
  host.setAttribute('popover', 'manual');
  const shadow = host.attachShadow({ mode: 'closed' });
  adopt(shadow, `${tokens}\n${styles}`);

  // The page does not hear that we enter the top layer: it might refuse, or take us out in the middle.
  guardEvents((event) => {
    if (event.target === host && /toggle$/.test(event.type)) event.stopImmediatePropagation();
  }, signal);
  const enter = () => {
    try {
      host.showPopover();
    } catch (error) {
      // A page that listened before us took us out meanwhile: that is seen as every removal is. Else we stand where we
      // are.
      console.debug('opentoolbar: the page keeps us from the top layer', error);
    }
  };
  const attach = () => {
    document.documentElement.append(host);
    enter();
  };
  attach();

  const returned = new Set<() => void>();
  const comeBack = () => {
    attach();
    for (const each of returned) each();
  };
  const comeback = new Comeback(comeBack, onExpelled, signal);
  const raise = () => {
    if (!host.isConnected) {
      comeback.renew();
      return comeBack();
    }
    const focused = shadow.activeElement;
    // An open modal of ours is the topmost already, and taking its popover away would close it.
    if (shadow.querySelector('dialog:modal')) return;
    const selection =
      focused instanceof HTMLTextAreaElement ? [focused.selectionStart, focused.selectionEnd] : null;
    if (host.matches(':popover-open')) host.hidePopover();
    if (host.isConnected) enter();
    if (focused instanceof HTMLElement && shadow.activeElement !== focused) {
      focusPart(focused);
      if (selection && focused instanceof HTMLTextAreaElement) {
        focused.setSelectionRange(selection[0] ?? 0, selection[1] ?? 0);
      }
    }
  };

  // What an update left behind makes way for its successor.
  const removed = () => {
    if (!isOrphan()) comeback.removed();
  };
  keepOnTop(host, raise, removed, signal);
  signal.addEventListener('abort', () => host.remove());

  let before: WeakRef<HTMLElement> | null = null;

  return {
    host,
    shadow,
    interceptors: new Set(),
    focusCameFrom(element) {
      before = element instanceof HTMLElement ? new WeakRef(element) : null;
    },
    giveFocusBack() {
      before?.deref()?.focus({ preventScroll: true });
    },
    returned,
    raise,
    layer(name) {
      const box = document.createElement('div');
      box.className = `layer ${name}`;
      shadow.append(box);
      return box;
    },
    fit() {
      const { currentCSSZoom: zoom = 1 } = document.documentElement as Element & { currentCSSZoom?: number };
      const unzoom = String(1 / zoom);
      // A custom property: our own sheet resets everything else of the host.
      if (host.style.getPropertyValue('--otb-unzoom') !== unzoom)
        host.style.setProperty('--otb-unzoom', unzoom);
    },
    hide(hidden) {
      host.toggleAttribute('data-hidden', hidden);
    },
    isHidden: () => host.hasAttribute('data-hidden'),
  };
}

/** Constructed sheets are exempt from the page's CSP; a browser that refuses them gets a style element. */
function adopt(shadow: ShadowRoot, css: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    shadow.adoptedStyleSheets = [sheet];
    if (shadow.adoptedStyleSheets.length === 1) return;
  } catch {
    // Falls through to the element.
  }
  const style = document.createElement('style');
  style.textContent = css;
  shadow.append(style);
}

/** Watches for things that enter the top layer above us, and for our element being taken out of the document. */
function keepOnTop(host: HTMLElement, raise: () => void, removed: () => void, signal: AbortSignal): void {
  let last = Number.NEGATIVE_INFINITY;
  let waits = false;
  const rise = () => {
    waits = false;
    last = performance.now();
    if (!signal.aborted && host.isConnected) raise();
  };
  // At once, but not whenever a page opens something because we rose.
  const soon = () => {
    if (waits) return;
    waits = true;
    const wait = last + BETWEEN_RISES_MS - performance.now();
    if (wait > 0) setTimeout(rise, wait);
    else queueMicrotask(rise);
  };
  const onToggle = (event: Event) => {
    if (!event.isTrusted || event.target === host) return;
    if ((event as Event & { newState?: string }).newState === 'open') soon();
  };
  window.addEventListener('toggle', onToggle, { capture: true, signal });
  document.addEventListener('fullscreenchange', (event) => event.isTrusted && soon(), { signal });
  watchModals(soon, signal);
  const observer = new MutationObserver(() => {
    if (!host.isConnected) removed();
  });
  observer.observe(document.documentElement, { childList: true });
  signal.addEventListener('abort', () => observer.disconnect());
}
