import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import { TooLate, Unanswered } from '../../ask-again';
import { BACKGROUND_ANSWERS_WITHIN } from '../../deadline';
import { ask } from './link';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The background answers this, or never. */
function answers(answer: Promise<unknown>): void {
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(() => answer as never);
}

test('a background that hangs is waited for until the deadline, and then said to, with what to do', async () => {
  answers(new Promise(() => {}));
  let failure: unknown;
  const asked = ask('get_drafts', {}).catch((error: unknown) => {
    failure = error;
  });
  await vi.advanceTimersByTimeAsync(BACKGROUND_ANSWERS_WITHIN - 1);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(failure).toBeInstanceOf(TooLate);
  expect(String(failure)).toContain('copy what you wrote and reload the page');
});

test('an answer ends the waiting', async () => {
  answers(Promise.resolve({ ok: { '/': 'Half' } }));
  expect(await ask('get_drafts', {})).toEqual({ '/': 'Half' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a background that ended is no background that hangs: it is asked again', async () => {
  answers(Promise.reject(new Error('The message port closed before a response was received.')));
  const failure = await ask('get_drafts', {}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Unanswered);
  expect(failure).not.toBeInstanceOf(TooLate);
});
