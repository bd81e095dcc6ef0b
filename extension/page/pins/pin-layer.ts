/**
 * All pins of this page: made from the comments, placed at their elements, docked at the edge when there is none.
 * Placing is measuring only; looking for elements is `look.ts`.
 */

import { effect } from '@preact/signals';
import { viewportBox } from '../../capture/geometry';
import { isAttached, parentOf } from '../../capture/tree';
import type { Comment } from '../../generated/Comment';
import { openModal } from '../host/modal';
import type { Root } from '../host/root';
import type { Follow } from '../positioning/follow';
import { Outline } from '../positioning/outline';
import { seenWindow } from '../positioning/seen-window';
import { firstGuess } from '../sightings/address';
import type { Sightings } from '../sightings/sightings';
import { type Standing, standingOf } from '../sightings/standing';
import { outOfView } from '../sightings/whereabouts';
import type { State } from '../state/state';
import { clippersOf, visiblePart } from './clip';
import { Dock } from './dock';
import { glides } from './glide';
import { Pin } from './pin';
import { freeSpot, leavesRoom, pinWidth, type Taken, union } from './spot';

interface Entry {
  comment: Comment;
  pin: Pin;
  /** Where the selector points, until the core has looked. */
  guess: WeakRef<Element> | null;
  /** Cut off by these; null: find out again. */
  clippers: readonly Element[] | null;
  watched: Element | null;
  standing: Standing;
  movedAt: number;
}

/**
 * On a page that changes all the time, what cuts off an element is found out again at most this often, milliseconds.
 */
const RELAYOUT_MS = 250;

/** Places without an element at which a pin stands in the dock rather than waiting where it was. */
const DOCKED: ReadonlySet<Standing['place']> = new Set(['away', 'gone', 'unread']);

/** Across shadow roots and frames. An element that is not known may be anywhere. */
function isWithin(element: Element | null, ancestor: Element): boolean {
  for (let each = element; each; each = parentOf(each)) if (each === ancestor) return true;
  return element === null;
}

export interface PinLayer {
  /** Verdicts or elements are new: draw again. */
  refresh: () => void;
  /** The page's structure changed: what cuts off an element may be another. */
  relayout: () => void;
  /** What a thread leaves free: the pin, and its element if that leaves the thread room; null when no pin is drawn. */
  pinBox: (commentId: string) => DOMRect | null;
}

export function initPinLayer(
  root: Root,
  state: State,
  follow: Follow,
  sightings: Sightings,
  watch: (element: Element) => void,
  signal: AbortSignal,
): PinLayer {
  const outlines = root.layer('targets');
  const layer = root.layer('pins');
  layer.setAttribute('role', 'group');
  layer.setAttribute('aria-label', 'Comments on this page');
  const dock = new Dock(layer, () => follow.wake());
  const entries = new Map<string, Entry>();
  const stillness = matchMedia('(prefers-reduced-motion: reduce)');
  let shown: { id: string; frames: Outline[] } | null = null;
  /** The pins that the pointer is on, and that the keyboard reached. */
  let pointed: string | null = null;
  let focused: string | null = null;
  let relayoutDue = false;
  let relayoutAt = Number.NEGATIVE_INFINITY;

  const elementOf = (entry: Entry): Element | null => {
    const known = sightings.of(entry.comment.id);
    if (known.length > 0 && known.every(({ unreadable }) => !unreadable)) {
      return sightings.elements(entry.comment.id).find((element) => element !== null) ?? null;
    }
    const guess = entry.guess?.deref();
    return guess && isAttached(guess) ? guess : null;
  };

  const clear = () => {
    for (const frame of shown?.frames ?? []) frame.remove();
    shown = null;
  };
  /** Frames the elements of the pin that is pointed at, else of that with the focus, else of the open one. */
  const highlight = () => {
    const id = pointed ?? focused ?? state.opened.peek();
    if (shown?.id === id) return;
    clear();
    if (!id || !entries.has(id)) return;
    const elements = sightings.elements(id).filter((element) => element !== null);
    shown = { id, frames: elements.map((element) => new Outline(outlines, element, { kind: 'target' })) };
    follow.wake();
  };

  const add = (comment: Comment): Entry => {
    const pin = new Pin(comment.id);
    const { button } = pin;
    button.addEventListener('click', () => {
      state.opened.value = state.opened.value === comment.id ? null : comment.id;
    });
    button.addEventListener('mouseenter', () => {
      pointed = comment.id;
      highlight();
    });
    button.addEventListener('mouseleave', () => {
      pointed = null;
      highlight();
    });
    button.addEventListener('focus', () => {
      // A click leaves the focus there as well, when the pointer has long gone on.
      focused = button.matches(':focus-visible') ? comment.id : null;
      highlight();
    });
    button.addEventListener('blur', () => {
      focused = null;
      highlight();
    });
    const guess = firstGuess(comment);
    const entry: Entry = {
      comment,
      pin,
      guess: guess ? new WeakRef(guess) : null,
      clippers: null,
      watched: null,
      standing: standingOf(comment, []),
      movedAt: Number.NEGATIVE_INFINITY,
    };
    entries.set(comment.id, entry);
    return entry;
  };

  /** Draws what a pin says; returns whether any of it is new. */
  const draw = (entry: Entry): boolean => {
    const { comment } = entry;
    entry.standing = standingOf(comment, sightings.of(comment.id), sightings.isHeld(comment.id));
    const isAnswered = state.answers.value.comments.includes(comment.id);
    const isNew = entry.pin.describe(comment, entry.standing, isAnswered);
    const element = elementOf(entry);
    if (element !== entry.watched) {
      if (entry.watched) follow.unwatch(entry.watched);
      if (element) {
        follow.watch(element);
        watch(element);
      }
      entry.watched = element;
      entry.clippers = null;
    }
    return isNew;
  };

  /** What is seen of where the pin belongs; `hidden`: nothing of it; `nowhere`: there is no such place. */
  const placeOf = (entry: Entry): DOMRect | 'hidden' | 'nowhere' | 'stay' => {
    const seen = sightings.of(entry.comment.id);
    if (entry.standing.place === 'scrolled') {
      for (const { whereabouts } of seen) {
        const out = whereabouts && outOfView(whereabouts);
        if (out) return out.edge;
      }
    }
    const element = elementOf(entry);
    if (element !== entry.watched) draw(entry);
    // Just gone: whether it comes back is known in a moment. One that never stood anywhere waits unseen.
    if (!element && !DOCKED.has(entry.standing.place)) return entry.pin.at ? 'stay' : 'hidden';
    const box = element ? viewportBox(element) : null;
    // Not found, or found but not drawn at all: the pin must not be lost.
    if (!element || !box || (box.width === 0 && box.height === 0)) return 'nowhere';
    entry.clippers ??= clippersOf(element);
    return visiblePart(element, entry.clippers) ?? 'hidden';
  };

  /** Places every pin; returns whether any moved. */
  const placeAll = (): boolean => {
    const now = performance.now();
    const calm = stillness.matches;
    if (relayoutDue && now - relayoutAt > RELAYOUT_MS) {
      relayoutDue = false;
      relayoutAt = now;
      for (const entry of entries.values()) entry.clippers = null;
    }
    // All is measured before anything is moved: a move in between would cost a layout each time.
    const places = [...entries.values()].map((entry) => [entry, placeOf(entry)] as const);
    const modal = openModal();
    const taken: Taken[] = [];
    const docked: Pin[] = [];
    let moved = false;
    for (const [entry, place] of places) {
      const { pin } = entry;
      const width = pinWidth(entry.comment.number);
      if (place === 'nowhere') {
        docked.push(pin);
        continue;
      }
      if (pin.button.parentNode !== layer) layer.append(pin.button);
      moved = pin.standsBehind(modal !== null && !isWithin(entry.watched, modal)) || moved;
      if (place === 'stay') {
        if (pin.at) taken.push({ ...pin.at, width });
        continue;
      }
      const spot = place === 'hidden' ? null : freeSpot(place, taken, seenWindow(), width);
      const part = place === 'hidden' ? null : place;
      const { scrolledAt } = follow;
      const { movedAt } = entry;
      const [dx, dy] = spot && pin.at ? [spot.x - pin.at.x, spot.y - pin.at.y] : [0, 0];
      if (pin.moveTo(spot, glides({ dx, dy, now, scrolledAt, movedAt, calm }), part)) {
        entry.movedAt = now;
        moved = true;
      }
    }
    moved = dock.show(docked) || moved;
    for (const frame of shown?.frames ?? []) moved = frame.update() || moved;
    return moved || relayoutDue;
  };

  const refresh = () => {
    let isNew = false;
    for (const entry of entries.values()) isNew = draw(entry) || isNew;
    // A pin that says "not found" stands in the dock from the same frame on: who reads it may click it.
    if (isNew) placeAll();
    if (shown) {
      clear();
      highlight();
    }
    follow.wake();
  };

  const stop = effect(() => {
    const pinned = state.pinned.value;
    const ids = new Set(pinned.map((comment) => comment.id));
    for (const [id, entry] of entries) {
      if (ids.has(id)) continue;
      entry.pin.button.remove();
      if (entry.watched) follow.unwatch(entry.watched);
      entries.delete(id);
      // An element that is taken out tells nobody that the pointer or the focus left it.
      if (pointed === id) pointed = null;
      if (focused === id) focused = null;
    }
    for (const comment of pinned) {
      const entry = entries.get(comment.id) ?? add(comment);
      entry.comment = comment;
      draw(entry);
    }
    // Keyboard order is reading order: by age.
    placeAll();
    highlight();
    follow.wake();
  });
  const stopOpened = effect(() => {
    const opened = state.opened.value;
    highlight();
    for (const [id, { pin }] of entries) pin.open(id === opened);
  });
  // While an element is picked, a click means the page: what stands over it is out of the way of pointer and keyboard.
  const stopPicking = effect(() => {
    layer.inert = state.picking.value && !state.composing.value;
    if (!layer.inert) return;
    // What is inert tells nobody that the pointer or the focus left it.
    pointed = null;
    focused = null;
    highlight();
  });
  const stopHiding = effect(() => {
    layer.hidden = state.pinsHidden.value;
    if (layer.hidden) {
      // What is hidden tells nobody that the pointer or the focus left it.
      pointed = null;
      focused = null;
      highlight();
    }
    // Shown again, what stood in the way of being measured is gone.
    follow.wake();
  });
  follow.each(placeAll, signal);
  // A modal dialog that opens or goes moves nothing of what it stands over.
  for (const type of ['toggle', 'close', 'focusin']) {
    const onDialog = (event: Event) => event.isTrusted && follow.wake();
    window.addEventListener(type, onDialog, { capture: true, passive: true, signal });
  }
  signal.addEventListener('abort', () => {
    stop();
    stopOpened();
    stopPicking();
    stopHiding();
  });

  return {
    refresh,
    relayout: () => {
      relayoutDue = true;
      follow.wake();
    },
    pinBox: (commentId) => {
      const entry = entries.get(commentId);
      const button = entry?.pin.button;
      if (!entry || !button || layer.hidden || button.hidden || !button.isConnected) return null;
      const pin = dock.boxFor(entry.pin) ?? button.getBoundingClientRect();
      const element = entry.standing.place === 'found' ? elementOf(entry) : null;
      const part = element && visiblePart(element, entry.clippers ?? clippersOf(element));
      return part && leavesRoom(part, seenWindow()) ? union(pin, part) : pin;
    },
  };
}
