/** Where a pin is put beside its element: at the corner of a large one, outside of a small one, and not on another pin. Pure. */

export const PIN_SIZE = 24;
/** Pins nearer than this would cover one another; numbers of two digits make them wider. */
const APART = 42;
/** Places that are tried for one pin: beyond that they may cover one another. */
const MOST_SPOTS = 60;
/** An element lower or narrower than this would lose too much of itself under a pin at its corner. */
const SMALL = { width: 96, height: 56 };

export interface Spot {
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

/** The top left corner of a pin for an element of which `part` can be seen. Adds it to `taken`. */
export function freeSpot(part: DOMRectReadOnly, taken: Spot[], viewport: Size): Spot {
  const spot = besides(part, viewport).find((each) => !covers(each, taken)) ?? inRow(part, taken, viewport);
  taken.push(spot);
  return spot;
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

function besides(part: DOMRectReadOnly, viewport: Size): Spot[] {
  const corner = { x: part.right - PIN_SIZE / 2, y: part.top - PIN_SIZE / 2 };
  const small = part.height < SMALL.height || part.width < SMALL.width;
  const wanted = small
    ? [
        { x: corner.x, y: part.top - PIN_SIZE - 1 },
        { x: part.right + 3, y: part.top + (part.height - PIN_SIZE) / 2 },
        { x: corner.x, y: part.bottom + 1 },
        { x: part.left - PIN_SIZE - 15, y: part.top + (part.height - PIN_SIZE) / 2 },
      ]
    : [corner];
  const fits = ({ x, y }: Spot) =>
    x >= 2 && y >= 2 && x <= viewport.width - PIN_SIZE - 12 && y <= viewport.height - PIN_SIZE - 2;
  return wanted.filter(fits);
}

/** At the corner, pushed into the window, then beside the pins that are there already. */
function inRow(part: DOMRectReadOnly, taken: readonly Spot[], viewport: Size): Spot {
  const clamp = (value: number, most: number) => Math.max(2, Math.min(value, most - PIN_SIZE - 2));
  const spot = {
    x: clamp(part.right - PIN_SIZE / 2, viewport.width),
    y: clamp(part.top - PIN_SIZE / 2, viewport.height),
  };
  const start = spot.x;
  const step = start > viewport.width / 4 ? -APART : APART;
  for (let tries = 0; tries < MOST_SPOTS && covers(spot, taken); tries++) {
    const next = clamp(spot.x + step, viewport.width);
    // At the window's edge the next row begins.
    if (Math.abs(next - spot.x) < APART) {
      spot.x = start;
      spot.y = clamp(spot.y + PIN_SIZE + 4, viewport.height);
    } else spot.x = next;
  }
  return spot;
}

function covers(spot: Spot, taken: readonly Spot[]): boolean {
  return taken.some(
    (each) => Math.abs(each.x - spot.x) < APART - 4 && Math.abs(each.y - spot.y) < PIN_SIZE + 2,
  );
}
