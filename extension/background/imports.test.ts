import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import { loadCoreForTest } from '../testing/core';
import { damage } from '../testing/damage';
import { Hub } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';
import { Comments } from './comments';
import { Outbox } from './outbox';
import { openStore, type Store } from './store';

const ORIGIN = 'http://localhost:5173';
const core = loadCoreForTest();

let store: Store;
let hub: Hub;
let comments: Comments;
let outbox: Outbox;
let now: number;

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  now = 1_000_000;
  hub = new Hub();
  store = await openStore();
  comments = new Comments(store, core.applyChange, () => {});
  outbox = new Outbox({
    store,
    now: () => now,
    comments,
    conversations: { acknowledge: async () => {}, refuse: async () => {} },
    emptied: () => {},
    keepSession: async () => {},
    send: (request, id) => hub.send(request, id),
    session: async (sessionId) => sessionId,
    readComment: (comment) => comment,
    forgetSessions: () => {},
    changed: () => {},
    imported: () => {},
  });
});

const copy = (id: string, text = 'Make it red'): Comment => ({ ...sampleComment(id, text), importedAt: 7 });
const bring = (...theirs: Comment[]) => comments.import(theirs, theirs, 's_1', ORIGIN);
const outstanding = () => comments.outstanding(ORIGIN);
const waitingSubjects = async () => (await store.getAll('outbox')).map(({ subject }) => subject);

async function flushes(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await outbox.flush();
    now += 61_000;
  }
}

test('a comment whose change always fails holds up no other comment of an import, nor their changes', async () => {
  for (const id of ['c_1', 'c_2']) await comments.create(sampleComment(id), 's_1', null);
  await outbox.flush();
  hub.poison = { word: 'POISON', fault: 'internal' };
  await comments.change('c_1', { kind: 'edit', text: 'POISON', baseRevision: 1 }, 4_000);
  await bring(copy('c_1'), copy('c_3'));
  await comments.change('c_3', { kind: 'resolve' }, 5_000);
  await comments.change('c_1', { kind: 'resolve' }, 5_000);
  await flushes(4);
  expect([...hub.comments.keys()]).toEqual(['c_1', 'c_2', 'c_3']);
  expect(hub.comments.get('c_3')?.status).toBe('resolved');
  expect(await waitingSubjects()).toEqual(['c_1', 'c_1', 'c_1']);
  expect((await comments.get('c_1'))?.status).toBe('resolved');
  hub.poison = undefined;
  await flushes(1);
  expect(await outstanding()).toMatchObject({ waiting: 0, problems: [] });
  expect(hub.comments.get('c_1')?.status).toBe('resolved');
});

test('comments that begin to fail one after another each wait alone, and an edit of one counts from its import', async () => {
  await bring(copy('c_1'), copy('c_2'), copy('c_3'), { ...copy('c_4'), revision: 5 });
  hub.poison = { word: 'POISON', fault: 'internal' };
  for (const id of ['c_4', 'c_2', 'c_3']) {
    await comments.create(sampleComment(`${id}0`), 's_1', null);
    const [first] = await store.getAllKeys('outbox');
    // As a change that was made before the import and goes on failing.
    const change = { kind: 'reply', id: `r_${id}`, text: 'POISON' } as const;
    const request = { type: 'change_comment', payload: { commentId: id, change, at: 1 } } as const;
    const item = { id: `m_${id}`, subject: id, origin: ORIGIN, attempts: 0, request };
    await store.put('outbox', { ...item, seq: (first ?? 1) - 1 });
  }
  await outbox.flush();
  await comments.change('c_4', { kind: 'edit', text: 'mine', baseRevision: 5 }, 5_000);
  await flushes(3);
  expect([...hub.comments.keys()].sort()).toEqual(['c_1', 'c_20', 'c_30', 'c_40']);
  const waits = (await store.getAll('outbox')) as { subject: string; request: { type: string } }[];
  const last = waits.filter(({ subject }) => subject === 'c_4').at(-1);
  expect(last?.request).toMatchObject({ payload: { change: { baseRevision: 5 } } });
  expect(waits.filter(({ request }) => request.type === 'import_comments').map((one) => one.subject)).toEqual(
    ['c_2', 'c_3', 'c_4'],
  );
});

test('one comment that the hub fails over holds up no other of its import', async () => {
  hub.poison = { word: 'POISON', fault: 'internal' };
  const ids = [...'abcdefgh'].map((letter) => `c_${letter}`);
  await bring(...ids.map((id) => copy(id, id === 'c_d' ? 'POISON' : 'Make it red')));
  await comments.change('c_d', { kind: 'resolve' }, 5_000);
  await comments.change('c_h', { kind: 'resolve' }, 5_000);
  await flushes(8);
  expect([...hub.comments.keys()].sort()).toEqual(ids.filter((id) => id !== 'c_d'));
  expect(hub.comments.get('c_h')?.status).toBe('resolved');
  expect(await outstanding()).toMatchObject({ waiting: 2, delayed: 'it was internal.', problems: [] });
});

test('a hub that is ill is not asked for ever more parts of an import', async () => {
  hub.poison = { word: 'c_', fault: 'internal' };
  let asked = 0;
  const send = hub.send.bind(hub);
  hub.send = (request, id) => {
    asked += 1;
    return send(request, id);
  };
  await bring(...Array.from({ length: 64 }, (_, at) => copy(`c_${at}`)));
  await flushes(8);
  expect(asked).toBeLessThan(40);
  hub.poison = undefined;
  await flushes(1);
  expect(hub.comments.size).toBe(64);
  expect((await outstanding()).waiting).toBe(0);
});

test('an import that is too large for one message goes in parts', async () => {
  const send = hub.send.bind(hub);
  hub.send = async (request, id) => {
    if (request.type === 'import_comments' && request.payload.comments.length > 2)
      throw new Error('too long');
    return send(request, id);
  };
  await bring(...[1, 2, 3, 4, 5].map((at) => copy(`c_${at}`)));
  await comments.change('c_5', { kind: 'resolve' }, 5_000);
  await flushes(3);
  expect(hub.comments.size).toBe(5);
  expect(await outstanding()).toMatchObject({ waiting: 0, problems: [] });
});

test('an import goes in, though the browser cannot read a comment that it holds', async () => {
  for (const id of ['c_1', 'c_2']) await comments.create(sampleComment(id), 's_1', null);
  await outbox.flush();
  await damage(store, 'comments', 'c_2');
  await bring(copy('c_1'), copy('c_2'), copy('c_3'));
  expect((await comments.of(ORIGIN)).map(({ text }) => text)).toEqual(Array(3).fill('Make it red'));
  await outbox.flush();
  expect([...hub.comments.keys()]).toEqual(['c_1', 'c_2', 'c_3']);
});

test('a comment that the browser cannot read is not changed, which is said', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await damage(store, 'comments', 'c_1');
  await expect(comments.change('c_1', { kind: 'resolve' }, 4_000)).rejects.toThrow(/Reload the page/);
});

test('nothing overtakes a change of its comment that the browser cannot read', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.create(sampleComment('c_2'), 's_1', null);
  const [first] = await store.getAllKeys('outbox');
  await damage(store, 'outbox', first);
  await comments.change('c_1', { kind: 'resolve' }, 4_000);
  await bring(copy('c_1'), copy('c_3'));
  await flushes(2);
  expect([...hub.comments.keys()]).toEqual(['c_2', 'c_3']);
  expect(await outstanding()).toMatchObject({ waiting: 3, problems: [] });
});

test('nothing overtakes an import that the browser cannot read', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await bring(copy('c_3'));
  const [first] = await store.getAllKeys('outbox');
  await damage(store, 'outbox', first);
  await comments.change('c_3', { kind: 'resolve' }, 4_000);
  await comments.change('c_1', { kind: 'resolve' }, 4_000);
  await comments.create(sampleComment('c_4'), 's_1', null);
  await comments.change('c_4', { kind: 'resolve' }, 4_000);
  await flushes(2);
  expect([...hub.comments].map(([id, { status }]) => `${id} ${status}`)).toEqual([
    'c_1 resolved',
    'c_4 resolved',
  ]);
  expect(await outstanding()).toMatchObject({ waiting: 2, problems: [] });
});
