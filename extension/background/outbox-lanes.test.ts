/**
 * Projects go side by side: one whose hub is late delays no other, and what names the same comment keeps its order all
 * the same.
 */
import { beforeEach, expect, test } from 'vitest';
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import { eventually } from '../testing/eventually';
import { error, ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';

const DEAD = 'http://dead.test';
let world: OutboxWorld;
/** What was sent and waits for its answer, by words of the request. */
let late: Map<string, (answer: Answer | undefined) => void>;
/** Every request that was sent, in order. */
let asked: string[];

beforeEach(async () => {
  world = await OutboxWorld.create();
  late = new Map();
  asked = [];
});

const made = (id: string, origin = ORIGIN) =>
  world.comments.create({ ...sampleComment(id), url: `${origin}/` }, 's_1', null);

const nameOf = (request: Request) =>
  request.type === 'create_comment'
    ? request.payload.comment.id
    : request.type === 'change_comment'
      ? `${request.payload.commentId} ${request.payload.change.kind}`
      : request.type;

/** Requests that say so get no answer before the test gives one; nothing means that the hub does as it would. */
function slow(...words: string[]): void {
  const send = world.hub.send.bind(world.hub);
  // Of this test alone: an outbox that waits goes on when its test has ended.
  const [itsAsked, itsLate] = [asked, late];
  world.hub.send = async (request, id) => {
    itsAsked.push(nameOf(request));
    if (!words.some((word) => JSON.stringify(request).includes(word))) return send(request, id);
    const answer = await new Promise<Answer | undefined>((resolve) => itsLate.set(nameOf(request), resolve));
    return answer ?? send(request, id);
  };
}

test('a project whose disk does not answer delays no other, nor what is queued meanwhile', async () => {
  for (const id of ['c_d1', 'c_d2', 'c_d3']) await made(id, DEAD);
  await made('c_1');
  slow('c_d');
  const done = world.outbox.flush();
  await eventually(() => expect([...world.hub.comments.keys()]).toEqual(['c_1']));
  await made('c_2');
  await world.comments.change('c_1', { kind: 'resolve' }, 2_000);
  void world.outbox.flush();
  await eventually(() => expect(world.hub.comments.get('c_1')?.status).toBe('resolved'));
  expect([...world.hub.comments.keys()]).toEqual(['c_1', 'c_2']);
  // Of the dead project one alone is asked for, and the others not one after the other when its answer has come.
  expect(asked.filter((one) => one.startsWith('c_d'))).toEqual(['c_d1']);
  late.get('c_d1')?.(error('storage'));
  await done;
  expect(asked.filter((one) => one.startsWith('c_d'))).toEqual(['c_d1']);
  expect(await world.store.count('outbox')).toBe(3);
});

test('what waits is tried once more when its project becomes known while it is under way', async () => {
  await made('c_1');
  slow('c_1');
  const done = world.outbox.flush();
  await eventually(() => expect(late.size).toBe(1));
  void world.outbox.flush();
  // The look that this makes finds it under way.
  await made('c_2', DEAD);
  void world.outbox.flush();
  await eventually(() => expect(asked).toEqual(['c_1', 'c_2']));
  late.get('c_1')?.(error('no_project'));
  await eventually(() => expect(asked).toEqual(['c_1', 'c_2', 'c_1']));
  late.get('c_1')?.(error('no_project'));
  await done;
  // No more: nobody asked since.
  expect(asked).toEqual(['c_1', 'c_2', 'c_1']);
});

test('a project that gives no answer is asked for one thing at once', async () => {
  for (const id of ['c_1', 'c_2', 'c_3']) await made(id);
  world.hub.poison = { word: 'c_', fault: 'no answer' };
  slow();
  await world.outbox.flush();
  expect(asked).toEqual(['c_1']);
});

test('a comment of a project that an origin was in before delays none of its project now', async () => {
  for (const id of ['c_1', 'c_2']) await made(id);
  await world.outbox.flush();
  await world.store.put('projects', '/now', ORIGIN);
  const record = await world.store.get('comments', 'c_1');
  await world.store.put('comments', { ...record, project: '/before' } as never);
  await world.comments.change('c_1', { kind: 'resolve' }, 2_000);
  await world.comments.change('c_2', { kind: 'resolve' }, 2_000);
  slow('c_1');
  const done = world.outbox.flush();
  await eventually(() => expect(world.hub.comments.get('c_2')?.status).toBe('resolved'));
  late.get('c_1 resolve')?.(undefined);
  await done;
  expect(world.hub.comments.get('c_1')?.status).toBe('resolved');
});

test('a project pauses while its disk does not answer, and goes on whole once it does', async () => {
  for (let at = 0; at < 10; at++) await made(`c_d${at}`, DEAD);
  world.hub.poison = { word: 'c_d', fault: 'storage' };
  slow();
  for (let second = 0; second < 60; second++) {
    world.now += 1_000;
    await world.outbox.flush();
  }
  expect(asked.length).toBeLessThan(15);
  expect(new Set(asked).size).toBeGreaterThan(1);
  world.hub.poison = undefined;
  world.now += 61_000;
  await world.outbox.flush();
  expect(world.hub.comments.size).toBe(10);
});

test('the person has a project that pauses tried at once', async () => {
  for (const id of ['c_1', 'c_2']) await made(id);
  world.hub.faults = ['storage'];
  await world.outbox.flush();
  await world.outbox.flush();
  expect(world.hub.comments.size).toBe(0);
  await world.outbox.flushNow(ORIGIN);
  expect(world.hub.comments.size).toBe(2);
});

test.each(['storage', 'no answer'] as const)(
  'one comment that always ends in %s keeps no other of its project from going',
  async (fault) => {
    await made('c_poison');
    await made('c_2');
    world.hub.poison = { word: 'poison', fault };
    for (let second = 0; second < 60; second++) {
      await world.outbox.flush();
      world.now += 1_000;
    }
    expect([...world.hub.comments.keys()]).toEqual(['c_2']);
  },
);

test('a change never overtakes its comment, though the project became known meanwhile', async () => {
  await made('c_1');
  slow('create_comment');
  const done = world.outbox.flush();
  await eventually(() => expect(late.size).toBe(1));
  await world.store.put('projects', '/shop', ORIGIN);
  await world.comments.change('c_1', { kind: 'resolve' }, 2_000);
  await made('c_2');
  void world.outbox.flush();
  await eventually(() => expect(asked).toEqual(['c_1', 'c_2']));
  late.get('c_1')?.(undefined);
  late.get('c_2')?.(undefined);
  await done;
  expect(world.hub.comments.get('c_1')?.status).toBe('resolved');
  expect(asked).toEqual(['c_1', 'c_2', 'c_1 resolve']);
});

test('a change waits for the import of its comment into another project', async () => {
  await made('c_9');
  await world.outbox.flush();
  const record = await world.store.get('comments', 'c_9');
  await world.store.put('comments', { ...record, project: '/shop' } as never);
  const theirs = [{ ...sampleComment('c_9', 'theirs'), importedAt: 7 }];
  await world.comments.import(theirs, theirs, 's_1', ORIGIN);
  await world.comments.change('c_9', { kind: 'resolve' }, 9_000);
  slow('import_comments');
  const done = world.outbox.flush();
  await eventually(() => expect(late.size).toBe(1));
  expect(asked).toEqual(['import_comments']);
  late.get('import_comments')?.(undefined);
  await done;
  expect(asked).toEqual(['import_comments', 'c_9 resolve']);
});

/** Numbers from 0 to below 1, the same for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'whatever is late, fails or is queued meanwhile, each comment gets its changes once and in order (seed %i)',
  async (seed) => {
    const next = random(seed + 1);
    const pick = <T>(of: readonly T[]) => of[Math.floor(next() * of.length)] as T;
    const send = world.hub.send.bind(world.hub);
    let isWell = false;
    world.hub.send = async (request, id) => {
      for (let ticks = next() * 6; ticks > 0; ticks--) await new Promise((resolve) => setTimeout(resolve));
      const fault = next();
      if (isWell || fault < 0.6) return send(request, id);
      return error(pick(['storage', 'internal', 'no_project', 'unknown_session'] as const));
    };
    const ids = Array.from({ length: 6 }, (_, at) => `c_${at}`);
    const said = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (const id of ids) await made(id, pick([ORIGIN, DEAD, 'http://third.test']));
    for (let step = 0; step < 40; step++) {
      const id = pick(ids);
      const text = `r_${step}`;
      await world.comments.change(id, { kind: 'reply', id: text, text }, 2_000 + step);
      said.get(id)?.push(text);
      if (next() < 0.1) {
        const copies = ids.slice(2, 5).map((one) => ({ ...sampleComment(one), importedAt: 7 }));
        const payload = { sessionId: 's_1', comments: copies };
        // As an import that changes nothing, but keeps its place.
        const item = { id: `m_i${step}`, subject: 'import', origin: pick([ORIGIN, DEAD]), attempts: 0 };
        await world.store.put('outbox', { ...item, request: { type: 'import_comments', payload } });
      }
      if (next() < 0.2) await world.store.put('projects', pick(['/a', '/b']), pick([ORIGIN, DEAD]));
      if (next() < 0.6) void world.outbox.flush();
      world.now += 700;
    }
    isWell = true;
    await world.flushes(8);
    expect(await world.store.count('outbox')).toBe(0);
    const order = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (const { request } of world.hub.seen) {
      if (request.type === 'create_comment') order.get(request.payload.comment.id)?.push('create');
      if (request.type === 'change_comment' && request.payload.change.kind === 'reply')
        order.get(request.payload.commentId)?.push(request.payload.change.id);
    }
    for (const [id, replies] of said) expect(order.get(id)).toEqual(['create', ...replies]);
  },
);
