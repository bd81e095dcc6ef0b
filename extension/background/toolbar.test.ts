import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { BUTTON_TITLE, fakeButton } from '../testing/button';
import type { Picking } from './picking';
import { openPanel, showAnswers, toggle, warn } from './toolbar';

const TAB = 7;
let button: ReturnType<typeof fakeButton>;
beforeEach(() => {
  fakeBrowser.reset();
  button = fakeButton();
});

test('a button that says nothing of answers says by which keys it is pressed', async () => {
  await showAnswers(TAB, 0);
  expect(await button.says(TAB)).toEqual(['', BUTTON_TITLE]);
  await showAnswers(TAB, 2);
  expect(await button.says(TAB)).toEqual(['2', 'opentoolbar: 2 new answers of your agent']);
  await showAnswers(TAB, 0);
  expect(await button.says(TAB)).toEqual(['', BUTTON_TITLE]);
});

test('a button that said nothing of a tab’s own follows the keys that are set later', async () => {
  await showAnswers(TAB, 0);
  await fakeBrowser.action.setTitle({ title: 'other keys' });
  expect(await button.says(TAB)).toEqual(['', 'other keys']);
});

test('of several numbers at once the last one stands', async () => {
  await showAnswers(TAB, 1);
  await Promise.all([showAnswers(TAB, 0), showAnswers(TAB, 3)]);
  expect(await button.says(TAB)).toEqual(['3', 'opentoolbar: 3 new answers of your agent']);
});

test('pressing the button takes its warning away, and has the answers that wait shown anew', async () => {
  Object.assign(fakeBrowser, {
    permissions: { request: async () => true, getAll: async () => ({ origins: [] }) },
    scripting: { getRegisteredContentScripts: async () => [] },
  });
  fakeBrowser.runtime.getManifest = (() => ({})) as unknown as typeof fakeBrowser.runtime.getManifest;
  const anew: number[] = [];
  const app = async () => ({
    picking: { of: async () => false, set: async () => {} } as unknown as Picking,
    views: { answersAnew: (tabId: number) => void anew.push(tabId) },
  });
  await warn(TAB, 'It may not run.');
  await toggle({ id: TAB, url: 'http://localhost:5173/' } as Parameters<typeof toggle>[0], app);
  expect(await button.says(TAB)).toEqual(['', BUTTON_TITLE]);
  expect(anew).toEqual([TAB]);
});

test('where the browser refuses to open the panel, a tab shows it, unless one is before the person’s eyes', async () => {
  const refuse = () => Promise.reject(new Error('only from a click'));
  Object.assign(fakeBrowser, { sidebarAction: { open: refuse } });
  const opened: unknown[] = [];
  vi.spyOn(fakeBrowser.tabs, 'create').mockImplementation((async (what: unknown) =>
    opened.push(what)) as never);
  await openPanel(TAB, async () => true);
  expect(opened).toEqual([]);
  await openPanel(TAB, async () => false);
  await openPanel(TAB);
  const url = expect.stringMatching(/\/panel\.html\?tabId=7$/);
  expect(opened).toEqual([{ url }, { url }]);
  Object.assign(fakeBrowser, { sidebarAction: undefined });
  vi.restoreAllMocks();
});
