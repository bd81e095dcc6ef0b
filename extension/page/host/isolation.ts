/**
 * Keeps what happens in our root from the page's own handlers, and the page's modal dialogs from deafening us.
 *
 * Listeners on the window come first in the capture phase: events of our root are stopped there, and a copy that does
 * not leave the shadow root is given to the part of ours that they were for. Default actions (typing, focus) still
 * happen. What is typed is stopped by the window's first listeners (`gate.ts`). Those for the pointer come later: a
 * page that listened on the window before sees our host as the target, and nothing of what is inside.
 */
import { announce, isUnannounced, markForged } from './announced';
import { guardEvents } from './gate';
import { openModal } from './modal';
import { POINTER_EVENTS } from './pointer-events';
import type { Root } from './root';
import { asOurs, guardRoot } from './trust';

/** Copies of these are given to our own parts. */
const RELAYED = new Set(['keydown', 'click', 'beforeinput', 'input', 'mousedown', 'mousemove']);

export function isolate(root: Root, signal: AbortSignal): void {
  const { host, shadow } = root;
  guardRoot(shadow, signal);
  const relayFocus = focusRelay(shadow, signal);
  const onOwn = (event: Event) => {
    // What the page dispatches itself is its own affair, and no command to us.
    if (!event.isTrusted) return;
    for (const intercept of root.interceptors) if (intercept(event)) return;
    if (event.target === host) {
      event.stopImmediatePropagation();
      if (RELAYED.has(event.type)) relay(shadow, event);
      else if (event.type === 'focus' || event.type === 'blur') relayFocus(event);
      if (event.type === 'focus') root.focusCameFrom((event as FocusEvent).relatedTarget);
      return;
    }
    // Focus that goes to or comes from us is no business of the page's focus traps.
    const related = (event as FocusEvent).relatedTarget;
    if (related === host && /^(focus|blur)/.test(event.type)) event.stopImmediatePropagation();
  };
  guardEvents((event) => {
    // Chrome says of the end of a composition that it is the page's own.
    if (!event.isTrusted && event.target === host) event.stopImmediatePropagation();
    else onOwn(event);
  }, signal);

  const onMouse = (event: Event) => {
    // A modal dialog makes us inert: the event goes to the dialog although it is our part that is seen there.
    const part =
      event.isTrusted && event.target !== host && openModal() ? partAt(shadow, event as MouseEvent) : null;
    if (!part) return onOwn(event);
    event.stopImmediatePropagation();
    event.preventDefault();
    if (event.type === 'click') part.dispatchEvent(copyOf(event));
  };
  for (const type of POINTER_EVENTS)
    window.addEventListener(type, onMouse, { capture: true, signal, passive: false });
}

/** The topmost control of ours whose box holds the point, told by geometry: hit tests skip what is inert. */
function partAt(shadow: ShadowRoot, event: MouseEvent): HTMLElement | null {
  const { clientX: x, clientY: y } = event;
  let found: HTMLElement | null = null;
  for (const part of shadow.querySelectorAll<HTMLElement>('[data-part], .pick-bar, .notice')) {
    const box = part.getBoundingClientRect();
    // Said to be out of reach by us, not by the page's dialog.
    if (part.closest('[inert]')) continue;
    if (box.width > 0 && x >= box.left && x < box.right && y >= box.top && y < box.bottom && !part.hidden) {
      found = part;
    }
  }
  return found;
}

function relay(shadow: ShadowRoot, event: Event): void {
  const target = targetOf(shadow, event);
  if (!target) return;
  const copy = copyOf(event);
  if (event.type === 'beforeinput') announce(event);
  if (event.type === 'input' && isUnannounced(event)) markForged(copy);
  // The copy does what the event would have done on links and buttons; doing it twice would be wrong.
  const prevented = !target.dispatchEvent(copy);
  if (prevented || event.type === 'click') event.preventDefault();
}

/**
 * Tells the parts of ours that the focus came to them from the page, or went there; of what goes on between two of them
 * they hear themselves, and the window does not.
 */
function focusRelay(shadow: ShadowRoot, signal: AbortSignal): (event: Event) => void {
  // When it has gone, a closed root no longer says from where.
  let last: EventTarget | null = null;
  const onFocus = (event: Event) => {
    last = event.target;
  };
  shadow.addEventListener('focus', onFocus, { capture: true, signal });
  return ({ type }) => {
    const part = type === 'focus' ? shadow.activeElement : last;
    if (type === 'blur') last = null;
    part?.dispatchEvent(asOurs(new FocusEvent(type)));
  };
}

function targetOf(shadow: ShadowRoot, event: Event): Element | null {
  // The window hears of our element alone, whatever in the closed root the event is for.
  if (event instanceof MouseEvent && (event.detail > 0 || event.type !== 'click')) {
    return shadow.elementFromPoint(event.clientX, event.clientY);
  }
  return shadow.activeElement;
}

/** A copy that stays inside the shadow root, and that our parts act on. */
function copyOf(event: Event): Event {
  return asOurs(imitate(event));
}

function imitate(event: Event): Event {
  const init = { bubbles: true, cancelable: true, composed: false };
  if (event instanceof KeyboardEvent) {
    const { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat, isComposing } = event;
    const facts = { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat, isComposing };
    // Firefox lets a `KeyboardEvent` out of a shadow root, composed or not.
    return Object.defineProperties(
      new Event(event.type, init),
      Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { value }])),
    );
  }
  if (event instanceof MouseEvent) {
    const { clientX, clientY, button, detail, shiftKey, ctrlKey, metaKey, altKey } = event;
    return new MouseEvent(event.type, {
      ...init,
      clientX,
      clientY,
      button,
      detail,
      shiftKey,
      ctrlKey,
      metaKey,
      altKey,
    });
  }
  return new Event(event.type, init);
}
