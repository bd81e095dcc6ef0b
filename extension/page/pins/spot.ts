/**
 * Where a pin is put beside its element: at the corner of a large one, outside of a small one, and not on another pin.
 * Pure.
 */
import type { Spot } from '../positioning/outline';

export const PIN_SIZE = 24;
/** What a pin takes beside its number, and each digit of that, CSS pixels. */
const BARE_WIDTH = 27;
const DIGIT_WIDTH = 9;
/** What the mark of a comment without a number takes, CSS pixels. */
const MARK_WIDTH = 12;
/** Between a pin and the window's edge: its ring and its marks stand out by so much. */
const EDGE = 4;
/** Pins nearer than this would cover one another; numbers of three digits and more take more. */
const APART = 42;
/** Places that are tried for one pin: beyond that they may cover one another. */
const MOST_SPOTS = 60;
/** An element lower or narrower than this would lose too much of itself under a pin at its corner. */
const SMALL = { width: 96, height: 56 };

interface Size {
  width: number;
  height: number;
}

/** How wide the pin with this number, or with the mark of one that has none, is drawn, at most. */
export function pinWidth(number: number | string | undefined): number {
  return BARE_WIDTH + (number === undefined ? MARK_WIDTH : DIGIT_WIDTH * String(number).length);
}

/** Where a pin stands, and how wide it is. */
export interface Taken extends Spot {
  width: number;
}

/** The top left corner of a pin of this width, for an element of which `part` can be seen. Adds it to `taken`. */
export function freeSpot(
  part: DOMRectReadOnly,
  taken: Taken[],
  viewport: Size,
  width: number = pinWidth(1),
): Spot {
  const spots = besides(part, viewport, width);
  const isFree = (each: Spot) => !covers({ ...each, width }, taken);
  const { x, y } = spots.find(isFree) ?? inRow(part, taken, viewport, width);
  taken.push({ x, y, width });
  return { x, y };
}

/** Whether a thread finds its place beside this part of an element. */
export function leavesRoom(part: DOMRectReadOnly, viewport: Size): boolean {
  return part.width <= viewport.width / 2 && part.height <= viewport.height / 3;
}

/** The smallest box around both. */
export function union(a: DOMRectReadOnly, b: DOMRectReadOnly): DOMRect {
  const [x, y] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  return new DOMRect(x, y, Math.max(a.right, b.right) - x, Math.max(a.bottom, b.bottom) - y);
}

/** About as much as the words of a pin take, with a reason and without, and what is between them and the pin. */
const TIP = { width: 280, tall: 100, low: 24, gap: 6 };

const SIDES = [
  'above left',
  'above right',
  'beside right',
  'beside left',
  'below left',
  'below right',
] as const;
/** Where a pin's words stand, and to which side they go from there. */
export type TipSide = (typeof SIDES)[number];

/** Where the words of a pin at `at` are in the window and do not cover what they are about, of which `part` is seen. */
export function tipSide(
  at: Spot,
  width: number,
  isTall: boolean,
  part: DOMRectReadOnly | null,
  viewport: Size,
): TipSide {
  const height = isTall ? TIP.tall : TIP.low;
  const boxes = SIDES.map((side) => {
    const isLeft = side.endsWith('left');
    const x = isLeft ? at.x + width - TIP.width : at.x;
    if (side.startsWith('above')) return { side, x, y: at.y - TIP.gap - height };
    if (side.startsWith('below')) return { side, x, y: at.y + PIN_SIZE + TIP.gap };
    return { side, x: isLeft ? at.x - TIP.gap - TIP.width : at.x + width + TIP.gap, y: at.y };
  });
  const fitting = boxes.filter(
    ({ x, y }) => x >= 0 && y >= 0 && x + TIP.width <= viewport.width && y + height <= viewport.height,
  );
  const covers = ({ x, y }: Spot) =>
    part !== null && x < part.right && x + TIP.width > part.left && y < part.bottom && y + height > part.top;
  return (fitting.find((each) => !covers(each)) ?? fitting[0])?.side ?? 'below right';
}

function besides(part: DOMRectReadOnly, viewport: Size, width: number): Spot[] {
  const pushed = ({ x, y }: Spot) => ({ x: within(x, viewport.width - width), y: down(y, viewport) });
  const corner = { x: part.right - PIN_SIZE / 2, y: part.top - PIN_SIZE / 2 };
  const small = part.height < SMALL.height || part.width < SMALL.width;
  if (!small) return [pushed(corner)];
  const middle = part.top + (part.height - PIN_SIZE) / 2;
  const wanted = [
    { x: corner.x, y: part.top - PIN_SIZE - 1 },
    { x: part.right + 3, y: middle },
    { x: corner.x, y: part.bottom + 1 },
    { x: part.left - width - 3, y: middle },
  ];
  // Pushed into the window, they may still stand beside it.
  const isBeside = ({ x, y }: Spot) =>
    x + width <= part.left || x >= part.right || y + PIN_SIZE <= part.top || y >= part.bottom;
  return wanted.map(pushed).filter(isBeside);
}

/** At the corner, pushed into the window, then beside the pins that are there already. */
function inRow(part: DOMRectReadOnly, taken: readonly Taken[], viewport: Size, width: number): Spot {
  const apart = Math.max(APART, width);
  const across = (x: number) => within(x, viewport.width - width);
  const spot = { x: across(part.right - PIN_SIZE / 2), y: down(part.top - PIN_SIZE / 2, viewport), width };
  const start = spot.x;
  const step = start > viewport.width / 4 ? -apart : apart;
  for (let tries = 0; tries < MOST_SPOTS && covers(spot, taken); tries++) {
    const next = across(spot.x + step);
    // At the window's edge the next row begins.
    if (Math.abs(next - spot.x) < apart) {
      spot.x = start;
      spot.y = down(spot.y + PIN_SIZE + 4, viewport);
    } else spot.x = next;
  }
  return spot;
}

const within = (value: number, most: number) => Math.max(EDGE, Math.min(value, most - EDGE));
const down = (y: number, { height }: Size) => within(y, height - PIN_SIZE);

function covers(spot: Taken, taken: readonly Taken[]): boolean {
  return taken.some((each) => {
    const left = each.x < spot.x ? each : spot;
    const isBeside = Math.abs(each.x - spot.x) >= Math.max(APART, left.width) - 4;
    return !isBeside && Math.abs(each.y - spot.y) < PIN_SIZE + 2;
  });
}
