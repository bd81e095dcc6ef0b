import { expect, test } from 'vitest';
import { timeLeft, timeLeftEvery } from './time-left';

test.each([
  [7_500_000, '2 h 5 min left'],
  [245_000, '4 min 5 s left'],
  [60_000, '1 min 0 s left'],
  [11_001, '12 s left'],
  [1, '1 s left'],
  [0, 'time ran out'],
  [-5, 'time ran out'],
])('%i ms are said as %s', (ms, words) => {
  expect(timeLeft(ms)).toBe(words);
});

test('who wants no motion sees it change less often', () => {
  expect(timeLeftEvery(true)).toBeGreaterThan(timeLeftEvery(false));
});
