// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Spot } from '../positioning/outline';
import { freeSpot, leavesRoom, PIN_SIZE, pinWidth, type Taken, tipSide, union } from './spot';

const viewport = { width: 1_000, height: 800 };
const overlap = (box: DOMRect, { x, y }: Spot) =>
  Math.max(0, Math.min(box.right, x + PIN_SIZE) - Math.max(box.left, x)) *
  Math.max(0, Math.min(box.bottom, y + PIN_SIZE) - Math.max(box.top, y));

test('a small button stays free, wherever in the window it is', () => {
  for (const [x, y] of [
    [400, 300],
    [0, 0],
    [920, 0],
    [0, 770],
    [920, 770],
  ] as const) {
    const box = new DOMRect(x, y, 80, 28);
    expect(overlap(box, freeSpot(box, [], viewport))).toBe(0);
  }
});

test('above a small element at the window’s edge a pin is pushed into the window, not put elsewhere', () => {
  const box = new DOMRect(860, 300, 122, 41);
  // 970 + 36 + 4 is beyond the window.
  expect(freeSpot(box, [], viewport)).toEqual({ x: 960, y: 275 });
  // Pushed down it would cover the element.
  expect(freeSpot(new DOMRect(400, 20, 80, 28), [], viewport)).toEqual({ x: 483, y: 22 });
});

test('a large element has its pin at the corner', () => {
  expect(freeSpot(new DOMRect(100, 100, 300, 200), [], viewport)).toEqual({ x: 388, y: 88 });
});

test('pins of one element stand beside one another, in the window', () => {
  const taken: Taken[] = [];
  const box = new DOMRect(100, 100, 300, 200);
  for (let pin = 0; pin < 12; pin++) freeSpot(box, taken, viewport);
  expect(new Set(taken.map(({ x, y }) => `${x} ${y}`)).size).toBe(12);
  for (const { x, y } of taken) {
    expect(x).toBeGreaterThanOrEqual(2);
    expect(x).toBeLessThanOrEqual(viewport.width - PIN_SIZE);
    expect(y).toBeLessThanOrEqual(viewport.height - PIN_SIZE);
  }
});

test('a pin is wholly in the window, with its ring and marks, however many digits its number has', () => {
  for (const number of [7, 42, 128]) {
    const width = pinWidth(number);
    expect(width).toBeGreaterThanOrEqual(27 + 8.4 * String(number).length);
    for (const box of [
      new DOMRect(0, 0, 1_000, 800),
      new DOMRect(600, 300, 400, 200),
      new DOMRect(600, 300, 362, 200),
      new DOMRect(930, 300, 70, 28),
      new DOMRect(958, 4, 20, 20),
      new DOMRect(0, 780, 30, 20),
      new DOMRect(-300, -100, 310, 110),
    ]) {
      const taken: Taken[] = [];
      for (let pin = 0; pin < 8; pin++) {
        const { x, y } = freeSpot(box, taken, viewport, width);
        expect(x).toBeGreaterThanOrEqual(4);
        expect(y).toBeGreaterThanOrEqual(4);
        expect(x + width).toBeLessThanOrEqual(viewport.width - 4);
        expect(y + PIN_SIZE).toBeLessThanOrEqual(viewport.height - 4);
      }
    }
  }
});

test.each([7, 42, 128, 4_711, 1_000_000, undefined])(
  'pins of one element whose numbers are like %s do not cover one another',
  (number) => {
    for (const box of [new DOMRect(100, 100, 300, 200), new DOMRect(20, 300, 100, 200)]) {
      const taken: Taken[] = [];
      for (let pin = 0; pin < 8; pin++) freeSpot(box, taken, viewport, pinWidth(number));
      for (const [at, one] of taken.entries())
        for (const other of taken.slice(at + 1)) {
          const [left, right] = one.x < other.x ? [one, other] : [other, one];
          // What the width is at most is a little more than it is.
          const isApart = right.x - left.x >= left.width - 4;
          expect(isApart || Math.abs(one.y - other.y) >= PIN_SIZE).toBe(true);
        }
    }
  },
);

test('a thread leaves a button free, and not a whole column', () => {
  expect(leavesRoom(new DOMRect(100, 100, 280, 40), viewport)).toBe(true);
  expect(leavesRoom(new DOMRect(100, 100, 280, 700), viewport)).toBe(false);
  expect(leavesRoom(new DOMRect(0, 100, 1_000, 40), viewport)).toBe(false);
  const { left, top, right, bottom } = union(new DOMRect(10, 20, 30, 40), new DOMRect(35, 5, 100, 20));
  expect([left, top, right, bottom]).toEqual([10, 5, 135, 60]);
});

test('the words of a pin cover neither its element nor the window’s edge, wherever there is room', () => {
  const width = pinWidth(1);
  for (const isTall of [false, true]) {
    const height = isTall ? 100 : 24;
    for (const [x, y, wide, high] of [
      [500, 400, 100, 30],
      [500, 2, 100, 30],
      [880, 2, 100, 30],
      // Its pin stands below it.
      [860, 2, 100, 30],
      [2, 2, 100, 30],
      [2, 2, 400, 300],
      [300, 0, 300, 700],
      [400, 760, 100, 30],
    ] as const) {
      const part = new DOMRect(x, y, wide, high);
      const at = freeSpot(part, [], viewport);
      const side = tipSide(at, width, isTall, part, viewport);
      const isLeft = side.endsWith('left');
      const beside = isLeft ? at.x - 286 : at.x + width + 6;
      const left = side.startsWith('beside') ? beside : isLeft ? at.x + width - 280 : at.x;
      const top = { above: at.y - 6 - height, below: at.y + PIN_SIZE + 6, beside: at.y }[
        side.split(' ')[0] as 'above'
      ];
      const name = `${[x, y, wide, high]} ${side}`;
      expect(left >= 0 && top >= 0 && left + 280 <= 1_000 && top + height <= 800, name).toBe(true);
      const across = Math.min(part.right, left + 280) - Math.max(part.left, left);
      const down = Math.min(part.bottom, top + height) - Math.max(part.top, top);
      expect(Math.min(across, down), name).toBeLessThanOrEqual(0);
    }
  }
});

test('the words of a pin stay in the window, over the element where that fills it', () => {
  const all = new DOMRect(0, 0, 1_000, 800);
  expect(tipSide(freeSpot(all, [], viewport), pinWidth(1), false, all, viewport)).toBe('beside left');
});
