import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../state/connection';
import { RoundTrips } from './round-trips';

const TAB = 7;
let hub: Connection['hub'];
let ping: () => Promise<unknown>;
let askPage: () => Promise<unknown>;
let isPageReady: boolean;
let pings: number;
let trips: RoundTrips;
const changedTab = vi.fn();
const changedAll = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  hub = 'connected';
  pings = 0;
  ping = async () => {};
  askPage = async () => {};
  isPageReady = true;
  trips = new RoundTrips({
    hub: () => hub,
    ping: () => {
      pings += 1;
      return ping();
    },
    askPage: () => askPage(),
    isPageReady: async () => isPageReady,
    changedTab,
    changedAll,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<never>(() => {});
const make = async (isByPerson = false) => {
  const made = trips.make(TAB, isByPerson);
  await vi.advanceTimersByTimeAsync(3_000);
  await made;
};

test('a page that takes out what we show is told until it is another, or the person picks; one that does not answer is more', async () => {
  await make();
  trips.setExpelled(TAB, true);
  expect(trips.page(TAB)).toBe('expelled');
  await make();
  expect(trips.page(TAB)).toBe('expelled');
  askPage = () => Promise.reject(new Error('no script hears'));
  await make();
  await make();
  expect(trips.page(TAB)).toBe('absent');
  askPage = async () => {};
  await make();
  changedTab.mockClear();
  trips.setExpelled(TAB, false);
  expect([trips.page(TAB), changedTab.mock.calls]).toEqual(['answers', [[TAB]]]);
  trips.setExpelled(TAB, true);
  trips.forget(TAB);
  await make();
  expect(trips.page(TAB)).toBe('answers');
});

test('a host that is late is said to be, and no longer once it answered', async () => {
  let answer = () => {};
  ping = () =>
    new Promise<void>((resolve) => {
      answer = resolve;
    });
  await make();
  expect(trips.isLate).toBe(true);
  expect(changedAll).toHaveBeenCalledTimes(1);
  // The next one waits for the same answer instead of asking once more.
  await make();
  expect(pings).toBe(1);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(trips.isLate).toBe(false);
  expect(changedAll).toHaveBeenCalledTimes(2);
});

test('a program of another version is asked again only by a person', async () => {
  hub = 'incompatible';
  await make();
  expect(pings).toBe(0);
  await make(true);
  expect(pings).toBe(1);
});

test('a page that hangs is silent until it answers', async () => {
  await make();
  expect(trips.page(TAB)).toBe('answers');
  askPage = never;
  await make();
  expect(trips.page(TAB)).toBe('silent');
  expect(changedTab).toHaveBeenCalledTimes(2);
});

test('a page has lost the script when it is missed twice; one that loads misses nothing', async () => {
  await make();
  askPage = async () => Promise.reject(new Error('no script'));
  await make();
  expect(trips.page(TAB)).toBe('answers');
  await make();
  expect(trips.page(TAB)).toBe('absent');
  isPageReady = false;
  await make();
  expect(trips.page(TAB)).toBe('unknown');
});
