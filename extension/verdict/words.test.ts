import { expect, test } from 'vitest';
import { verdictWords } from './words';

test('a verdict of a change does not say again that it changed; the others are named', () => {
  expect(verdictWords('changed', 0.994)).toBe('99 % sure');
  expect(verdictWords('missing', 0.97)).toBe('Not found (97 % sure)');
  expect(verdictWords('ambiguous', 0.5)).toBe('One of several (50 % sure)');
});
