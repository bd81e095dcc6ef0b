import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import { BACKGROUND_ANSWERS_WITHIN } from '../deadline';
import { newSecret } from '../state/secret';
import { background } from './background';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a background that hangs has kept no text and confirmed no secret, so that both are tried again', async () => {
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(() => new Promise(() => {}) as never);
  const secret = newSecret();
  const text = { pathname: '/', url: 'http://localhost/', text: 'Blue', typed: { secret, count: 1 } };
  const outcomes: unknown[] = [];
  void background.keep(text).then((isKept) => outcomes.push(isKept));
  void background.confirm(secret).catch(() => outcomes.push('failed'));
  await vi.advanceTimersByTimeAsync(BACKGROUND_ANSWERS_WITHIN - 1);
  expect(outcomes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(outcomes.sort()).toEqual(['failed', false].sort());
});
