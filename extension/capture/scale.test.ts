import { expect, test } from 'vitest';
import { enlargementOf, stretchOf } from './scale';

const style = (own: Partial<CSSStyleDeclaration>) => own as CSSStyleDeclaration;

test('a length becomes as much longer as the direction in which it becomes longest', () => {
  expect(stretchOf({ a: 1, b: 0, c: 0, d: 1 })).toBe(1);
  expect(stretchOf({ a: 3, b: 0, c: 0, d: -2 })).toBe(3);
  const half = Math.SQRT1_2;
  expect(stretchOf({ a: half, b: half, c: -half, d: half })).toBeCloseTo(1, 6);
  // Skewed by 45 degrees, the diagonal is longer by the golden ratio.
  expect(stretchOf({ a: 1, b: 0, c: 1, d: 1 })).toBeCloseTo(1.618, 3);
});

test('own properties enlarge as a transform does, and nothing counts as smaller', () => {
  expect(enlargementOf(style({ transform: 'none', scale: '1 -3', zoom: '2' }))?.factor).toBe(6);
  expect(enlargementOf(style({ transform: 'none', scale: '0.5', zoom: '0.5' }))?.factor).toBe(1);
  expect(enlargementOf(style({ transform: 'none', rotate: '45deg', translate: '1px 2px' }))?.isDeep).toBe(
    false,
  );
  expect(enlargementOf(style({ transform: 'none', rotate: 'y 45deg' }))?.isDeep).toBe(true);
  expect(enlargementOf(style({ transform: 'none', translate: '0px 0px 9px' }))?.isDeep).toBe(true);
});

test('what is not known is not said', () => {
  expect(enlargementOf(style({ transform: 'a transform of tomorrow' }))).toBeNull();
  expect(enlargementOf(style({ transform: 'none', scale: 'large' }))).toBeNull();
});
