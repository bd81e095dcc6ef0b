import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { beforeEach, expect, test } from 'vitest';
import { loadCoreForTest } from '../testing/core';
import { sampleComment } from '../testing/samples';
import { Comments } from './comments';
import { openStore, type Store } from './store';

const SITE = 'http://localhost:5173';
const core = loadCoreForTest();
let store: Store;
let comments: Comments;
const ids = async () => (await comments.of(SITE)).map(({ id }) => id);

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = await openStore();
  comments = new Comments(store, core.applyChange, () => {});
});

test('a site that gets another project shows that one’s comments, and the earlier ones again when it goes back', async () => {
  await comments.belongs(SITE, '/shop');
  await comments.hear([sampleComment('c_shop')], '/shop');
  await comments.belongs(SITE, '/blog');
  await comments.hear([sampleComment('c_blog')], '/blog');
  expect(await ids()).toEqual(['c_blog']);
  expect(await comments.elsewhere(SITE)).toEqual([{ root: '/shop', comments: 1 }]);
  await comments.belongs(SITE, '/shop');
  expect(await ids()).toEqual(['c_shop']);
  expect((await comments.all()).length).toBe(2);
});

test('what no project has yet is shown under any of them', async () => {
  await comments.create(sampleComment('c_new'), 's_1', null);
  await comments.belongs(SITE, '/shop');
  expect(await ids()).toEqual(['c_new']);
  await comments.belongs(SITE, '/blog');
  expect(await ids()).toEqual(['c_new']);
});

test('a late event of the earlier project does not move its comment into the new one', async () => {
  await comments.belongs(SITE, '/shop');
  await comments.hear([sampleComment('c_shop')], '/shop');
  await comments.belongs(SITE, '/blog');
  await comments.hear([{ ...sampleComment('c_shop'), revision: 2, text: 'Late' }]);
  expect(await ids()).toEqual([]);
  expect((await comments.get('c_shop'))?.text).toBe('Late');
});

test('a database of the first version opens with its comments', async () => {
  globalThis.indexedDB = new IDBFactory();
  const old = await openDB('opentoolbar', 1, {
    upgrade(db) {
      db.createObjectStore('comments', { keyPath: 'id' }).createIndex('origin', 'origin');
      const outbox = db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
      outbox.createIndex('subject', 'subject');
      outbox.createIndex('origin', 'origin');
      db.createObjectStore('problems', { keyPath: 'seq', autoIncrement: true }).createIndex(
        'origin',
        'origin',
      );
      db.createObjectStore('screenshots');
    },
  });
  await old.put('comments', { id: 'c_old', origin: SITE, current: sampleComment('c_old') });
  old.close();
  comments = new Comments(await openStore(), core.applyChange, () => {});
  await comments.belongs(SITE, '/shop');
  expect(await ids()).toEqual(['c_old']);
});
