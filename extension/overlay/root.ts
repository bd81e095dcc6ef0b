/**
 * Our one element in the page: `<opentoolbar-root>`, a manual popover with a closed shadow root.
 *
 * A manual popover stands in the top layer, so no z-index of the page is above it; whatever enters the top layer later
 * (a modal dialog, a popover, a fullscreen element) is, so `raise` puts ours on top again.
 *
 * A modal dialog makes everything outside of it inert, the top layer included. Moving our element into the dialog would
 * change the page's own tree (its `:last-child`, its gaps, its observers), so it stays where it is, and:
 * - picking and clicks on our parts are served by listeners on the window (`isolation.ts`), which inertness does not stop;
 * - what needs the keyboard (comment box, thread) is a `<dialog>` of ours, opened modally while a modal dialog of the page
 *   is open: the topmost modal dialog is never inert. On closing, focus goes back to where it was.
 *
 * A light-dismiss popover of the page closes at a click outside of it, before any script hears of the click. While one is open,
 * the shield lets the pointer through, and a card is a popover that belongs to it. What cannot be kept: a click on a pin or
 * on the bar, and picking something outside of the popover, still dismiss it, as every click there does.
 */

import { ROOT_TAG } from '../capture/tree';
import tokens from '../design/tokens.css?raw';
import styles from './overlay.css?raw';

export interface Root {
  host: HTMLElement;
  shadow: ShadowRoot;
  /** Asked first about every trusted pointer and key event of the top window; true: handled, nobody else hears of it. */
  interceptors: Set<(event: Event) => boolean>;
  /** A box of our own inside the shadow root, above those asked for earlier. */
  layer(name: string): HTMLElement;
  /** Goes to the top of the top layer again. */
  raise(): void;
  /** Takes us out of what is drawn, for a screenshot, and back. Focus stays. */
  hide(hidden: boolean): void;
  /** Whether nothing of ours is drawn. */
  isHidden(): boolean;
  /** Undoes what a `zoom` on the page's root does to us: we draw in pixels of the viewport. */
  fit(): void;
}

export function createRoot(signal: AbortSignal): Root {
  for (const left of document.querySelectorAll(ROOT_TAG)) left.remove();
  const host = document.createElement(ROOT_TAG);
  host.setAttribute('popover', 'manual');
  const shadow = host.attachShadow({ mode: __TEST_BUILD__ ? 'open' : 'closed' });
  adopt(shadow, `${tokens}\n${styles}`);

  const attach = () => {
    document.documentElement.append(host);
    host.showPopover();
  };
  attach();

  const raise = () => {
    if (!host.isConnected) return attach();
    const focused = shadow.activeElement;
    // An open modal of ours is the topmost already, and taking its popover away would close it.
    if (shadow.querySelector('dialog:modal')) return;
    const selection =
      focused instanceof HTMLTextAreaElement ? [focused.selectionStart, focused.selectionEnd] : null;
    if (host.matches(':popover-open')) host.hidePopover();
    host.showPopover();
    if (focused instanceof HTMLElement && shadow.activeElement !== focused) {
      focused.focus({ preventScroll: true });
      if (selection && focused instanceof HTMLTextAreaElement) {
        focused.setSelectionRange(selection[0] ?? 0, selection[1] ?? 0);
      }
    }
  };

  keepOnTop(host, raise, signal);
  signal.addEventListener('abort', () => host.remove());

  return {
    host,
    shadow,
    interceptors: new Set(),
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
function keepOnTop(host: HTMLElement, raise: () => void, signal: AbortSignal): void {
  let last: Element | null = null;
  const soon = () => queueMicrotask(() => !signal.aborted && raise());
  const onToggle = (event: Event) => {
    if (event.target === host) return;
    if ((event as Event & { newState?: string }).newState === 'open') soon();
  };
  window.addEventListener('toggle', onToggle, { capture: true, signal });
  document.addEventListener('fullscreenchange', soon, { signal });
  // `toggle` does not leave shadow roots, but focus does, and opening a modal dialog moves it.
  window.addEventListener(
    'focusin',
    () => {
      const modal = openModal();
      if (modal && modal !== last) soon();
      last = modal;
    },
    { capture: true, signal },
  );
  const observer = new MutationObserver((records) => {
    if (!host.isConnected) return soon();
    for (const { target } of records) {
      if ((target as Element).localName === 'dialog' && (target as Element).matches(':modal')) return soon();
    }
  });
  observer.observe(document.documentElement, { childList: true });
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['open'] });
  signal.addEventListener('abort', () => observer.disconnect());
}

/** The topmost open popover of the page that a click elsewhere dismisses, if there is one. */
export function openPopover(): Element | null {
  const open = [...document.querySelectorAll('[popover]:popover-open')];
  return (
    open.filter((each) => each.localName !== ROOT_TAG && each.getAttribute('popover') !== 'manual').at(-1) ??
    null
  );
}

/** The page's modal dialog that makes us inert, if one is open: found in the document and where the focus is. */
export function openModal(): HTMLDialogElement | null {
  let scope: Document | ShadowRoot | null = document;
  let found: HTMLDialogElement | null = null;
  while (scope) {
    for (const dialog of scope.querySelectorAll<HTMLDialogElement>('dialog:modal')) found = dialog;
    const active: Element | null = scope.activeElement;
    scope = active && active.localName !== ROOT_TAG ? active.shadowRoot : null;
  }
  return found;
}
