import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { leaveForbidden } from './permissions';

beforeEach(() => fakeBrowser.reset());

test('a site that is allowed no more loses our script in every open page of it, and no other does', async () => {
  const told: [number, unknown][] = [];
  Object.assign(fakeBrowser, {
    permissions: {
      contains: async ({ origins }: { origins: string[] }) => origins[0] === 'http://localhost/*',
    },
  });
  fakeBrowser.tabs.sendMessage = (async (tabId: number, message: unknown) => {
    told.push([tabId, message]);
    // A tab that went away meanwhile keeps no other from being told.
    if (tabId === 2) throw new Error('Receiving end does not exist');
  }) as typeof fakeBrowser.tabs.sendMessage;
  await leaveForbidden([
    { tabId: 1, url: 'http://localhost:5173/shop' },
    { tabId: 2, url: 'https://example.com/gone' },
    { tabId: 3, url: 'https://example.com/' },
  ]);
  const leave = { type: 'leave', payload: {} };
  expect(told).toEqual([
    [2, leave],
    [3, leave],
  ]);
});
