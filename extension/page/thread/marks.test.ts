// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { apart, distinct, letterOf } from './marks';

/** There is no layout here; what is measured goes by the prototype, so that the page cannot pretend. */
const boxes = vi.hoisted(() => {
  const known = new WeakMap<Element, DOMRect>();
  Element.prototype.getBoundingClientRect = function () {
    return known.get(this) ?? new DOMRect();
  };
  return known;
});

afterEach(() => {
  document.body.replaceChildren();
});

/** An element that is drawn at this place. */
function drawn(name: string, around: Element, [x, y, width, height]: readonly number[]): Element {
  const element = document.createElement(name);
  boxes.set(element, new DOMRect(x, y, width, height));
  around.append(element);
  return element;
}

test('candidates are told by letters, however many they are', () => {
  expect([0, 1, 25, 26, 51, 52].map(letterOf)).toEqual(['A', 'B', 'Z', 'AA', 'AZ', 'BA']);
});

test('of candidates that are at one place, one in the other, the best is left', () => {
  const at = [100, 20, 120, 40];
  const actions = drawn('div', document.body, at);
  const button = drawn('button', actions, [100.4, 20, 120, 40]);
  const count = drawn('span', button, [180, 28, 24, 16]);
  expect(distinct([button, actions, count])).toEqual([button, count]);
  expect(distinct([actions, count, button])).toEqual([actions, count]);
});

test('candidates at one place of which none is in the other are both kept, as are those that are not drawn', () => {
  const over = [drawn('p', document.body, [0, 0, 9, 9]), drawn('p', document.body, [0, 0, 9, 9])];
  expect(distinct(over)).toEqual(over);
  const closed = drawn('div', document.body, [0, 0, 0, 0]);
  const inside = drawn('p', closed, [0, 0, 0, 0]);
  expect(distinct([closed, inside])).toEqual([closed, inside]);
});

test('marks on one another are moved apart, into the window, and others stay', () => {
  const far = { x: 500, y: 300 };
  const stacked = [{ x: 90, y: 10 }, { x: 90, y: 10 }, { x: 100, y: 18 }, far];
  const places = apart(stacked, 1_000);
  expect(places[0]).toEqual({ x: 90, y: 10 });
  expect(places[3]).toEqual(far);
  const overlaps = places.filter((a, at) =>
    places.slice(at + 1).some((b) => Math.abs(a.x - b.x) < 22 && Math.abs(a.y - b.y) < 22),
  );
  expect(overlaps).toEqual([]);
  for (const { x } of apart(Array(6).fill({ x: 978, y: 4 }), 1_000)) expect(x).toBeLessThanOrEqual(978);
});
