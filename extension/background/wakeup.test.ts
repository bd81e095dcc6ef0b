import { beforeEach, expect, test } from 'vitest';
import { browser } from 'wxt/browser';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { DELIVER, Wakeup } from './wakeup';

let wakeup: Wakeup;
const alarm = () => browser.alarms.get(DELIVER);

beforeEach(() => {
  fakeBrowser.reset();
  wakeup = new Wakeup();
});

test('the alarm stands before anything is queued, and goes when nothing waits', async () => {
  await wakeup.queueing();
  expect((await alarm())?.periodInMinutes).toBe(0.5);
  wakeup.begin();
  wakeup.end(1);
  expect(await alarm()).toBeDefined();
  wakeup.begin();
  wakeup.end(0);
  expect(await alarm()).toBeUndefined();
});

test('what is queued while a round ends keeps its alarm', async () => {
  await wakeup.queueing();
  wakeup.begin();
  await wakeup.queueing();
  wakeup.end(0);
  expect(await alarm()).toBeDefined();
});

test('what an earlier version left, or a browser that forgot its alarms, gets one', async () => {
  wakeup.begin();
  wakeup.end(3);
  await expect.poll(alarm).toBeDefined();
});

test('pauses grow while nothing can be sent, and begin anew with what is new', async () => {
  await wakeup.queueing();
  const periods: (number | undefined)[] = [];
  for (let time = 0; time < 8; time++) {
    const rang = await alarm();
    if (rang) await wakeup.rang(rang);
    wakeup.begin();
    wakeup.end(1);
    periods.push((await alarm())?.periodInMinutes);
  }
  expect(periods).toEqual([1, 2, 4, 8, 16, 32, 32, 32]);
  await wakeup.queueing();
  expect((await alarm())?.periodInMinutes).toBe(0.5);
});
