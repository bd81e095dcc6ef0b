import { forceCloseDatabase, IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { sampleComment } from '../testing/samples';
import { DATABASE, openStore, type Store, type Writing, writing } from './store';

let store: Store;
/** Every connection that was opened, the latest last. */
let connections: IDBDatabase[];
const stored = (id: string) => ({ id, origin: 'http://localhost:5173', current: sampleComment(id) });

beforeEach(async () => {
  const factory = new IDBFactory();
  connections = [];
  const open = factory.open.bind(factory);
  factory.open = (...args) => {
    const request = open(...args);
    request.addEventListener('success', () => void connections.push(request.result));
    return request;
  };
  globalThis.indexedDB = factory;
  store = await openStore();
  await store.put('comments', stored('c_1'));
});

const latest = () => connections.at(-1) as IDBDatabase;

test('a connection that the browser closed is opened again, for reading and for writing', async () => {
  latest().close();
  expect((await store.get('comments', 'c_1'))?.id).toBe('c_1');
  latest().close();
  await writing(store, async (tx) => void (await tx.objectStore('comments').put(stored('c_2'))));
  expect(await store.count('comments')).toBe(2);
});

test('whoever asks at once after it was closed makes one connection', async () => {
  latest().close();
  const all = await Promise.all(Array.from({ length: 20 }, () => store.get('comments', 'c_1')));
  expect(all.every((one) => one?.id === 'c_1')).toBe(true);
  expect(connections).toHaveLength(2);
});

/** What a browser does to a connection that it closes by force; the fake one leaves running transactions alone. */
function cutOff(tx: Writing): void {
  tx.abort();
  forceCloseDatabase(latest() as never);
}

test('a transaction that is cut off in the middle is done once, as a whole', async () => {
  let tries = 0;
  await writing(store, async (tx) => {
    tries += 1;
    await tx.objectStore('comments').put(stored('c_2'));
    const item = { id: 'm_1', subject: 'c_2', origin: '', attempts: 0 };
    const request = { type: 'create_comment', payload: { sessionId: 's_1', comment: sampleComment('c_2') } };
    await tx.objectStore('outbox').add({ ...item, request } as never);
    if (tries === 1) cutOff(tx);
    await tx.objectStore('comments').put(stored('c_3'));
  });
  expect(tries).toBe(2);
  expect((await store.getAllKeys('comments')).sort()).toEqual(['c_1', 'c_2', 'c_3']);
  expect(await store.count('outbox')).toBe(1);
});

test('somebody deletes the database: it goes at once, and the next use makes it anew', async () => {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
  expect(await store.getAll('comments')).toEqual([]);
  await store.put('comments', stored('c_4'));
  expect((await store.get('comments', 'c_4'))?.id).toBe('c_4');
});

test('a newer version takes over: the older one says so, and loses nothing that it was not asked to keep', async () => {
  const newer = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 99);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  await expect(store.put('comments', stored('c_5'))).rejects.toThrow(/storage could not be opened.*Restart/);
  newer.close();
});

test('what a change itself finds wrong is said once, not tried again', async () => {
  let tries = 0;
  const failing = writing(store, async () => {
    tries += 1;
    throw new Error('This change does not fit.');
  });
  await expect(failing).rejects.toThrow('This change does not fit.');
  expect(tries).toBe(1);
});

/** From now on the connection breaks when a transaction has been committed, before anybody hears of it; so often. */
function loseCompletes(times: number): void {
  const { prototype } = latest().constructor as { prototype: IDBDatabase };
  const begin = prototype.transaction;
  prototype.transaction = function (this: IDBDatabase, ...args) {
    const tx = begin.apply(this, args);
    if (args[1] !== 'readwrite') return tx;
    tx.addEventListener('complete', (event) => {
      if (times <= 0) {
        prototype.transaction = begin;
        return;
      }
      times -= 1;
      event.stopImmediatePropagation();
      const { constructor: FakeEvent } = event as unknown as { constructor: new (type: string) => Event };
      const abort = Object.assign(new FakeEvent('abort'), { eventPath: [] });
      tx.dispatchEvent(abort);
      forceCloseDatabase(this as never);
    });
    return tx;
  };
}

test('a transaction that was committed when the connection broke is not done again', async () => {
  let tries = 0;
  const add = (id: string) =>
    writing(store, async (tx) => {
      tries += 1;
      const known = await tx.objectStore('comments').get('c_1');
      await tx.objectStore('problems').add({ origin: id, subject: known?.id ?? '' } as never);
      return tries;
    });
  loseCompletes(1);
  expect(await add('once')).toBe(1);
  expect(connections).toHaveLength(2);
  expect((await store.getAll('problems')).map(({ origin }) => origin)).toEqual(['once']);
  await Promise.all([add('two'), add('three')]);
  expect(await store.count('problems')).toBe(3);
  // Marks do not pile up.
  await add('four');
  expect(await store.count('marks')).toBe(1);
});
