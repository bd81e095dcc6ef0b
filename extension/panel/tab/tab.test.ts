import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FixturePlatform } from '../../testing/panel/fixture-platform';
import { comment, tabState } from '../../testing/panel/states';
import { WatchedTab } from './tab';

const sight = signal('page' as const);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first state makes the line live', () => {
  const tab = new WatchedTab(new FixturePlatform(tabState()), sight, () => {});
  expect(tab.line.value).toBe('live');
  expect(tab.state.value?.title).toBe('Settings – Acme Dashboard');
  tab.end();
});

test('a line that breaks once is mended without a word, and the old state stays on show', () => {
  const platform = new FixturePlatform(tabState());
  const tab = new WatchedTab(platform, sight, () => {});
  platform.watchers[0]?.onLost();
  expect(tab.line.value).toBe('live');
  expect(tab.state.value).not.toBeNull();
  vi.advanceTimersByTime(100);
  expect(platform.watchers).toHaveLength(1);
  tab.end();
});

test('a background that never answers is said to be lost, and asked on and on', () => {
  const platform = new FixturePlatform(tabState());
  platform.silent = true;
  const tab = new WatchedTab(platform, sight, () => {});
  expect(tab.line.value).toBe('waiting');
  vi.advanceTimersByTime(10_000);
  expect(tab.line.value).toBe('lost');
  platform.silent = false;
  vi.advanceTimersByTime(10_000);
  expect(tab.line.value).toBe('live');
  tab.end();
});

test('a closed tab is said to be closed and no longer watched', () => {
  const platform = new FixturePlatform(null);
  const tab = new WatchedTab(platform, sight, () => {});
  expect(tab.line.value).toBe('no_tab');
  expect(platform.watchers).toEqual([]);
  tab.end();
});

test('a state of another tab is not shown', () => {
  const platform = new FixturePlatform(tabState());
  const tab = new WatchedTab(platform, sight, () => {});
  platform.push(tabState({ tabId: 8, title: 'Other' }));
  expect(tab.state.value?.tabId).toBe(7);
  tab.end();
});

test('an answered change shows before the next state, and an older answer never replaces a newer one', () => {
  const platform = new FixturePlatform(tabState({ comments: [comment('c_a', { revision: 5 })] }));
  const tab = new WatchedTab(platform, sight, () => {});
  tab.accept(comment('c_a', { revision: 6, text: 'new' }));
  tab.accept(comment('c_a', { revision: 4, text: 'old' }));
  expect(tab.state.value?.comments.map(({ text }) => text)).toEqual(['new']);
  tab.end();
});

test('after its end nothing is watched and nothing is tried', () => {
  const platform = new FixturePlatform(tabState());
  const tab = new WatchedTab(platform, sight, () => {});
  tab.end();
  expect(platform.watchers).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
