import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { LOCAL_SITES } from '../sites';
import { followPermissions, leaveForbidden, register } from './permissions';

interface Script {
  id: string;
  matches: string[];
}

const SHOP = 'https://shop.example/*';
const BANK = 'https://bank.example/*';
/** What the person allows, besides the local sites. */
let allowed: string[];
let scripts: Map<string, Script>;
/** What was done to the registered scripts, in order. */
let calls: string[];
/** Fails the next call that changes them. */
let fault: Error | undefined;
let told: [number, unknown][];
/** Tabs whose page does not answer. */
let hanging: Set<number>;

/**
 * `scripting` as browsers have it: each call takes a moment, an id that is there is refused, and so is one that is not.
 */
const scripting = {
  async getRegisteredContentScripts() {
    await moment();
    return [...scripts.values()].map((script) => ({ ...script }));
  },
  registerContentScripts: (added: Script[]) =>
    changing('register', () => {
      for (const { id } of added) if (scripts.has(id)) throw new Error(`Duplicate script ID '${id}'`);
      for (const script of added) scripts.set(script.id, script);
    }),
  updateContentScripts: (changed: Script[]) =>
    changing('update', () => {
      for (const { id } of changed) if (!scripts.has(id)) throw new Error(`Nonexistent script ID '${id}'`);
      for (const script of changed) scripts.set(script.id, { ...scripts.get(script.id), ...script });
    }),
  unregisterContentScripts: (filter?: { ids?: string[] }) =>
    changing('unregister', () => {
      for (const id of filter?.ids ?? [...scripts.keys()]) {
        if (!scripts.delete(id)) throw new Error(`Nonexistent script ID '${id}'`);
      }
    }),
};

const moment = () => new Promise((resolve) => setTimeout(resolve));

async function changing(name: string, change: () => void): Promise<void> {
  await moment();
  const failure = fault;
  fault = undefined;
  if (failure) throw failure;
  change();
  calls.push(name);
}

beforeEach(() => {
  fakeBrowser.reset();
  allowed = [];
  scripts = new Map();
  calls = [];
  fault = undefined;
  told = [];
  hanging = new Set();
  fakeBrowser.runtime.getManifest = () =>
    ({ content_scripts: [{ matches: LOCAL_SITES, js: ['content.js'] }] }) as never;
  Object.assign(fakeBrowser, {
    scripting,
    permissions: {
      getAll: async () => ({ origins: [...LOCAL_SITES, ...allowed], permissions: [] }),
      contains: async ({ origins }: { origins: string[] }) =>
        origins.every((one) => one === 'http://localhost/*' || allowed.includes(one)),
    },
  });
  fakeBrowser.tabs.sendMessage = (async (tabId: number, message: unknown) => {
    told.push([tabId, message]);
    if (hanging.has(tabId)) return new Promise(() => {});
    // A tab that went away meanwhile keeps no other from being told.
    if (tabId === 2) throw new Error('Receiving end does not exist');
    return undefined;
  }) as typeof fakeBrowser.tabs.sendMessage;
});

const matches = () => [...scripts.values()].map((script) => [script.id, ...script.matches]);
const leave = (origin: string) => ({ type: 'leave', payload: { origin } });
const tab = (tabId: number, url: string) => ({ tabId, url, origin: new URL(url).origin });

test('a first grant is registered once, though the click and the browser both say that it came', async () => {
  allowed = [SHOP];
  await Promise.all([register(), register(), register()]);
  expect(matches()).toEqual([
    ['content', SHOP],
    ['probe', SHOP],
  ]);
});

test('another site is added to what is registered, without a moment in which nothing is', async () => {
  allowed = [SHOP];
  await register();
  allowed = [SHOP, BANK];
  await Promise.all([register(), register()]);
  expect(matches()).toEqual([
    ['content', SHOP, BANK],
    ['probe', SHOP, BANK],
  ]);
  expect(calls).toEqual(['register', 'update']);
});

test('what the manifest declares is not registered, and what nobody allows any more goes', async () => {
  await register();
  expect(matches()).toEqual([]);
  allowed = [SHOP];
  await register();
  allowed = [];
  await register();
  expect(matches()).toEqual([]);
});

test('a registration that failed keeps no later one from working', async () => {
  allowed = [SHOP];
  fault = new Error('Something is wrong');
  await expect(register()).rejects.toThrow('Something is wrong');
  await register();
  expect(matches()).toHaveLength(2);
});

test('a site that is allowed no more loses our script in every open page of it, and no other does', async () => {
  await leaveForbidden([
    tab(1, 'http://localhost:5173/shop'),
    tab(2, 'https://example.com/gone'),
    tab(3, 'https://example.com/'),
  ]);
  expect(told).toEqual([
    [2, leave('https://example.com')],
    [3, leave('https://example.com')],
  ]);
});

test('a page that hangs keeps no other from hearing that it is to leave', async () => {
  hanging.add(1);
  await leaveForbidden([tab(1, 'https://example.com/a'), tab(3, 'https://example.com/b')]);
  expect(told.map(([tabId]) => tabId)).toEqual([1, 3]);
});

test('pages of a site that is allowed no more are told so, also when the registered scripts cannot be changed', async () => {
  allowed = [SHOP];
  await register();
  allowed = [];
  fault = new Error('Something is wrong');
  await expect(followPermissions(async () => [tab(3, 'https://shop.example/cart')])).rejects.toThrow(
    'Something is wrong',
  );
  expect(told).toEqual([[3, leave('https://shop.example')]]);
});
