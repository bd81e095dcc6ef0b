/**
 * The page's modal dialogs and popovers, which stand in the top layer as we do. Asked with every move of the pointer:
 * the page is searched only after something happened that may have opened a dialog.
 */
import { isOwn } from '../../capture/tree';

/** The dialog that was found last, if one was; undefined: it is to be looked for. */
let known: WeakRef<HTMLDialogElement> | null | undefined;
let isWatching = false;

/** The page's modal dialog that makes us inert, if one is open: found in the document and where the focus is. */
export function openModal(): HTMLDialogElement | null {
  const last = known?.deref();
  const holds = last ? last.isConnected && last.matches(':modal') : known === null;
  if (isWatching && holds) return last ?? null;
  const found = findModal();
  known = found ? new WeakRef(found) : null;
  return found;
}

function findModal(): HTMLDialogElement | null {
  let scope: Document | ShadowRoot | null = document;
  let found: HTMLDialogElement | null = null;
  while (scope) {
    for (const dialog of scope.querySelectorAll<HTMLDialogElement>('dialog:modal')) found = dialog;
    const active: Element | null = scope.activeElement;
    scope = active && !isOwn(active) ? active.shadowRoot : null;
  }
  return found;
}

/** Calls when a dialog of the page may have been opened as a modal one, until the signal ends. */
export function watchModals(onOpen: () => void, signal: AbortSignal): void {
  let before: WeakRef<HTMLDialogElement> | null = null;
  known = undefined;
  isWatching = true;
  // In a shadow root the attribute is not seen, but opening moves the focus.
  const onFocus = (event: Event) => {
    if (!event.isTrusted) return;
    known = undefined;
    const modal = openModal();
    if (modal && modal !== before?.deref()) onOpen();
    before = modal && new WeakRef(modal);
  };
  window.addEventListener('focusin', onFocus, { capture: true, signal });
  const observer = new MutationObserver((records) => {
    const dialogs = records.filter(({ target }) => (target as Element).localName === 'dialog');
    if (dialogs.length === 0) return;
    known = undefined;
    if (dialogs.some(({ target }) => (target as Element).matches(':modal'))) onOpen();
  });
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['open'] });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    isWatching = false;
  });
}

/** The topmost open popover of the page that a click elsewhere dismisses, if there is one. */
export function openPopover(): Element | null {
  const open = [...document.querySelectorAll('[popover]:popover-open')];
  return open.filter((each) => !isOwn(each) && each.getAttribute('popover') !== 'manual').at(-1) ?? null;
}
