/** What waits and is damaged keeps its place, is told, and stops nothing of another comment. */
import { beforeEach, expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import { damage } from '../testing/damage';
import { ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { kill } from '../testing/killed';
import { sampleComment } from '../testing/samples';
import { canRetry, textOf } from './problems';

let world: OutboxWorld;

beforeEach(async () => {
  world = await OutboxWorld.create();
});

test('an item that cannot be sent as it is kept stays, is told with everything in it, and the rest goes on', async () => {
  for (const item of [
    {
      id: 'm_1',
      subject: 'c_9',
      origin: ORIGIN,
      attempts: 0,
      request: { type: 'of_next_year', payload: {} },
    },
    { id: 'm_2', subject: 'c_9', origin: ORIGIN, attempts: 0, request: { type: 'create_comment' } },
    { subject: 7, request: 'my words' },
    {
      id: 'm_3',
      subject: 's_1',
      origin: ORIGIN,
      attempts: 0,
      request: { type: 'user_message', payload: { message: 'hi' } },
    },
  ])
    await world.store.put('outbox', item as never);
  await world.comments.create(sampleComment('c_2'), 's_1', null);
  await world.outbox.flush();
  expect([...world.hub.comments.keys()]).toEqual(['c_2']);
  expect(await world.waiting()).toBe(0);
  const told = (await world.comments.outstanding(ORIGIN)).problems;
  expect(told).toHaveLength(4);
  expect(told.map(textOf).join()).toContain('my words');
  expect(told.some(canRetry)).toBe(false);
  expect(await world.store.count('outbox')).toBe(4);
  await world.problems.dismiss(ORIGIN);
  expect(await world.store.count('outbox')).toBe(0);
  expect(await world.sentences()).toEqual([]);
  expect(world.lost).toContain('s_1');
});

type Damage = (seq: number) => Promise<unknown>;
const change = async (seq: number, change: object) =>
  world.store.put('outbox', { ...(await world.store.get('outbox', seq)), ...change } as never);
const DAMAGES: Record<string, Damage> = {
  'of another version': (seq) => change(seq, { request: { type: 'of_next_year', payload: {} } }),
  'without what it says': (seq) => change(seq, { request: { type: 'change_comment' } }),
  'of nobody knows which comment, but for what it says': (seq) =>
    change(seq, { subject: 7, request: { type: 'of_next_year', payload: { commentId: 'c_1' } } }),
  'that the browser cannot read': (seq) => damage(world.store, 'outbox', seq),
};

test.each(Object.entries(DAMAGES))(
  'what comes after a change %s waits, is told, and goes when the person lets that one go',
  async (_name, damaged) => {
    for (const id of ['c_1', 'c_2']) await world.comments.create(sampleComment(id), 's_1', null);
    await world.outbox.flush();
    await world.comments.change('c_1', { kind: 'edit', text: 'lost', baseRevision: 1 }, 2_000);
    await world.comments.change('c_1', { kind: 'resolve' }, 3_000);
    await world.comments.change('c_2', { kind: 'resolve' }, 3_000);
    const [first = 0] = await world.store.getAllKeys('outbox');
    await damaged(first);
    await world.flushes(2);
    kill(world.store);
    await world.start();
    await world.flushes(2);
    const here = () => world.hub.comments.get('c_1');
    expect([here()?.status, world.hub.comments.get('c_2')?.status]).toEqual(['active', 'resolved']);
    const { waiting, problems } = await world.comments.outstanding(ORIGIN);
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^A change that waits to be sent .+ must wait for it\. .*discard/i),
    ]);
    expect(waiting).toBe(1);
    await world.problems.discard(problems[0]?.seq ?? 0);
    await world.flushes(1);
    expect(await world.comments.outstanding(ORIGIN)).toEqual({ waiting: 0, problems: [] });
    expect(here()).toMatchObject({ status: 'resolved', text: 'Make it blue' });
    expect(await world.comments.get('c_1')).toEqual(here());
  },
);

test('a damaged change that can be sent after all goes in its place, and is told no more', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.change('c_1', { kind: 'resolve' }, 3_000);
  const [item] = await world.store.getAll('outbox');
  await world.store.put('outbox', { ...item, request: 'damaged' } as never);
  await world.flushes(1);
  expect([world.hub.seen.length, (await world.sentences()).length]).toEqual([0, 1]);
  await world.store.put('outbox', item as never);
  // Too late: it is damaged no more.
  const [told] = (await world.comments.outstanding(ORIGIN)).problems;
  await world.problems.discard(told?.seq ?? 0);
  await world.flushes(1);
  expect(world.hub.comments.get('c_1')?.status).toBe('resolved');
  expect(await world.comments.outstanding(ORIGIN)).toEqual({ waiting: 0, problems: [] });
});

test('a damaged import holds up the changes of each comment that it names, and of none that the hub has', async () => {
  await world.comments.create(sampleComment('c_9'), 's_1', null);
  await world.outbox.flush();
  const theirs = ['c_1', 'c_2'].map((id) => ({ ...sampleComment(id), importedAt: 7 }));
  await world.comments.import(theirs, theirs, 's_1', ORIGIN);
  for (const id of ['c_1', 'c_2', 'c_9']) await world.comments.change(id, { kind: 'resolve' }, 3_000);
  const [first = 0] = await world.store.getAllKeys('outbox');
  await change(first, { request: { type: 'import_comments', payload: { comments: [{ id: 'c_1' }] } } });
  await world.flushes(2);
  expect(world.hub.seen.slice(1).map(({ request }) => request)).toMatchObject([
    { payload: { commentId: 'c_9' } },
  ]);
  expect(await world.waiting()).toBe(2);
  expect(await world.sentences()).toEqual([expect.stringContaining('An import that waits')]);
});

test('a damaged change that waits keeps nothing from being heard, shown or changed', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'hm' }, 2_000);
  const [first = 0] = await world.store.getAllKeys('outbox');
  await change(first, { request: { type: 'change_comment' } });
  await world.comments.hear([world.hub.change('c_1', 'theirs')]);
  expect((await world.comments.get('c_1'))?.text).toBe('theirs');
  expect(await world.comments.isHeld('c_1')).toBe(false);
  await world.comments.change('c_1', { kind: 'resolve' }, 3_000);
  expect((await world.comments.get('c_1'))?.status).toBe('resolved');
});

test('an answer whose comment cannot be read counts as taken, and what people see stays', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.create(sampleComment('c_2'), 's_1', null);
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (request, id) => {
    const answer = await send(request, id);
    if (answer.type !== 'comment' || answer.payload.comment.id !== 'c_1') return answer;
    return {
      type: 'comment',
      payload: { comment: { ...answer.payload.comment, status: 'dreaming' as never } },
    };
  };
  await world.outbox.flush();
  expect(await world.waiting()).toBe(0);
  expect((await world.comments.get('c_1'))?.text).toBe('Make it blue');
  expect((await world.comments.of(ORIGIN)).map(({ id }) => id)).toEqual(['c_1', 'c_2']);
});

test.each([
  { retryAt: Number.NaN },
  { retryAt: Number.POSITIVE_INFINITY },
  { retryAt: 'soon' },
  { attempts: Number.NaN },
  { attempts: Number.POSITIVE_INFINITY },
  { attempts: -7 },
  { attempts: undefined, why: 7 },
  { attempts: '3', retryAt: null },
])('an item that tells nonsense of when it was tried is tried now: %o', async (nonsense) => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  const [item] = await world.store.getAll('outbox');
  await world.store.put('outbox', { ...item, ...nonsense } as never);
  await world.comments.change('c_1', { kind: 'resolve' }, 4_000);
  world.hub.faults = ['internal'];
  await world.outbox.flush();
  world.now += 61_000;
  await world.outbox.flush();
  expect(world.hub.comments.get('c_1')?.status).toBe('resolved');
  expect(await world.waiting()).toBe(0);
});

test('an item that the browser cannot read stays, is told, and stops no other', async () => {
  const told: string[] = [];
  world.store.onReadable = (name, key, isReadable) => told.push(`${name} ${key} ${isReadable}`);
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.create(sampleComment('c_2'), 's_1', null);
  await world.comments.change('c_2', { kind: 'resolve' }, 4_000);
  const [first] = await world.store.getAllKeys('outbox');
  await damage(world.store, 'outbox', first);
  await world.outbox.flush();
  await world.outbox.flushNow(ORIGIN);
  expect([...world.hub.comments.keys()]).toEqual(['c_2']);
  expect(world.hub.comments.get('c_2')?.status).toBe('resolved');
  expect(await world.store.getAllKeys('outbox')).toEqual([first]);
  expect(told).toEqual([`outbox ${first} false`]);
  expect(await world.waiting()).toBe(0);
  expect(await world.sentences()).toEqual([expect.stringContaining("can't be read any more")]);
});

test('what is taken back just when it is looked at is not taken for damaged', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  const [seq = 0] = await world.store.getAllKeys('outbox');
  const read = world.store.read.bind(world.store);
  world.store.read = async (name, key) => {
    if (name === 'outbox') await world.store.delete('outbox', seq);
    return read(name, key);
  };
  let isTakenForDamaged = false;
  world.store.outboxSubjects = async () => {
    isTakenForDamaged = true;
    return new Map();
  };
  await world.outbox.flush();
  expect(await world.store.count('problems')).toBe(0);
  expect([world.hub.seen, isTakenForDamaged]).toEqual([[], false]);
});

test('a comment that the browser cannot read hides no other, and the hub’s copy takes its place', async () => {
  const told: string[] = [];
  world.store.onReadable = (name, key, isReadable) => told.push(`${name} ${key} ${isReadable}`);
  for (const id of ['c_1', 'c_2', 'c_3']) await world.comments.create(sampleComment(id), 's_1', null);
  await world.outbox.flush();
  await damage(world.store, 'comments', 'c_2');
  const ids = (list: Comment[]) => list.map(({ id }) => id);
  expect(ids(await world.comments.of(ORIGIN))).toEqual(['c_1', 'c_3']);
  expect(ids(await world.comments.all())).toEqual(['c_1', 'c_3']);
  expect(await world.comments.get('c_2')).toBeUndefined();
  await world.comments.elsewhere(ORIGIN);
  await world.comments.pages(ORIGIN);
  expect(told).toEqual(['comments c_2 false']);
  await expect(world.comments.change('c_2', { kind: 'resolve' }, 4_000)).rejects.toThrow();
  await world.comments.hear([...world.hub.comments.values()]);
  expect(ids(await world.comments.of(ORIGIN))).toEqual(['c_1', 'c_2', 'c_3']);
});

test('an answer for a comment that the browser cannot read repairs it', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await damage(world.store, 'comments', 'c_1');
  await world.outbox.flush();
  expect(await world.waiting()).toBe(0);
  expect((await world.comments.get('c_1'))?.text).toBe('Make it blue');
});
