import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { damage } from '../testing/damage';
import { sampleComment } from '../testing/samples';
import { openStore, type Store, type StoredContext, type StoredMessage } from './store';
import { tidyConversations, tidyPictures } from './tidy';

const NOW = 100 * 24 * 60 * 60 * 1_000;
let store: Store;

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = await openStore();
});

async function conversation(id: string, lastAt: number, delivery: StoredMessage['delivery'] = 'sent') {
  await store.put('threads', { sessionId: id, origin: '', url: '', title: '', unread: 0, lastAt });
  await store.put('messages', { id: `m_${id}`, sessionId: id, delivery } as StoredMessage);
  await store.put('contexts', { id: `ctx_${id}`, sessionId: id } as StoredContext);
  await store.put('screenshots', new Blob(['x']), `ctx_${id}`);
}

test('old conversations go with all that is theirs, but not what waits, and not the latest fifty', async () => {
  await conversation('old', 1);
  await conversation('waits', 2, 'waiting');
  await conversation('refused', 3, 'refused');
  for (let at = 0; at < 50; at++) await conversation(`s${at}`, 10 + at);
  await tidyConversations(store, NOW);
  expect(await store.count('threads')).toBe(52);
  expect(await store.get('messages', 'm_old')).toBeUndefined();
  expect(await store.get('contexts', 'ctx_old')).toBeUndefined();
  expect(await store.get('screenshots', 'ctx_old')).toBeUndefined();
  expect(await store.get('messages', 'm_waits')).toBeDefined();
  expect(await store.get('messages', 'm_refused')).toBeDefined();
});

test('what was said lately stays, however many there are', async () => {
  for (let at = 0; at < 60; at++) await conversation(`s${at}`, NOW - at);
  await tidyConversations(store, NOW);
  expect(await store.count('threads')).toBe(60);
});

test('a conversation with a message that the browser cannot read stays: it may be one that waits', async () => {
  await conversation('old', 1);
  await damage(store, 'messages', 'm_old');
  for (let at = 0; at < 50; at++) await conversation(`s${at}`, 10 + at);
  await tidyConversations(store, NOW);
  expect(await store.count('threads')).toBe(51);
  expect(await store.count('messages')).toBe(51);
  expect(await store.get('contexts', 'ctx_old')).toBeDefined();
});

test('the picture of a comment that the browser cannot read stays', async () => {
  await store.put('comments', { id: 'c_1', origin: 'http://localhost:5173', current: sampleComment('c_1') });
  await store.put('screenshots', new Blob(['x']), 'c_1');
  await damage(store, 'comments', 'c_1');
  await tidyPictures(store, NOW);
  expect(await store.getAllKeys('screenshots')).toEqual(['c_1']);
});

const DAY = 24 * 60 * 60 * 1_000;

test('a picture goes with its comment when the deletion is final, and no earlier', async () => {
  const comment = async (id: string, deletedAt?: number) => {
    const current = { ...sampleComment(id), ...(deletedAt === undefined ? {} : { deletedAt }) };
    await store.put('comments', { id, origin: 'http://localhost:5173', current });
    await store.put('screenshots', new Blob(['x']), id);
  };
  await comment('c_there');
  await comment('c_just_deleted', NOW - DAY + 1);
  await comment('c_gone', NOW - DAY);
  await comment('c_gone_but_waits', NOW - DAY);
  const request = {
    type: 'create_comment',
    payload: { sessionId: 's_1', comment: sampleComment('c_x') },
  } as const;
  await store.put('outbox', { id: 'm_1', subject: 'c_gone_but_waits', origin: '', attempts: 0, request });
  await store.put('screenshots', new Blob(['x']), 'c_vanished');
  await store.put('contexts', { id: 'ctx_1', sessionId: 's_1' } as StoredContext);
  for (const key of ['ctx_1', 'ctx_1:viewport', 'ctx_2', 'ctx_2:viewport'])
    await store.put('screenshots', new Blob(['x']), key);
  await tidyPictures(store, NOW);
  expect(await store.getAllKeys('screenshots')).toEqual(
    ['c_gone_but_waits', 'c_just_deleted', 'c_there', 'ctx_1', 'ctx_1:viewport'].sort(),
  );
  expect(await store.count('comments')).toBe(4);
});
