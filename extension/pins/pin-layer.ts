/**
 * All pins of this page: made from the comments, placed at their elements, docked at the edge when there is none. Placing is
 * measuring only; looking for elements is `look.ts`.
 */
import { effect } from '@preact/signals';
import { viewportBox } from '../capture/geometry';
import { isAttached } from '../capture/tree';
import type { Comment } from '../generated/Comment';
import type { Follow } from '../overlay/follow';
import { Outline } from '../overlay/outline';
import type { Root } from '../overlay/root';
import type { State } from '../overlay/state';
import { clippersOf, visiblePart } from './clip';
import { Dock } from './dock';
import { firstGuess } from './look';
import { Pin } from './pin';
import type { Sightings } from './sightings';
import { standingOf } from './standing';

interface Entry {
  comment: Comment;
  pin: Pin;
  /** Where the selector points, until the core has looked. */
  guess: WeakRef<Element> | null;
  /** Cut off by these; null: find out again. */
  clippers: readonly Element[] | null;
  watched: Element | null;
}

const PIN_SIZE = 24;
/** Pins nearer than this would cover one another; numbers of two digits make them wider. */
const APART = 42;
/** Places that are tried for one pin: beyond that they may cover one another. */
const MOST_SPOTS = 60;

export interface PinLayer {
  /** Verdicts or elements are new: draw again. */
  refresh: () => void;
  /** The page's structure changed: what cuts off an element may be another. */
  relayout: () => void;
  /** Where a comment's pin is drawn now; null when it is not. */
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
  let shown: { id: string; frames: Outline[] } | null = null;

  const elementOf = (entry: Entry): Element | null => {
    if (sightings.of(entry.comment.id).length > 0) {
      return sightings.elements(entry.comment.id).find((element) => element !== null) ?? null;
    }
    const guess = entry.guess?.deref();
    return guess && isAttached(guess) ? guess : null;
  };

  const highlight = (id: string | null) => {
    if (shown?.id === id) return;
    for (const frame of shown?.frames ?? []) frame.remove();
    shown = null;
    if (!id) return;
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
    const leave = () => highlight(state.opened.value);
    button.addEventListener('mouseenter', () => highlight(comment.id));
    button.addEventListener('mouseleave', leave);
    button.addEventListener('focus', () => highlight(comment.id));
    button.addEventListener('blur', leave);
    const guess = firstGuess(comment);
    const entry: Entry = {
      comment,
      pin,
      guess: guess ? new WeakRef(guess) : null,
      clippers: null,
      watched: null,
    };
    entries.set(comment.id, entry);
    return entry;
  };

  const draw = (entry: Entry) => {
    const seen = sightings.of(entry.comment.id).map((sighting) => sighting.verdict);
    const number = state.numbers.value.get(entry.comment.id) ?? 0;
    entry.pin.describe(entry.comment, number, standingOf(entry.comment, seen));
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
  };

  /** Places every pin; returns whether any moved. */
  const placeAll = (): boolean => {
    const taken: { x: number; y: number }[] = [];
    const docked: Pin[] = [];
    let moved = false;
    for (const entry of entries.values()) {
      const element = elementOf(entry);
      if (element !== entry.watched) draw(entry);
      const box = element ? viewportBox(element) : null;
      // Not found, or found but not drawn at all: the pin must not be lost.
      if (!element || !box || (box.width === 0 && box.height === 0)) {
        docked.push(entry.pin);
        continue;
      }
      entry.clippers ??= clippersOf(element);
      const part = visiblePart(element, entry.clippers);
      if (entry.pin.button.parentNode !== layer) layer.append(entry.pin.button);
      moved = entry.pin.moveTo(part ? freeSpot(part, taken) : null) || moved;
    }
    moved = dock.show(docked) || moved;
    for (const frame of shown?.frames ?? []) moved = frame.update() || moved;
    return moved;
  };

  const refresh = () => {
    for (const entry of entries.values()) draw(entry);
    if (shown) {
      const { id } = shown;
      highlight(null);
      highlight(entries.has(id) ? id : null);
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
    }
    for (const comment of pinned) {
      const entry = entries.get(comment.id) ?? add(comment);
      entry.comment = comment;
      draw(entry);
    }
    // Keyboard order is reading order: by number.
    placeAll();
    follow.wake();
  });
  const stopOpened = effect(() => highlight(state.opened.value));
  follow.each(placeAll, signal);
  signal.addEventListener('abort', () => {
    stop();
    stopOpened();
  });

  return {
    refresh,
    relayout: () => {
      for (const entry of entries.values()) entry.clippers = null;
      follow.wake();
    },
    pinBox: (commentId) => {
      const button = entries.get(commentId)?.pin.button;
      return button && !button.hidden && button.isConnected ? button.getBoundingClientRect() : null;
    },
  };
}

/** At the top right corner of what is seen of the element, beside pins that are there already. */
function freeSpot(part: DOMRect, taken: { x: number; y: number }[]): { x: number; y: number } {
  const clamp = (value: number, most: number) => Math.max(2, Math.min(value, most - PIN_SIZE - 2));
  const spot = {
    x: clamp(part.right - PIN_SIZE / 2, innerWidth),
    y: clamp(part.top - PIN_SIZE / 2, innerHeight),
  };
  const start = spot.x;
  const step = start > innerWidth / 4 ? -APART : APART;
  for (let tries = 0; tries < MOST_SPOTS; tries++) {
    const covered = taken.some(
      (each) => Math.abs(each.x - spot.x) < APART - 4 && Math.abs(each.y - spot.y) < PIN_SIZE + 2,
    );
    if (!covered) break;
    const next = clamp(spot.x + step, innerWidth);
    // At the window's edge the next row begins.
    if (Math.abs(next - spot.x) < APART) {
      spot.x = start;
      spot.y = clamp(spot.y + PIN_SIZE + 4, innerHeight);
    } else spot.x = next;
  }
  taken.push(spot);
  return spot;
}
