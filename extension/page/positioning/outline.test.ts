// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { badgeAt } from './outline';

test('the number of a frame is across its corner, and in the window where that is at the edge', () => {
  expect(badgeAt(100, 50)).toBe(-10);
  for (const start of [0, -40]) expect(start + badgeAt(start, 500)).toBe(2);
  // A frame that is scrolled out takes its number with it.
  expect(-80 + badgeAt(-80, 50)).toBeLessThan(-20);
});
