import { expect, test } from 'vitest';
import { isInWay } from './dodge';

const HEIGHT = 800;
/** 400 pixels wide, 40 high, 16 above the lower edge; its buttons are the last 80. */
const bar = { left: 300, right: 700, top: 744, bottom: 784, buttons: 620 };

test.each([
  ['on its words', 400, 760, true],
  ['just above its words', 400, 725, true],
  ['between it and the edge', 400, 799, true],
  ['just left of it', 285, 760, true],
  ['well above it', 400, 700, false],
  ['well left of it', 250, 760, false],
  ['on its buttons', 630, 760, false],
  ['above its buttons, on the way to them', 630, 730, false],
  ['right of it', 710, 760, false],
])('%s', (_name, x, y, isIt) => {
  expect(isInWay(bar, { x, y }, HEIGHT)).toBe(isIt);
});

test('at the upper edge it makes way as well', () => {
  expect(isInWay({ ...bar, top: 16, bottom: 56 }, { x: 400, y: 40 }, HEIGHT)).toBe(true);
});

test('in a window so low that it would be in the way at either edge, it stays', () => {
  expect(isInWay({ ...bar, top: 44, bottom: 84 }, { x: 400, y: 50 }, 100)).toBe(false);
});
