import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import { TooLate } from '../../ask-again';
import { BACKGROUND_ANSWERS_WITHIN } from '../../deadline';
import { browserPlatform } from './browser-platform';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a background that hangs is waited for until the deadline, and then said to, with what to do', async () => {
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(() => new Promise(() => {}) as never);
  let failure: unknown;
  const asked = browserPlatform(7)
    .ask('read_chat', { sessionId: 's_1' })
    .catch((error: unknown) => {
      failure = error;
    });
  await vi.advanceTimersByTimeAsync(BACKGROUND_ANSWERS_WITHIN - 1);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(failure).toBeInstanceOf(TooLate);
  expect(String(failure)).toContain('close this panel and open it again');
});

test('an answer ends the waiting', async () => {
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(
    () => Promise.resolve({ ok: 'x' }) as never,
  );
  expect(await browserPlatform(7).ask('get_screenshot', { commentId: 'c_1' })).toBe('x');
  expect(vi.getTimerCount()).toBe(0);
});
