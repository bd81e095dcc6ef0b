import { expect, test } from 'vitest';
import { ago, fullTime } from './time';

const now = Date.UTC(2026, 10, 21, 12);
const minutes = (count: number) => now - count * 60_000;

test.each([
  [now + 5000, 'just now'],
  [now, 'just now'],
  [minutes(0.99), 'just now'],
  [minutes(1), '1 min ago'],
  [minutes(59.9), '59 min ago'],
  [minutes(60), '1 h ago'],
  [minutes(60 * 24 - 1), '23 h ago'],
  [minutes(60 * 24), 'yesterday'],
  [minutes(60 * 48), '2 days ago'],
  [minutes(60 * 24 * 7 - 1), '6 days ago'],
])('%i is %s', (at, words) => {
  expect(ago(at, now)).toBe(words);
});

test('a week ago and older is a date with its year', () => {
  expect(ago(minutes(60 * 24 * 40), now)).toContain('2026');
});

test('the full time names day and year', () => {
  expect(fullTime(now)).toMatch(/2026/);
});
