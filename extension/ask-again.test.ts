import { expect, test, vi } from 'vitest';
import { TooLate, Unanswered, untilAnswered } from './ask-again';

test('who got no answer asks again, and hears the answer', async () => {
  const ask = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Unanswered('ended'));
  ask.mockResolvedValueOnce('done');
  expect(await untilAnswered(ask)).toBe('done');
  expect(ask).toHaveBeenCalledTimes(2);
});

test('a refusal is an answer', async () => {
  const ask = vi.fn(async () => Promise.reject(new Error('The text is empty.')));
  await expect(untilAnswered(ask)).rejects.toThrow('The text is empty.');
  expect(ask).toHaveBeenCalledTimes(1);
});

test('a background that never answers is said not to', async () => {
  const ask = vi.fn(async () => Promise.reject(new Unanswered('It did not answer.')));
  await expect(untilAnswered(ask)).rejects.toThrow('It did not answer.');
  expect(ask).toHaveBeenCalledTimes(4);
});

test('a background that hangs is not asked again: who asked would wait once more, each time as long', async () => {
  const ask = vi.fn(async () => Promise.reject(new TooLate('It hangs.')));
  await expect(untilAnswered(ask)).rejects.toThrow('It hangs.');
  expect(ask).toHaveBeenCalledTimes(1);
});
