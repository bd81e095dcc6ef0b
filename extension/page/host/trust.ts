/**
 * Which events inside our root come from the person. Everything else is stopped before any part of ours gets it: a page
 * that reached the root by some way that we do not know could otherwise press our buttons.
 */
import type { FieldKey } from '../../field/protocol';
import { POINTER_EVENTS } from './pointer-events';

/** Every type that a part of ours listens to, or that a browser acts on by default, and what leads to them. */
const GUARDED = [
  ...POINTER_EVENTS,
  'keydown',
  'keyup',
  'keypress',
  'beforeinput',
  'input',
  'change',
  'submit',
  'reset',
  'paste',
  'drop',
  'focus',
  'blur',
  'focusin',
  'focusout',
  'mouseenter',
  'mouseleave',
  'wheel',
  'scroll',
  'cancel',
  'close',
  'toggle',
  'command',
] as const;

/** Copies that we made of the person's events. */
const copies = new WeakSet<Event>();

export function asOurs(copy: Event): Event {
  copies.add(copy);
  return copy;
}

/** A key that the person pressed in one of our frames, as an event for the parts around it. */
export function ownKey({ key, shiftKey, ctrlKey, metaKey }: FieldKey): Event {
  const facts = { key, shiftKey, ctrlKey, metaKey, altKey: false, repeat: false, isComposing: false };
  // As copies are (`isolation.ts`): Firefox lets a `KeyboardEvent` out of a shadow root, composed or not.
  const event = Object.defineProperties(
    new Event('keydown', { bubbles: true, cancelable: true, composed: false }),
    Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { value }])),
  );
  return asOurs(event);
}

/** Stops every event inside `shadow` that neither the browser nor we made. */
export function guardRoot(shadow: ShadowRoot, signal: AbortSignal): void {
  const onEvent = (event: Event) => {
    if (event.isTrusted || copies.has(event)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  for (const type of GUARDED)
    shadow.addEventListener(type, onEvent, { capture: true, signal, passive: false });
}
