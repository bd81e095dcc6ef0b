import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { sampleComment } from '../testing/samples';
import { openStore, type Store, writing } from './store';

let store: Store;
const stored = { id: 'c_1', origin: 'http://localhost:5173', current: sampleComment('c_1') };

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = await openStore();
});

test('a full disk is told with what to do, and nothing is half-written', async () => {
  const full = writing(store, async (tx) => {
    await tx.objectStore('comments').put(stored);
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  });
  await expect(full).rejects.toThrow(/no room left.*Free some disk space/);
  expect(await store.getAll('comments')).toEqual([]);
});

test('a failure in the middle leaves what was there', async () => {
  await writing(store, async (tx) => void (await tx.objectStore('comments').put(stored)));
  const failing = writing(store, async (tx) => {
    await tx.objectStore('comments').delete('c_1');
    throw new Error('This change does not fit.');
  });
  await expect(failing).rejects.toThrow('This change does not fit.');
  expect((await store.getAll('comments')).map(({ id }) => id)).toEqual(['c_1']);
});
