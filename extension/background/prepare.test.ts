import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { damage } from '../testing/damage';
import { sampleComment } from '../testing/samples';
import { prepared, sessionOf } from './prepare';
import type { OutboxItem } from './store';
import { openStore, type Store } from './store';

const ORIGIN = 'http://localhost:5173';

let store: Store;
let asked: string[][];
let kept: string[];

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = await openStore();
  asked = [];
  kept = [];
});

const named = (item: Partial<OutboxItem>) =>
  sessionOf(
    {
      store,
      session: async () => 's_open',
      sessionIn: async (...question) => {
        asked.push(question);
        return question[1] === '/shop' ? 's_shop' : undefined;
      },
      keepSession: async ({ id, url }) => void kept.push(`${id} ${url}`),
    },
    { id: 'm_1', seq: 1, origin: ORIGIN, subject: 'c_1', attempts: 0, ...item } as OutboxItem,
  );

const change: OutboxItem['request'] = {
  type: 'change_comment',
  payload: { commentId: 'c_1', change: { kind: 'delete' }, at: 1 },
};

/** Another tab of the origin may be another project's: two dev servers that take turns on one port. */
test('a change names the session in which its comment was made, and opens none: it may be another browser’s', async () => {
  const current = { ...sampleComment('c_1'), sessionId: 's_made' };
  await store.put('comments', { id: 'c_1', origin: ORIGIN, current });
  expect(await named({ request: change })).toBe('s_made');
  expect(kept).toEqual([]);
  expect(asked).toEqual([]);
});

test('a change of a comment that came from elsewhere names an open tab of its project, or none', async () => {
  const { sessionId: _none, ...current } = sampleComment('c_1');
  await store.put('comments', { id: 'c_1', origin: ORIGIN, current });
  expect(await named({ request: change })).toBeUndefined();
  await store.put('comments', { id: 'c_1', origin: ORIGIN, current, project: '/shop' });
  expect(await named({ request: change })).toBe('s_shop');
  await store.put('comments', { id: 'c_1', origin: ORIGIN, current, project: '/other' });
  expect(await named({ request: change })).toBeUndefined();
  expect(kept).toEqual([]);
});

test('a change whose comment the browser cannot read names no session, and goes', async () => {
  await store.put('comments', { id: 'c_1', origin: ORIGIN, current: sampleComment('c_1') });
  await damage(store, 'comments', 'c_1');
  expect(await named({ request: change })).toBeUndefined();
});

test('a selection whose record the browser cannot read goes with its pictures', async () => {
  await store.put('contexts', { id: 'x_1' } as never);
  await damage(store, 'contexts', 'x_1');
  await store.put('screenshots', new Blob([new Uint8Array([1, 2, 255])]), 'x_1');
  const request = { type: 'set_context', payload: { contextId: 'x_1', element: {} } } as never;
  const session = { id: 's_1', url: ORIGIN, title: '' };
  const item = { id: 'm_1', seq: 1, origin: ORIGIN, subject: 's_1', attempts: 0, request, session };
  const options = {
    store,
    session: async () => 's_1',
    sessionIn: async () => undefined,
    keepSession: async () => {},
  };
  expect(await prepared(options, item)).toMatchObject({ payload: { screenshot: 'AQL/' } });
});

test('what is said names its own session, and what is not known here none', async () => {
  const said: OutboxItem['request'] = { type: 'user_message', payload: { message: 'Hello' } };
  const session = { id: 's_1', url: ORIGIN, title: '' };
  expect(await named({ request: said, session })).toBe('s_1');
  expect(await named({ request: change })).toBeUndefined();
  expect(asked).toEqual([]);
});
