/** What waits is sent once and in order, whatever happens on the way, and what fails stops nothing else. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../generated/ErrorCode';
import { eventually } from '../testing/eventually';
import { error, ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { kill } from '../testing/killed';
import { sampleComment } from '../testing/samples';
import { NoAnswer } from './link';
import type { Store } from './store';

let world: OutboxWorld;

beforeEach(async () => {
  world = await OutboxWorld.create();
});

const edit = (text: string, baseRevision: number) => ({ kind: 'edit', text, baseRevision }) as const;

test('a change is seen at once and sent later', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.change('c_1', edit('Make it red', 1), 2_000);
  expect((await world.comments.get('c_1'))?.text).toBe('Make it red');
  expect(await world.waiting()).toBe(2);
  await world.outbox.flush();
  expect(world.hub.comments.get('c_1')?.text).toBe('Make it red');
  expect(await world.waiting()).toBe(0);
});

test('nothing is lost when the link breaks before the hub heard it', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  world.hub.faults = ['lost before'];
  await world.outbox.flush();
  expect(await world.waiting()).toBe(1);
  await world.outbox.flush();
  expect(world.hub.comments.get('c_1')?.text).toBe('Make it blue');
});

test('nothing is applied twice when the background is killed between sending and the answer', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'please' }, 2_000);
  world.hub.faults = [undefined as never, 'lost after'];
  await world.outbox.flush();
  kill(world.store);
  await world.start(); // the new background knows only what the database kept
  expect(await world.waiting()).toBe(1);
  await world.outbox.flush();
  const ids = world.hub.seen.map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect(ids[2]).toBe(ids[1]);
  expect(world.hub.comments.get('c_1')?.replies).toHaveLength(1);
  expect(await world.waiting()).toBe(0);
});

test('changes of one comment keep their order whatever fails; other comments go on', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.create(sampleComment('c_2'), 's_1', null);
  await world.comments.change('c_1', edit('one', 1), 2_000);
  await world.comments.change('c_1', edit('two', 2), 3_000);
  await world.comments.change('c_2', { kind: 'resolve' }, 3_000);
  world.hub.faults = ['no_project'];
  await world.outbox.flush();
  expect([...world.hub.comments.keys()]).toEqual(['c_2']);
  expect(world.hub.comments.get('c_2')?.status).toBe('resolved');
  expect(await world.waiting()).toBe(3);
  await world.outbox.flush();
  const order = world.hub.seen
    .filter(({ request }) => JSON.stringify(request).includes('c_1'))
    .map(({ request }) => request.type);
  expect(order).toEqual(['create_comment', 'change_comment', 'change_comment']);
  expect(world.hub.comments.get('c_1')?.text).toBe('two');
  expect(await world.sentences()).toEqual([]);
});

test('without a project everything waits and nothing is a problem', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  for (let i = 0; i < 20; i++) {
    world.hub.faults = ['no_project'];
    await world.outbox.flush();
  }
  expect(await world.waiting()).toBe(1);
  expect(await world.sentences()).toEqual([]);
});

test('a hub that was restarted and forgot the session gets the comment all the same', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  world.hub.faults = ['unknown_session'];
  await world.outbox.flush();
  expect(world.hub.comments.has('c_1')).toBe(true);
  world.hub.faults = ['unknown_session', 'unknown_session', 'unknown_session'];
  await world.comments.create(sampleComment('c_2'), 's_1', null);
  await world.outbox.flush(); // ends, however often the hub says so
  expect(await world.waiting()).toBe(1);
});

test('a change whose session the hub does not remember goes without it', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', { kind: 'resolve' }, 2_000);
  const named: unknown[] = [];
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (request, id, sessionId?: string) => {
    named.push(sessionId);
    return sessionId === undefined ? send(request, id) : error('unknown_session');
  };
  await world.outbox.flush();
  expect(named).toEqual(['s_1', undefined]);
  expect(world.hub.comments.get('c_1')?.status).toBe('resolved');
});

test('a full disk keeps changes waiting', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  world.hub.faults = ['storage'];
  await world.outbox.flush();
  expect(await world.waiting()).toBe(1);
  world.now += 1_000;
  await world.outbox.flush();
  expect(await world.waiting()).toBe(0);
});

test('a comment that the hub refuses for good stays in the browser and says why', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  world.hub.faults = ['too_large'];
  await world.outbox.flush();
  expect((await world.comments.get('c_1'))?.text).toBe('Make it blue');
  expect((await world.sentences())[0]).toContain('too_large');
  await world.problems.dismiss(ORIGIN);
  expect(await world.sentences()).toEqual([]);
});

test('what the host left out of an import is told until the person has read it', async () => {
  const theirs = ['c_7', 'c_8', 'c_9'].map((id) => ({ ...sampleComment(id), importedAt: 7 }));
  await world.comments.import(theirs, theirs, 's_1', ORIGIN);
  world.hub.send = async () => ({
    type: 'imported',
    payload: { added: 1, updated: 0, skipped: 0, leftOut: 2 },
  });
  await world.outbox.flush();
  expect(await world.waiting()).toBe(0);
  expect(await world.sentences()).toEqual([
    expect.stringContaining('2 of 3 imported comments stay as they were on the host'),
  ]);
});

test('an import whose numbers are taken says how many have new ones', async () => {
  const theirs = ['c_7', 'c_8', 'c_9'].map((id, at) => ({
    ...sampleComment(id),
    importedAt: 7,
    number: at + 1,
  }));
  await world.comments.import(theirs, theirs, 's_1', ORIGIN);
  world.hub.send = async () => ({
    type: 'imported',
    payload: { added: 3, updated: 0, skipped: 0, renumbered: 2 },
  });
  await world.outbox.flush();
  expect(await world.sentences()).toEqual([
    '2 of 3 imported comments have new numbers: theirs are taken by other comments of this project.',
  ]);
});

test('a comment has no number until the hub has stored it, and what waits behind it keeps that', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'please' }, 2_000);
  expect((await world.comments.get('c_1'))?.number).toBeUndefined();
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (request, id) => {
    const answer = await send(request, id);
    return answer.type === 'comment'
      ? { ...answer, payload: { comment: { ...answer.payload.comment, number: 12 } } }
      : answer;
  };
  await world.outbox.flush();
  expect(await world.comments.get('c_1')).toMatchObject({ number: 12, replies: [{ id: 'r_1' }] });
});

test('a hub that is ill for a minute loses no comment, and is asked ever more seldom', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'please' }, 2_000);
  await world.comments.create(sampleComment('c_2'), 's_1', null);
  world.hub.poison = { word: 'c_', fault: 'internal' };
  let asked = 0;
  const send = world.hub.send.bind(world.hub);
  world.hub.send = (request, id) => {
    asked += 1;
    return send(request, id);
  };
  for (let second = 0; second < 60; second++) {
    world.now += 1_000;
    await world.outbox.flush();
  }
  expect(asked).toBeGreaterThan(4);
  expect(asked).toBeLessThan(20); // 120 without pauses
  expect(await world.sentences()).toEqual([]);
  expect((await world.comments.outstanding(ORIGIN)).delayed).toContain('it was internal');
  world.hub.poison = undefined;
  for (let second = 0; second < 61; second++) {
    world.now += 1_000;
    await world.outbox.flush();
  }
  expect([...world.hub.comments.keys()].sort()).toEqual(['c_1', 'c_2']);
  expect(world.hub.comments.get('c_1')?.replies).toHaveLength(1);
  expect(await world.waiting()).toBe(0);
  expect((await world.comments.outstanding(ORIGIN)).delayed).toBeUndefined();
});

test('a background that was killed does nothing more, also in the database of the next test', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await world.comments.create(sampleComment('c_1'), 's_1', null);
    world.hub.faults = ['lost after'];
    await world.outbox.flush(); // it means to try again in a second
    kill(world.store);
    world = await OutboxWorld.create();
    await world.comments.create(sampleComment('c_2'), 's_1', null);
    await vi.advanceTimersByTimeAsync(5_000);
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await world.waiting()).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('what an earlier test left to be tried again wakes in no later one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await world.comments.create(sampleComment('c_1'), 's_1', null);
    world.hub.faults = ['internal'];
    await world.outbox.flush();
    const { hub } = world;
    hub.poison = { word: 'c_1', fault: 'internal' };
    world.now += 5_000;
    world = await OutboxWorld.create();
    await vi.advanceTimersByTimeAsync(5_000);
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a clock that was set back makes nothing wait longer than a pause', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  world.hub.faults = ['internal'];
  await world.outbox.flush();
  world.now -= 365 * 24 * 60 * 60 * 1_000;
  await world.outbox.flush();
  expect(await world.waiting()).toBe(0);
});

test('the person has everything tried at once', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  world.hub.faults = ['internal'];
  await world.outbox.flush();
  await world.outbox.flushNow(ORIGIN);
  expect(await world.waiting()).toBe(0);
});

test.each(['no answer', 'unsendable', 'bad_request', 'too_large', 'brand_new_code' as ErrorCode] as const)(
  'one item that always ends in %s holds up no other',
  async (fault) => {
    await world.comments.create(sampleComment('c_poison', 'poison'), 's_1', null);
    await world.comments.create(sampleComment('c_2'), 's_1', null);
    world.hub.poison = { word: 'poison', fault };
    for (let time = 0; time < 6; time++) {
      await world.outbox.flush();
      world.now += 1_000;
    }
    expect([...world.hub.comments.keys()]).toEqual(['c_2']);
    // It waits or is a problem with its words; it is not lost.
    const told = (await world.sentences()).join();
    expect((await world.waiting()) === 1 || told.includes('poison')).toBe(true);
    expect((await world.comments.get('c_poison'))?.text).toBe('poison');
  },
);

test('a refused change is sent again when the person says so, and discarded when they do', async () => {
  const refused = world.problems;
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'one' }, 2_000);
  await world.comments.change('c_1', { kind: 'reply', id: 'r_2', text: 'two' }, 3_000);
  world.hub.faults = ['bad_request', 'forbidden'];
  await world.outbox.flush();
  const [one, two] = (await world.comments.outstanding(ORIGIN)).problems;
  expect(one?.sentence).toContain('one');
  expect((await world.comments.get('c_1'))?.replies).toEqual([]);
  await refused.retry(one?.seq ?? 0);
  await refused.discard(two?.seq ?? 0);
  expect((await world.comments.get('c_1'))?.replies.map(({ text }) => text)).toEqual(['one']);
  await world.outbox.flush();
  expect(world.hub.comments.get('c_1')?.replies.map(({ text }) => text)).toEqual(['one']);
  expect(await world.sentences()).toEqual([]);
  await expect(refused.retry(one?.seq ?? 0)).rejects.toThrow(/gone already/);
});

test.each(['no answer', 'internal', 'too_large'] as const)(
  'what was taken back while it was under way stays away (%s)',
  async (late) => {
    await world.comments.create(sampleComment('c_1'), 's_1', new Blob(['x']));
    const [seq] = await world.store.getAllKeys('outbox');
    let asked = 0;
    world.hub.send = async () => {
      asked += 1;
      await world.store.delete('outbox', seq as number);
      if (late === 'no answer') throw new NoAnswer('late');
      return error(late);
    };
    for (let time = 0; time < 3; time++) {
      await world.outbox.flush();
      world.now += 61_000;
    }
    expect(asked).toBe(1);
    expect(await world.store.getAllKeys('outbox')).toEqual([]);
  },
);

test('a failure that is stored late leaves alone what changed meanwhile', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', edit('one', 1), 4_000);
  await world.comments.change('c_1', edit('two', 2), 4_100);
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async () => {
    const [first] = await world.store.getAll('outbox');
    await world.store.put('outbox', { ...first, withoutPicture: true } as never);
    return error('internal');
  };
  await world.outbox.flush();
  expect((await world.store.getAll('outbox'))[0]).toMatchObject({ attempts: 1, withoutPicture: true });
  world.hub.send = send;
  world.now += 61_000;
  await world.outbox.flush();
  expect(world.hub.comments.get('c_1')?.text).toBe('two');
});

/** Does `meanwhile` when the next run of the outbox counts what is left, before that is known: its very end. */
function atTheEnd(meanwhile: () => Promise<void>): Promise<void> {
  const store: { -readonly [Key in 'count']: Store[Key] } = world.store;
  return new Promise((resolve, reject) => {
    const count = store.count;
    store.count = (async (...asked: Parameters<typeof count>) => {
      const left = await count.apply(store, asked);
      if (asked[0] !== 'outbox' || asked.length > 1) return left;
      store.count = count;
      await meanwhile().then(resolve, reject);
      return left;
    }) as typeof count;
  });
}

test('a comment that is made while a run ends is sent without another reason', async () => {
  const ended = atTheEnd(async () => {
    await world.comments.create(sampleComment('c_1'), 's_1', null);
    void world.outbox.flush();
  });
  await world.outbox.flush();
  await ended;
  expect(world.hub.comments.has('c_1')).toBe(true);
});

test('a flush while a run ends takes no retry away', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  world.hub.faults = ['internal'];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const ended = atTheEnd(async () => void world.outbox.flush());
    await world.outbox.flush();
    await ended;
    expect(vi.getTimerCount()).toBe(1);
    world.now += 61_000;
    await vi.advanceTimersByTimeAsync(61_000);
  } finally {
    vi.useRealTimers();
  }
  await eventually(() => expect(world.hub.comments.has('c_1')).toBe(true));
});

test('how things stand is told at once, however much waits', async () => {
  const item = { subject: 'c_0', origin: ORIGIN, attempts: 0 };
  const request = {
    type: 'change_comment',
    payload: { commentId: 'c_0', change: { kind: 'resolve' }, at: 1 },
  };
  const db = await world.store.connected();
  const tx = db.transaction('outbox', 'readwrite');
  for (let at = 0; at < 10_000; at++) void tx.store.add({ ...item, id: `m_${at}`, request } as never);
  await tx.store.add({
    ...item,
    id: 'm_late',
    request,
    attempts: 3,
    why: 'It is ill.',
    delayed: ORIGIN,
  } as never);
  await tx.done;
  let read = 0;
  const clone = globalThis.structuredClone;
  globalThis.structuredClone = ((value: unknown) => {
    if ((value as { request?: unknown } | null)?.request) read += 1;
    return clone(value);
  }) as typeof clone;
  try {
    expect(await world.comments.outstanding(ORIGIN)).toMatchObject({
      waiting: 10_001,
      delayed: 'It is ill.',
    });
  } finally {
    globalThis.structuredClone = clone;
  }
  expect(read).toBeLessThan(5);
});
