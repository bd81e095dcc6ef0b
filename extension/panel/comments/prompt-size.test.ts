import { expect, test } from 'vitest';
import { promptTokens } from './prompt-size';

test('tokens are counted by bytes, rounded up to ten', () => {
  expect(promptTokens('')).toBe(0);
  expect(promptTokens('abcd')).toBe(10);
  expect(promptTokens('x'.repeat(4000))).toBe(1000);
  expect(promptTokens('é'.repeat(4000))).toBe(2000);
});
