import { expect, test } from 'vitest';
import { inImage } from './screenshots';

test('a crop has a margin, device pixels and never leaves the image', () => {
  expect(inImage({ x: 100, y: 50, width: 20, height: 10 }, 10, 2, 1000, 1000)).toEqual({
    x: 180,
    y: 80,
    width: 80,
    height: 60,
  });
  expect(inImage({ x: -50, y: 0, width: 2000, height: 10 }, 0, 1, 800, 600)).toEqual({
    x: 0,
    y: 0,
    width: 800,
    height: 10,
  });
});

test('an element outside the view gives an empty crop', () => {
  expect(inImage({ x: 0, y: 5000, width: 10, height: 10 }, 24, 1, 800, 600).height).toBe(0);
});
