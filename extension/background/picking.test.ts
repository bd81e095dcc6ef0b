import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { PAGE_ANSWERS_WITHIN } from '../deadline';
import { Picking } from './picking';

const executeScript = vi.fn();
/** What content scripts were told; `deaf`: nobody listens until the script is put in. */
const told = vi.fn();
let deaf: boolean;

beforeEach(() => {
  fakeBrowser.reset();
  vi.clearAllMocks();
  deaf = false;
  executeScript.mockImplementation(async ({ files }) => {
    if (files[0].includes('content.js')) deaf = false;
  });
  told.mockImplementation(async () => {
    if (deaf) throw new Error('Receiving end does not exist');
  });
  Object.assign(fakeBrowser, { scripting: { executeScript } });
  fakeBrowser.tabs.sendMessage = told;
});

test('picking is remembered over a restart of the background', async () => {
  expect(await new Picking().heard(3, true)).toBe(true);
  const restarted = new Picking();
  expect(await restarted.of(3)).toBe(true);
  expect(await restarted.heard(3, true)).toBe(false);
  expect(await restarted.heard(3, false)).toBe(true);
  expect(await new Picking().of(3)).toBe(false);
});

test('the overlay is put into the page before it is told to pick', async () => {
  await new Picking().set(3, true);
  expect(executeScript.mock.calls.map(([one]) => one.files)).toEqual([['/overlay.js']]);
  expect(told).toHaveBeenCalledTimes(1);
});

test('a page without the content script gets it', async () => {
  deaf = true;
  await new Picking().set(3, true);
  expect(executeScript.mock.calls.flatMap(([one]) => one.files)).toContain('/content-scripts/content.js');
  expect(told.mock.lastCall?.[1]).toEqual({ type: 'set_picking', payload: { picking: true } });
});

test('a page that cannot be scripted is named with what to do, and stopping there is no error', async () => {
  deaf = true;
  executeScript.mockRejectedValue(new Error('Cannot access contents of the page.'));
  await expect(new Picking().set(3, true)).rejects.toThrow(/cannot run on this page.*Open one of your app/);
  await new Picking().set(3, false);
});

test.each([
  ['takes no script', () => executeScript.mockReturnValue(new Promise(() => {}))],
  ['answers nothing', () => told.mockReturnValue(new Promise(() => {}))],
])('a page that hangs and %s is said to, and not waited for on and on', async (_what, hang) => {
  hang();
  vi.useFakeTimers();
  try {
    const outcome = expect(new Picking().set(3, true)).rejects.toThrow('The page does not answer. Reload it');
    await vi.advanceTimersByTimeAsync(PAGE_ANSWERS_WITHIN);
    await outcome;
  } finally {
    vi.useRealTimers();
  }
});
