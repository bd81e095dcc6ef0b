// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { freeSpot, leavesRoom, PIN_SIZE, type Spot, union } from './spot';

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

test('a thread leaves a button free, and not a whole column', () => {
  expect(leavesRoom(new DOMRect(100, 100, 280, 40), viewport)).toBe(true);
  expect(leavesRoom(new DOMRect(100, 100, 280, 700), viewport)).toBe(false);
  expect(leavesRoom(new DOMRect(0, 100, 1_000, 40), viewport)).toBe(false);
  const { left, top, right, bottom } = union(new DOMRect(10, 20, 30, 40), new DOMRect(35, 5, 100, 20));
  expect([left, top, right, bottom]).toEqual([10, 5, 135, 60]);
});
