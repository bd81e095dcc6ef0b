/** An import goes to the hub whole or in parts, and each of its comments keeps its place among its changes. */
import { beforeEach, expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import { loadCoreForTest } from '../testing/core';
import { damage } from '../testing/damage';
import { eventually } from '../testing/eventually';
import { error, ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';
import { halve, splitOff } from './imports';
import { type OutboxItem, type Store, writing } from './store';

const core = loadCoreForTest();
let world: OutboxWorld;

beforeEach(async () => {
  world = await OutboxWorld.create();
});

const edit = (text: string, baseRevision: number) => ({ kind: 'edit', text, baseRevision }) as const;

const copy = (id: string, text = 'Make it red'): Comment => ({ ...sampleComment(id, text), importedAt: 7 });
const bring = (...theirs: Comment[]) => world.comments.import(theirs, theirs, 's_1', ORIGIN);
const outstanding = () => world.comments.outstanding(ORIGIN);
const waitingSubjects = async () => (await world.store.getAll('outbox')).map(({ subject }) => subject);

test('a comment whose change always fails holds up no other comment of an import, nor their changes', async () => {
  for (const id of ['c_1', 'c_2']) await world.comments.create(sampleComment(id), 's_1', null);
  await world.outbox.flush();
  world.hub.poison = { word: 'POISON', fault: 'internal' };
  await world.comments.change('c_1', { kind: 'edit', text: 'POISON', baseRevision: 1 }, 4_000);
  await bring(copy('c_1'), copy('c_3'));
  await world.comments.change('c_3', { kind: 'resolve' }, 5_000);
  await world.comments.change('c_1', { kind: 'resolve' }, 5_000);
  await world.flushes(4);
  expect([...world.hub.comments.keys()]).toEqual(['c_1', 'c_2', 'c_3']);
  expect(world.hub.comments.get('c_3')?.status).toBe('resolved');
  expect(await waitingSubjects()).toEqual(['c_1', 'c_1', 'c_1']);
  expect((await world.comments.get('c_1'))?.status).toBe('resolved');
  world.hub.poison = undefined;
  await world.flushes(1);
  expect(await outstanding()).toMatchObject({ waiting: 0, problems: [] });
  expect(world.hub.comments.get('c_1')?.status).toBe('resolved');
});

test('comments that begin to fail one after another each wait alone, and an edit of one counts from its import', async () => {
  await bring(copy('c_1'), copy('c_2'), copy('c_3'), { ...copy('c_4'), revision: 5 });
  world.hub.poison = { word: 'POISON', fault: 'internal' };
  for (const id of ['c_4', 'c_2', 'c_3']) {
    await world.comments.create(sampleComment(`${id}0`), 's_1', null);
    const [first] = await world.store.getAllKeys('outbox');
    // As a change that was made before the import and goes on failing.
    const change = { kind: 'reply', id: `r_${id}`, text: 'POISON' } as const;
    const request = { type: 'change_comment', payload: { commentId: id, change, at: 1 } } as const;
    const item = { id: `m_${id}`, subject: id, origin: ORIGIN, attempts: 0, request };
    await world.store.put('outbox', { ...item, seq: (first ?? 1) - 1 });
  }
  await world.outbox.flush();
  await world.comments.change('c_4', { kind: 'edit', text: 'mine', baseRevision: 5 }, 5_000);
  await world.flushes(3);
  expect([...world.hub.comments.keys()].sort()).toEqual(['c_1', 'c_20', 'c_30', 'c_40']);
  const waits = (await world.store.getAll('outbox')) as { subject: string; request: { type: string } }[];
  const last = waits.filter(({ subject }) => subject === 'c_4').at(-1);
  expect(last?.request).toMatchObject({ payload: { change: { baseRevision: 5 } } });
  expect(waits.filter(({ request }) => request.type === 'import_comments').map((one) => one.subject)).toEqual(
    ['c_2', 'c_3', 'c_4'],
  );
});

test('one comment that the hub fails over holds up no other of its import', async () => {
  world.hub.poison = { word: 'POISON', fault: 'internal' };
  const ids = [...'abcdefgh'].map((letter) => `c_${letter}`);
  await bring(...ids.map((id) => copy(id, id === 'c_d' ? 'POISON' : 'Make it red')));
  await world.comments.change('c_d', { kind: 'resolve' }, 5_000);
  await world.comments.change('c_h', { kind: 'resolve' }, 5_000);
  await world.flushes(8);
  expect([...world.hub.comments.keys()].sort()).toEqual(ids.filter((id) => id !== 'c_d'));
  expect(world.hub.comments.get('c_h')?.status).toBe('resolved');
  expect(await outstanding()).toMatchObject({ waiting: 2, delayed: 'it was internal.', problems: [] });
});

test('a hub that is ill is not asked for ever more parts of an import', async () => {
  world.hub.poison = { word: 'c_', fault: 'internal' };
  let asked = 0;
  const send = world.hub.send.bind(world.hub);
  world.hub.send = (request, id) => {
    asked += 1;
    return send(request, id);
  };
  await bring(...Array.from({ length: 64 }, (_, at) => copy(`c_${at}`)));
  await world.flushes(8);
  expect(asked).toBeLessThan(40);
  world.hub.poison = undefined;
  await world.flushes(1);
  expect(world.hub.comments.size).toBe(64);
  expect((await outstanding()).waiting).toBe(0);
});

test('an import that is too large for one message goes in parts', async () => {
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (request, id) => {
    if (request.type === 'import_comments' && request.payload.comments.length > 2)
      throw new Error('too long');
    return send(request, id);
  };
  await bring(...[1, 2, 3, 4, 5].map((at) => copy(`c_${at}`)));
  await world.comments.change('c_5', { kind: 'resolve' }, 5_000);
  await world.flushes(3);
  expect(world.hub.comments.size).toBe(5);
  expect(await outstanding()).toMatchObject({ waiting: 0, problems: [] });
});

test('an import goes in, though the browser cannot read a comment that it holds', async () => {
  for (const id of ['c_1', 'c_2']) await world.comments.create(sampleComment(id), 's_1', null);
  await world.outbox.flush();
  await damage(world.store, 'comments', 'c_2');
  await bring(copy('c_1'), copy('c_2'), copy('c_3'));
  expect((await world.comments.of(ORIGIN)).map(({ text }) => text)).toEqual(Array(3).fill('Make it red'));
  await world.outbox.flush();
  expect([...world.hub.comments.keys()]).toEqual(['c_1', 'c_2', 'c_3']);
});

test('a comment that the browser cannot read is not changed, which is said', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await damage(world.store, 'comments', 'c_1');
  await expect(world.comments.change('c_1', { kind: 'resolve' }, 4_000)).rejects.toThrow(/Reload the page/);
});

test('nothing overtakes a change of its comment that the browser cannot read', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.create(sampleComment('c_2'), 's_1', null);
  const [first] = await world.store.getAllKeys('outbox');
  await damage(world.store, 'outbox', first);
  await world.comments.change('c_1', { kind: 'resolve' }, 4_000);
  await bring(copy('c_1'), copy('c_3'));
  await world.flushes(2);
  expect([...world.hub.comments.keys()]).toEqual(['c_2', 'c_3']);
  expect(await outstanding()).toMatchObject({ waiting: 2, problems: [{ subject: 'c_1' }] });
});

test('nothing overtakes an import that the browser cannot read', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await bring(copy('c_3'));
  const [first] = await world.store.getAllKeys('outbox');
  await damage(world.store, 'outbox', first);
  await world.comments.change('c_3', { kind: 'resolve' }, 4_000);
  await world.comments.change('c_1', { kind: 'resolve' }, 4_000);
  await world.comments.create(sampleComment('c_4'), 's_1', null);
  await world.comments.change('c_4', { kind: 'resolve' }, 4_000);
  await world.flushes(2);
  expect([...world.hub.comments].map(([id, { status }]) => `${id} ${status}`)).toEqual([
    'c_1 resolved',
    'c_4 resolved',
  ]);
  expect(await outstanding()).toMatchObject({ waiting: 1, problems: [{ subject: 'import' }] });
});

test('imported comments are there at once and go to the hub', async () => {
  const theirs = [{ ...sampleComment('c_7', 'imported'), importedAt: 7 }];
  await world.comments.import(theirs, theirs, 's_1', ORIGIN);
  expect((await world.comments.get('c_7'))?.text).toBe('imported');
  await world.comments.hear([sampleComment('c_8')]);
  expect(await world.comments.of(ORIGIN)).toHaveLength(2);
  await world.outbox.flush();
  expect(world.hub.seen[0]?.request.type).toBe('import_comments');
});

/** An imported comment with a history, as an export of another browser has it. */
function imported(id: string): Comment {
  const edited = { kind: 'edit', text: 'Make it red', baseRevision: 1 } as const;
  return { ...core.applyChange(sampleComment(id), edited, { kind: 'person' }, 1_500), importedAt: 7 };
}

test.each(['internal', 'lost before', 'no_project', 'lost after'] as const)(
  'a change of an imported comment waits for its import, whatever the import meets (%s)',
  async (fault) => {
    const theirs = [imported('c_7'), imported('c_8')];
    await world.comments.import(theirs, theirs, 's_1', ORIGIN);
    await world.comments.change('c_7', edit('mine', 2), 4_000);
    await world.comments.change('c_8', { kind: 'reply', id: 'r_1', text: 'mine too' }, 4_000);
    await world.comments.create(sampleComment('c_2'), 's_1', null);
    world.hub.faults = [fault];
    for (let time = 0; time < 4; time++) {
      await world.outbox.flush();
      world.now += 61_000;
    }
    expect(await world.sentences()).toEqual([]);
    expect(await world.waiting()).toBe(0);
    expect(world.hub.comments.get('c_7')?.text).toBe('mine');
    expect(world.hub.comments.get('c_8')?.replies).toHaveLength(1);
    expect(world.hub.comments.has('c_2')).toBe(true);
  },
);

test('a comment of an import waits behind its changes, and what comes after it behind that', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.create(sampleComment('c_9'), 's_1', null);
  const theirs = [imported('c_1'), imported('c_7')];
  await world.comments.import(theirs, theirs, 's_1', ORIGIN);
  await world.comments.change('c_1', { kind: 'resolve' }, 4_000);
  await world.comments.change('c_7', { kind: 'resolve' }, 4_000);
  world.hub.faults = ['internal'];
  await world.outbox.flush();
  const types = () => world.hub.seen.map(({ request }) => request.type);
  expect(types()).toEqual(['create_comment', 'import_comments', 'change_comment']);
  expect([...world.hub.comments.keys()]).toEqual(['c_9', 'c_7']);
  expect(await world.waiting()).toBe(3);
  world.now += 61_000;
  await world.outbox.flush();
  expect(types().slice(3)).toEqual(['create_comment', 'import_comments', 'change_comment']);
  expect(world.hub.comments.get('c_1')?.status).toBe('resolved');
});

test('a change does not overtake its comment’s part of an import that was split while a look at what waits was under way', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'taken back' }, 4_000);
  await bring(imported('c_1'), imported('c_7'));
  await world.comments.change('c_1', { kind: 'resolve' }, 5_000);
  const [reply, , resolve] = await world.store.getAllKeys('outbox');
  world.hub.seen = [];
  const store: { -readonly [Key in 'get' | 'getAllKeys']: Store[Key] } = world.store;
  const { get, getAllKeys } = store;
  const happened = new Set<string>();
  const until = (what: string) => eventually(() => expect(happened).toContain(what));
  // The first look has read which items wait, and ends when the import was split; the second one comes to its part only
  // when the turn of the change has come.
  let looks = 0;
  const slowLook = (async (...asked: Parameters<typeof getAllKeys>) => {
    const keys = await getAllKeys(...asked);
    looks += 1;
    happened.add(`look ${looks}`);
    if (looks === 1) await until('import split');
    if (looks === 2) await until('turn of the change');
    return keys;
  }) as typeof getAllKeys;
  store.get = (async (name, key) => {
    const found = await get(name, key);
    if (name === 'outbox' && key === resolve && looks > 0) happened.add('turn of the change');
    return found;
  }) as typeof get;
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (request, id) => {
    if (JSON.stringify(request).includes('taken back')) {
      await world.store.delete('outbox', reply as number);
      store.getAllKeys = slowLook;
      void world.outbox.flush();
      await until('look 1');
      return error('no_project');
    }
    if (request.type === 'import_comments' && looks === 1) {
      happened.add('import split');
      await until('look 2');
    }
    return send(request, id);
  };
  await world.outbox.flush();
  const sent = world.hub.seen.map(({ request }) =>
    request.type === 'import_comments' ? request.payload.comments.map(({ id }) => id).join() : request.type,
  );
  expect(sent).toEqual(['c_7', 'c_1', 'change_comment']);
  expect(await world.waiting()).toBe(0);
});

test('an import that is another one by now is not split once more', async () => {
  await bring(...['c_1', 'c_2', 'c_3', 'c_4'].map((id) => copy(id)));
  const [whole] = (await world.store.getAll('outbox')) as OutboxItem[];
  const again = () => writing(world.store, (tx) => halve(tx, whole as OutboxItem));
  expect(await again()).toHaveLength(1);
  expect(await again()).toEqual([]);
  expect(
    await writing(world.store, (tx) => splitOff(tx, whole as OutboxItem, new Set(['c_1']))),
  ).toBeUndefined();
  expect(await world.store.count('outbox')).toBe(2);
});

test('a part that was held up by another change counts as not tried yet', async () => {
  await bring(copy('c_1'), copy('c_2'));
  const [item] = (await world.store.getAll('outbox')) as OutboxItem[];
  const failed = { ...(item as OutboxItem), attempts: 4, retryAt: 7, why: 'It is ill.', delayed: ORIGIN };
  await world.store.put('outbox', failed);
  await writing(world.store, (tx) => splitOff(tx, failed, new Set(['c_2'])));
  const [left, part] = await world.store.getAll('outbox');
  expect(left).toMatchObject({ attempts: 4, subject: 'import' });
  expect(part).toMatchObject({ attempts: 0, subject: 'c_2' });
  for (const name of ['retryAt', 'why', 'delayed']) expect(part).not.toHaveProperty(name);
});

test('a number of a file goes to the hub, and is not shown before the hub has said that the comment keeps it', async () => {
  await world.comments.create({ ...sampleComment('c_0'), number: 4 }, 's_1', null);
  const theirs = { ...copy('c_1'), number: 4 };
  // As the core merges it.
  const { number, ...here } = theirs;
  await world.comments.import([here], [theirs], 's_1', ORIGIN);
  await world.comments.change('c_1', { kind: 'resolve' }, 5_000);
  expect((await world.comments.get('c_1'))?.number).toBeUndefined();
  // Built anew from what waits.
  await writing(world.store, (tx) => world.comments.settleIn(tx, 'c_1'));
  expect((await world.comments.get('c_1'))?.number).toBeUndefined();
  const [, item] = await world.store.getAll('outbox');
  expect(item?.request).toMatchObject({ payload: { comments: [{ id: 'c_1', number: 4 }] } });
});
