// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { freeSpot, leavesRoom, PIN_SIZE, pinWidth, type Spot, union } from './spot';

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

test('a large element has its pin at the corner', () => {
  expect(freeSpot(new DOMRect(100, 100, 300, 200), [], viewport)).toEqual({ x: 388, y: 88 });
});

test('pins of one element stand beside one another, in the window', () => {
  const taken: Spot[] = [];
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
      const taken: Spot[] = [];
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

test('a thread leaves a button free, and not a whole column', () => {
  expect(leavesRoom(new DOMRect(100, 100, 280, 40), viewport)).toBe(true);
  expect(leavesRoom(new DOMRect(100, 100, 280, 700), viewport)).toBe(false);
  expect(leavesRoom(new DOMRect(0, 100, 1_000, 40), viewport)).toBe(false);
  const { left, top, right, bottom } = union(new DOMRect(10, 20, 30, 40), new DOMRect(35, 5, 100, 20));
  expect([left, top, right, bottom]).toEqual([10, 5, 135, 60]);
});
