import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { redactUrl } from '../capture/redact';
import type { Comment } from '../generated/Comment';
import { sampleComment } from '../testing/samples';
import { PageKeys } from './page-keys';
import { openStore, type Store } from './store';

const SITE = 'http://localhost:5173';
const ONE = `${SITE}/reset/k3j4h5g6f7d8s9a0`;
const OTHER = `${SITE}/reset/z9x8c7v6b5n4m3q2`;
let store: Store;
let keys: PageKeys;

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = await openStore();
  keys = new PageKeys(store, redactUrl);
});

/** A comment made at `url`, as it is kept: its address redacted. */
function madeAt(id: string, url: string): Comment {
  const redacted = redactUrl(url);
  return { ...sampleComment(id), url: redacted, pathname: new URL(redacted).pathname };
}

test('pages whose addresses differ in what is redacted alone have keys of their own', async () => {
  expect(redactUrl(ONE)).toBe(redactUrl(OTHER));
  const [one, other, again] = await Promise.all([keys.of(ONE), keys.of(OTHER), keys.of(`${ONE}?tab=2#top`)]);
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(other).not.toBe(one);
  expect(again).toBe(one);
});

test('so have routes behind a fragment, and pages of another origin', async () => {
  const route = await keys.of(`${SITE}/#/reset/k3j4h5g6f7d8s9a0`);
  expect(route).toBeDefined();
  expect(await keys.of(`${SITE}/#/reset/z9x8c7v6b5n4m3q2`)).not.toBe(route);
  expect(await keys.of(ONE.replace('5173', '5174'))).not.toBe(await keys.of(ONE));
});

test('an address without secrets in its path needs no key', async () => {
  for (const url of [`${SITE}/shop`, `${SITE}/shop?token=k3j4h5g6f7d8s9a0`, `${SITE}/#top`, 'nonsense']) {
    expect(await keys.of(url)).toBeUndefined();
  }
});

test('a key is the same after a restart, another in another browser, and holds nothing of the address', async () => {
  const key = await keys.of(ONE);
  store.close();
  expect(await new PageKeys(await openStore(), redactUrl).of(ONE)).toBe(key);
  globalThis.indexedDB = new IDBFactory();
  expect(await new PageKeys(await openStore(), redactUrl).of(ONE)).not.toBe(key);
  expect(key).not.toContain('k3j4');
});

test('comments of another page with the same redacted path are not of this one, and a page finds its own', async () => {
  const comments = [
    madeAt('c_one', ONE),
    madeAt('c_other', OTHER),
    madeAt('c_old', ONE),
    madeAt('c_shop', `${SITE}/shop`),
  ];
  const kept = new Map([
    ['c_one', (await keys.of(ONE)) ?? ''],
    ['c_other', (await keys.of(OTHER)) ?? ''],
  ]);
  const here = async (url: string) => {
    const path = new URL(redactUrl(url)).pathname;
    const seen = await keys.seenFrom(url, comments, async () => kept);
    return seen.flatMap(({ id, pathname }) => (pathname === path ? [id] : []));
  };
  expect(await here(ONE)).toEqual(['c_one', 'c_old']);
  expect(await here(OTHER)).toEqual(['c_other', 'c_old']);
  expect(await here(`${SITE}/shop`)).toEqual(['c_shop']);
  // Where the browser tells no more than the redacted address, all that could be of the page are.
  expect(await here(redactUrl(ONE))).toEqual(['c_one', 'c_other', 'c_old']);
});
