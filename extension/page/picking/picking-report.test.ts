import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Unanswered } from '../../ask-again';
import { reportPicking } from './picking-report';

describe('the report of picking', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is made again when the background ended before it answered', async () => {
    const picking = signal(true);
    const heard: boolean[] = [];
    let isEnding = false;
    reportPicking(picking, async (now) => {
      if (isEnding) throw new Unanswered('It ended.');
      heard.push(now);
    });
    await vi.runAllTimersAsync();
    isEnding = true;
    picking.value = false;
    await vi.advanceTimersByTimeAsync(50);
    expect(heard).toEqual([true]);
    isEnding = false;
    await vi.runAllTimersAsync();
    expect(heard).toEqual([true, false]);
  });

  test('is of what is so by then, and of nothing that is no news', async () => {
    const picking = signal(false);
    const heard: boolean[] = [];
    let answer = () => {};
    reportPicking(picking, (now) => {
      heard.push(now);
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    });
    expect(heard).toEqual([]);
    picking.value = true;
    picking.value = false;
    picking.value = true;
    expect(heard).toEqual([true]);
    picking.value = false;
    answer();
    await vi.runAllTimersAsync();
    expect(heard).toEqual([true, false]);
    answer();
    await vi.runAllTimersAsync();
    expect(heard).toEqual([true, false]);
  });
});
