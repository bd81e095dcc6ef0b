/**
 * Picking: while it is on, pointer and keys choose elements, and the page's own handlers see nothing of it.
 *
 * A transparent shield over the page takes the pointer: the page gets no hover, no click, and its cursor is ours
 * without a style of the page being touched. Under a modal dialog of the page the shield is inert; then the listeners
 * on the windows see the pointer on the dialog's own elements (with the page's cursor), and swallow it.
 */
import { effect } from '@preact/signals';
import { scrollIntoView, viewOf } from '../../capture/dom';
import { placementOf } from '../../capture/geometry';
import { documentsOf, isAttached, isElement } from '../../capture/tree';
import { openPopover } from '../host/modal';
import { POINTER_EVENTS } from '../host/pointer-events';
import type { Root } from '../host/root';
import type { Follow } from '../positioning/follow';
import { Outline } from '../positioning/outline';
import { choose, pickedIn, stopPicking } from '../state/pick';
import type { State } from '../state/state';
import { elementAt, scrollAt } from './hit';
import { DIRECTIONS, Trail } from './walk';

const POINTER: ReadonlySet<string> = new Set(POINTER_EVENTS);

/** As many as the core takes for one comment. */
const MAX_PICKED = 50;

export interface Picking {
  /** The elements are chosen: open the box, or pin anew. */
  onDone: (elements: readonly Element[]) => void;
}

export function initPicking(
  root: Root,
  state: State,
  follow: Follow,
  picking: Picking,
  signal: AbortSignal,
): void {
  let active: AbortController | null = null;
  const stop = effect(() => {
    const on = state.picking.value;
    if (on && !active) {
      active = new AbortController();
      start(root, state, follow, picking, AbortSignal.any([signal, active.signal]));
    } else if (!on && active) {
      active.abort();
      active = null;
    }
  });
  signal.addEventListener('abort', () => {
    stop();
    active?.abort();
  });
}

function start(root: Root, state: State, follow: Follow, picking: Picking, signal: AbortSignal): void {
  const layer = root.layer('picking');
  const shield = document.createElement('div');
  shield.className = 'shield';
  root.shadow.prepend(shield);
  let hover: Outline | null = null;
  let picked: readonly Element[] = [];
  let picks: Outline[] = [];
  let pointer = { x: -1, y: -1 };
  const trail = new Trail();

  const show = (element: Element | null) => {
    if (hover?.element === element) return;
    hover?.remove();
    // What is pointed at no more is let go: the page may take it away.
    if (hover) follow.unwatch(hover.element);
    hover = element ? new Outline(layer, element, { kind: 'hover', label: true }) : null;
    if (element) follow.watch(element);
  };

  const stopPicks = effect(() => {
    const now = pickedIn(state.pick.value);
    if (now === picked) return;
    picked = now;
    for (const each of picks) {
      each.remove();
      follow.unwatch(each.element);
    }
    picks = picked.map(
      (element, at) =>
        new Outline(layer, element, {
          kind: 'picked',
          ...(picked.length > 1 ? { mark: String(at + 1) } : {}),
        }),
    );
    for (const element of picked) follow.watch(element);
  });
  // A click on the shield would dismiss a popover of the page; without it the click is in the popover, and swallowed.
  const letThrough = () => {
    shield.hidden = state.composing.value || openPopover() !== null;
  };
  window.addEventListener('toggle', letThrough, { capture: true, signal });
  const stopComposing = effect(() => {
    letThrough();
    if (state.composing.value) show(null);
  });
  const onFollow = () => {
    if (hover && !isAttached(hover.element)) show(null);
    return [hover, ...picks].map((outline) => outline?.update() ?? false).some(Boolean);
  };
  follow.each(onFollow, signal);
  signal.addEventListener('abort', () => {
    root.interceptors.delete(onEvent);
    show(null);
    stopPicks();
    for (const { element } of picks) follow.unwatch(element);
    stopComposing();
    shield.remove();
    layer.remove();
  });

  const pick = (element: Element, several: boolean) => {
    const now = state.pick.value;
    if (now.step !== 'choosing') return;
    const { purpose, elements } = now;
    const isPicked = elements.includes(element);
    if (elements.length >= MAX_PICKED && !isPicked) {
      state.notice.value = { kind: 'error', text: `A comment can be about ${MAX_PICKED} elements at most.` };
      return;
    }
    if (several && purpose.kind !== 'repin') {
      choose(state, isPicked ? elements.filter((each) => each !== element) : [...elements, element]);
      return;
    }
    picking.onDone(isPicked ? elements : [...elements, element]);
  };

  const onPointer = (event: Event): boolean => {
    if (state.composing.value) return false;
    const mouse = event as MouseEvent;
    if (event.target === root.host && !isShieldAt(root, shield, mouse)) return false;
    event.stopImmediatePropagation();
    if (event.cancelable && !event.type.startsWith('touch')) event.preventDefault();
    const at = inTopViewport(event);
    if (!at) return true;
    // Some browsers repeat the last move when the page changes below a resting pointer: the keys' choice stays.
    const moved = at.x !== pointer.x || at.y !== pointer.y;
    pointer = at;
    if (/move$|over$/.test(event.type)) {
      if (moved) show(elementAt(at.x, at.y));
    } else if (event.type === 'click' && mouse.button === 0) {
      const element = moved || !hover ? elementAt(at.x, at.y) : hover.element;
      if (element) pick(element, mouse.shiftKey);
    }
    return true;
  };

  const onKey = (event: KeyboardEvent): boolean => {
    if (state.composing.value || event.isComposing || event.altKey || event.ctrlKey || event.metaKey)
      return false;
    if (state.opened.value) return false;
    // Keys on our own buttons are theirs, except for walking and leaving.
    const onOurs = event.target === root.host && root.shadow.activeElement?.localName === 'button';
    const direction = DIRECTIONS[event.key];
    if (direction) {
      const from = hover?.element ?? picked.at(-1) ?? document.body;
      const next = hover ? trail.step(from, direction) : from;
      if (next) {
        show(next);
        scrollIntoView(next, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
      }
    } else if (event.key === 'Enter' && !onOurs) {
      if (hover) pick(hover.element, event.shiftKey);
      else if (picked.length > 0) picking.onDone(picked);
    } else if (event.key === 'Escape') {
      if (picked.length > 0) choose(state, []);
      else stopPicking(state);
    } else return false;
    event.stopImmediatePropagation();
    event.preventDefault();
    return true;
  };
  const onKeyUp = (event: KeyboardEvent): boolean => {
    const ours = DIRECTIONS[event.key] || event.key === 'Enter' || event.key === 'Escape';
    if (state.composing.value || !ours || event.target === root.host) return false;
    event.stopImmediatePropagation();
    return true;
  };
  const onEvent = (event: Event): boolean => {
    if (!event.isTrusted) return false;
    if (event.type === 'keydown') return onKey(event as KeyboardEvent);
    if (event.type === 'keyup') return onKeyUp(event as KeyboardEvent);
    return POINTER.has(event.type) && onPointer(event);
  };
  const onWheel = (event: WheelEvent) => {
    if (!event.isTrusted || event.target !== root.host || state.composing.value || event.ctrlKey) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? innerHeight : 1;
    scrollAt(event.clientX, event.clientY, event.deltaX * unit, event.deltaY * unit);
    requestAnimationFrame(() => show(elementAt(event.clientX, event.clientY)));
  };

  // The top window's events come through the isolation, which is the first to hear them; frames are listened to here.
  root.interceptors.add(onEvent);
  const windows = new WeakSet<Window>([window]);
  const listen = (view: Window | null) => {
    if (!view || windows.has(view)) return;
    windows.add(view);
    for (const type of [...POINTER, 'keydown', 'keyup']) {
      view.addEventListener(type, onEvent, { capture: true, passive: false, signal });
    }
  };
  const listenAll = () => {
    for (const each of documentsOf(document)) listen(viewOf(each));
  };
  listenAll();
  // A frame that loads while picking is on.
  document.addEventListener('load', (event) => event.isTrusted && listenAll(), { capture: true, signal });
  window.addEventListener('wheel', onWheel, { capture: true, passive: false, signal });
  root.raise();
}

/** Whether the pointer is on the shield, not on a pin or a bar of ours. */
function isShieldAt(root: Root, shield: HTMLElement, event: MouseEvent): boolean {
  const first = event.composedPath()[0];
  if (isElement(first as Node) && first !== root.host) return first === shield;
  return root.shadow.elementFromPoint(event.clientX, event.clientY) === shield;
}

/** Where the pointer is in the top window's viewport; a frame's events count from the frame. */
function inTopViewport(event: Event): { x: number; y: number } | null {
  if (!('clientX' in event)) return null;
  const { clientX, clientY, view } = event as MouseEvent;
  const inner = view?.document;
  if (!inner || inner === document) return { x: clientX, y: clientY };
  const placement = placementOf(inner);
  return { x: placement.x + clientX * placement.scaleX, y: placement.y + clientY * placement.scaleY };
}
