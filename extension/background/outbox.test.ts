import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import type { ErrorCode } from '../generated/ErrorCode';
import { loadCoreForTest } from '../testing/core';
import { damage } from '../testing/damage';
import { error, Hub } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';
import { Comments } from './comments';
import { NoAnswer } from './link';
import { Outbox } from './outbox';
import { canRetry, Problems, textOf } from './problems';
import { openStore, type Store } from './store';

const ORIGIN = 'http://localhost:5173';
const core = loadCoreForTest();

let store: Store;
let hub: Hub;
let comments: Comments;
/** Origins whose comments were said to have changed. */
let changes: string[];
let outbox: Outbox;
let now: number;
/** Keys of pictures that cannot be read. */
let torn: Set<string>;

/** The background as it is after a start; the database is what a restart keeps. */
async function start(): Promise<void> {
  store = await openStore();
  changes = [];
  comments = new Comments(store, core.applyChange, (origin) => changes.push(origin));
  const readsBadly = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'get') return typeof value === 'function' ? value.bind(target) : value;
      return (of: string, key: string) =>
        of === 'screenshots' && torn.has(key)
          ? Promise.reject(new DOMException('A requested file could not be found', 'NotFoundError'))
          : value(of, key);
    },
  });
  outbox = new Outbox({
    store: readsBadly,
    now: () => now,
    comments,
    conversations: { acknowledge: async () => {}, refuse: async () => {} },
    emptied: () => {},
    keepSession: async () => {},
    send: (request, id) => hub.send(request, id),
    session: async (sessionId) => sessionId,
    readComment: (comment) => {
      try {
        return core.checkComment(comment);
      } catch {
        return undefined;
      }
    },
    forgetSessions: () => {},
    changed: () => {},
    imported: () => {},
  });
}

beforeAll(() => {
  loadCoreForTest();
});
beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  hub = new Hub();
  now = 1_000_000;
  torn = new Set();
  await start();
});

const edit = (text: string, baseRevision: number) => ({ kind: 'edit', text, baseRevision }) as const;
const waiting = async () => (await comments.outstanding(ORIGIN)).waiting;
const problems = async () => (await comments.outstanding(ORIGIN)).problems.map(({ sentence }) => sentence);

test('a change is seen at once and sent later', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.change('c_1', edit('Make it red', 1), 2_000);
  expect((await comments.get('c_1'))?.text).toBe('Make it red');
  expect(await waiting()).toBe(2);
  await outbox.flush();
  expect(hub.comments.get('c_1')?.text).toBe('Make it red');
  expect(await waiting()).toBe(0);
});

test('nothing is lost when the link breaks before the hub heard it', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  hub.faults = ['lost before'];
  await outbox.flush();
  expect(await waiting()).toBe(1);
  await outbox.flush();
  expect(hub.comments.get('c_1')?.text).toBe('Make it blue');
});

test('nothing is applied twice when the background is killed between sending and the answer', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'please' }, 2_000);
  hub.faults = [undefined as never, 'lost after'];
  await outbox.flush();
  store.close();
  await start(); // the new background knows only what the database kept
  expect(await waiting()).toBe(1);
  await outbox.flush();
  const ids = hub.seen.map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect(ids[2]).toBe(ids[1]);
  expect(hub.comments.get('c_1')?.replies).toHaveLength(1);
  expect(await waiting()).toBe(0);
});

test('changes of one comment keep their order whatever fails; other comments go on', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.create(sampleComment('c_2'), 's_1', null);
  await comments.change('c_1', edit('one', 1), 2_000);
  await comments.change('c_1', edit('two', 2), 3_000);
  await comments.change('c_2', { kind: 'resolve' }, 3_000);
  hub.faults = ['no_project'];
  await outbox.flush();
  expect([...hub.comments.keys()]).toEqual(['c_2']);
  expect(hub.comments.get('c_2')?.status).toBe('resolved');
  expect(await waiting()).toBe(3);
  await outbox.flush();
  const order = hub.seen
    .filter(({ request }) => JSON.stringify(request).includes('c_1'))
    .map(({ request }) => request.type);
  expect(order).toEqual(['create_comment', 'change_comment', 'change_comment']);
  expect(hub.comments.get('c_1')?.text).toBe('two');
  expect(await problems()).toEqual([]);
});

test('without a project everything waits and nothing is a problem', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  for (let i = 0; i < 20; i++) {
    hub.faults = ['no_project'];
    await outbox.flush();
  }
  expect(await waiting()).toBe(1);
  expect(await problems()).toEqual([]);
});

test('a hub that was restarted and forgot the session gets the comment all the same', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  hub.faults = ['unknown_session'];
  await outbox.flush();
  expect(hub.comments.has('c_1')).toBe(true);
  hub.faults = ['unknown_session', 'unknown_session', 'unknown_session'];
  await comments.create(sampleComment('c_2'), 's_1', null);
  await outbox.flush(); // ends, however often the hub says so
  expect(await waiting()).toBe(1);
});

test('a full disk keeps changes waiting', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  hub.faults = ['storage'];
  await outbox.flush();
  expect(await waiting()).toBe(1);
  now += 1_000;
  await outbox.flush();
  expect(await waiting()).toBe(0);
});

test('two browsers editing the same comment: the refused text is kept with the one that won', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await comments.change('c_1', edit('mine', 1), 4_000);
  hub.change('c_1', 'theirs');
  await outbox.flush();
  // The hub's answer to the refusal carries no comment; its event does.
  await comments.hear([hub.comments.get('c_1') as Comment]);
  const [sentence] = await problems();
  expect(sentence).toContain('mine');
  expect((await comments.get('c_1'))?.text).toBe('theirs');
  expect(await waiting()).toBe(0);
});

test('a conflict that the event told of first names both texts', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await comments.change('c_1', edit('mine', 1), 4_000);
  await comments.hear([hub.change('c_1', 'theirs')]);
  expect((await comments.get('c_1'))?.text).toBe('mine');
  await outbox.flush();
  const [sentence] = await problems();
  expect(sentence).toContain('“mine”');
  expect(sentence).toContain('“theirs”');
  expect((await comments.get('c_1'))?.text).toBe('theirs');
});

test('own edits in a row are no conflict, even when an agent replied in between', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await comments.change('c_1', edit('first', 1), 4_000);
  await comments.change('c_1', edit('second', 2), 4_001);
  const known = hub.comments.get('c_1') as Comment;
  const reply = { kind: 'reply', id: 'r_9', text: 'on it' } as const;
  hub.comments.set('c_1', core.applyChange(known, reply, { kind: 'agent', name: 'a' }, 4_500));
  await outbox.flush();
  expect(await problems()).toEqual([]);
  expect(hub.comments.get('c_1')?.text).toBe('second');
  expect(hub.comments.get('c_1')?.replies).toHaveLength(1);
});

test('a foreign edit behind an own reply is still a conflict for an edit that waits', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'hm' }, 4_000);
  await comments.change('c_1', edit('mine', 2), 4_001);
  hub.change('c_1', 'theirs');
  await outbox.flush();
  expect(hub.comments.get('c_1')?.text).toBe('theirs');
  expect((await problems())[0]).toContain('“mine”');
});

test('a comment that the hub refuses for good stays in the browser and says why', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  hub.faults = ['too_large'];
  await outbox.flush();
  expect((await comments.get('c_1'))?.text).toBe('Make it blue');
  expect((await problems())[0]).toContain('too_large');
  await comments.dismissProblems(ORIGIN);
  expect(await problems()).toEqual([]);
});

test("an older version never replaces a newer one, and the hub's version is the base of what waits", async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  const old = hub.comments.get('c_1') as Comment;
  const newer = hub.change('c_1', 'newer');
  await comments.hear([newer]);
  await comments.hear([old]);
  expect((await comments.get('c_1'))?.text).toBe('newer');
  await comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'thanks' }, 9_000);
  await comments.hear([hub.change('c_1', 'newest')]);
  expect(await comments.get('c_1')).toMatchObject({ text: 'newest', replies: [{ id: 'r_1' }] });
});

test('a report that the hub refuses is no problem for a person', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  const states = [
    { verdict: 'missing' as const, confidence: 1, diff: [], reason: 'It is gone.', checkedAt: 1 },
  ];
  await comments.change('c_1', { kind: 'report_states', states }, 5_000);
  expect((await comments.get('c_1'))?.status).toBe('outdated');
  hub.faults = ['conflict'];
  await outbox.flush();
  expect(await problems()).toEqual([]);
  expect((await comments.get('c_1'))?.status).toBe('active');
});

test('a screenshot travels with its comment', async () => {
  await comments.create(sampleComment('c_1'), 's_1', new Blob([new Uint8Array([1, 2, 255])]));
  await outbox.flush();
  expect(hub.seen[0]?.request).toMatchObject({ payload: { screenshot: 'AQL/' } });
});

test('imported comments are there at once and go to the hub', async () => {
  const theirs = [{ ...sampleComment('c_7', 'imported'), importedAt: 7 }];
  await comments.import(theirs, theirs, 's_1', ORIGIN);
  expect((await comments.get('c_7'))?.text).toBe('imported');
  await comments.hear([sampleComment('c_8')]);
  expect(await comments.of(ORIGIN)).toHaveLength(2);
  await outbox.flush();
  expect(hub.seen[0]?.request.type).toBe('import_comments');
});

test('a hub that is ill for a minute loses no comment, and is asked ever more seldom', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'please' }, 2_000);
  await comments.create(sampleComment('c_2'), 's_1', null);
  hub.poison = { word: 'c_', fault: 'internal' };
  let asked = 0;
  const send = hub.send.bind(hub);
  hub.send = (request, id) => {
    asked += 1;
    return send(request, id);
  };
  for (let second = 0; second < 60; second++) {
    now += 1_000;
    await outbox.flush();
  }
  expect(asked).toBeGreaterThan(4);
  expect(asked).toBeLessThan(20); // 120 without pauses
  expect(await problems()).toEqual([]);
  expect((await comments.outstanding(ORIGIN)).delayed).toContain('it was internal');
  hub.poison = undefined;
  for (let second = 0; second < 61; second++) {
    now += 1_000;
    await outbox.flush();
  }
  expect([...hub.comments.keys()].sort()).toEqual(['c_1', 'c_2']);
  expect(hub.comments.get('c_1')?.replies).toHaveLength(1);
  expect(await waiting()).toBe(0);
  expect((await comments.outstanding(ORIGIN)).delayed).toBeUndefined();
});

test('a clock that was set back makes nothing wait longer than a pause', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  hub.faults = ['internal'];
  await outbox.flush();
  now -= 365 * 24 * 60 * 60 * 1_000;
  await outbox.flush();
  expect(await waiting()).toBe(0);
});

test('the person has everything tried at once', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  hub.faults = ['internal'];
  await outbox.flush();
  await outbox.flushNow(ORIGIN);
  expect(await waiting()).toBe(0);
});

test.each(['no answer', 'unsendable', 'bad_request', 'too_large', 'brand_new_code' as ErrorCode] as const)(
  'one item that always ends in %s holds up no other',
  async (fault) => {
    await comments.create(sampleComment('c_poison', 'poison'), 's_1', null);
    await comments.create(sampleComment('c_2'), 's_1', null);
    hub.poison = { word: 'poison', fault };
    for (let time = 0; time < 6; time++) {
      await outbox.flush();
      now += 1_000;
    }
    expect([...hub.comments.keys()]).toEqual(['c_2']);
    // It waits or is a problem with its words; it is not lost.
    const told = (await problems()).join();
    expect((await waiting()) === 1 || told.includes('poison')).toBe(true);
    expect((await comments.get('c_poison'))?.text).toBe('poison');
  },
);

test('an item that cannot be read is set aside with everything in it, and the rest goes on', async () => {
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
    await store.put('outbox', item as never);
  await comments.create(sampleComment('c_2'), 's_1', null);
  await outbox.flush();
  expect([...hub.comments.keys()]).toEqual(['c_2']);
  expect(await waiting()).toBe(0);
  const aside = (await comments.outstanding(ORIGIN)).problems;
  expect(aside).toHaveLength(4);
  expect(aside.map(textOf).join()).toContain('my words');
  expect(aside.some(canRetry)).toBe(false);
});

test('a picture that cannot be read is tried again, then left out: its comment goes', async () => {
  await comments.create(sampleComment('c_1'), 's_1', new Blob(['x']));
  torn.add('c_1');
  for (let time = 0; time < 3; time++) {
    await outbox.flush();
    now += 4_000;
  }
  expect(hub.comments.has('c_1')).toBe(true);
  expect(hub.seen[0]?.request).not.toHaveProperty('payload.screenshot');
  expect(await waiting()).toBe(0);
});

test('a picture that is too large is left out: its comment goes', async () => {
  await comments.create(sampleComment('c_1'), 's_1', new Blob(['x']));
  hub.faults = ['too_large'];
  await outbox.flush();
  expect(hub.comments.has('c_1')).toBe(true);
  expect(await problems()).toEqual([]);
});

test('an answer whose comment cannot be read counts as taken, and what people see stays', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.create(sampleComment('c_2'), 's_1', null);
  const send = hub.send.bind(hub);
  hub.send = async (request, id) => {
    const answer = await send(request, id);
    if (answer.type !== 'comment' || answer.payload.comment.id !== 'c_1') return answer;
    return {
      type: 'comment',
      payload: { comment: { ...answer.payload.comment, status: 'dreaming' as never } },
    };
  };
  await outbox.flush();
  expect(await waiting()).toBe(0);
  expect((await comments.get('c_1'))?.text).toBe('Make it blue');
  expect((await comments.of(ORIGIN)).map(({ id }) => id)).toEqual(['c_1', 'c_2']);
});

test('a refused change is sent again when the person says so, and discarded when they do', async () => {
  const refused = new Problems({ store, comments, queueing: async () => {}, changed: () => {} });
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'one' }, 2_000);
  await comments.change('c_1', { kind: 'reply', id: 'r_2', text: 'two' }, 3_000);
  hub.faults = ['bad_request', 'forbidden'];
  await outbox.flush();
  const [one, two] = (await comments.outstanding(ORIGIN)).problems;
  expect(one?.sentence).toContain('one');
  expect((await comments.get('c_1'))?.replies).toEqual([]);
  await refused.retry(one?.seq ?? 0);
  await refused.discard(two?.seq ?? 0);
  expect((await comments.get('c_1'))?.replies.map(({ text }) => text)).toEqual(['one']);
  await outbox.flush();
  expect(hub.comments.get('c_1')?.replies.map(({ text }) => text)).toEqual(['one']);
  expect(await problems()).toEqual([]);
  await expect(refused.retry(one?.seq ?? 0)).rejects.toThrow(/not there any more/);
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
    await comments.import(theirs, theirs, 's_1', ORIGIN);
    await comments.change('c_7', edit('mine', 2), 4_000);
    await comments.change('c_8', { kind: 'reply', id: 'r_1', text: 'mine too' }, 4_000);
    await comments.create(sampleComment('c_2'), 's_1', null);
    hub.faults = [fault];
    for (let time = 0; time < 4; time++) {
      await outbox.flush();
      now += 61_000;
    }
    expect(await problems()).toEqual([]);
    expect(await waiting()).toBe(0);
    expect(hub.comments.get('c_7')?.text).toBe('mine');
    expect(hub.comments.get('c_8')?.replies).toHaveLength(1);
    expect(hub.comments.has('c_2')).toBe(true);
  },
);

test('a comment of an import waits behind its changes, and what comes after it behind that', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.create(sampleComment('c_9'), 's_1', null);
  const theirs = [imported('c_1'), imported('c_7')];
  await comments.import(theirs, theirs, 's_1', ORIGIN);
  await comments.change('c_1', { kind: 'resolve' }, 4_000);
  await comments.change('c_7', { kind: 'resolve' }, 4_000);
  hub.faults = ['internal'];
  await outbox.flush();
  const types = () => hub.seen.map(({ request }) => request.type);
  expect(types()).toEqual(['create_comment', 'import_comments', 'change_comment']);
  expect([...hub.comments.keys()]).toEqual(['c_9', 'c_7']);
  expect(await waiting()).toBe(3);
  now += 61_000;
  await outbox.flush();
  expect(types().slice(3)).toEqual(['create_comment', 'import_comments', 'change_comment']);
  expect(hub.comments.get('c_1')?.status).toBe('resolved');
});

const looked = (verdict: 'missing' | 'changed' | 'unchanged', at: number) => {
  const diff = verdict === 'changed' ? [{ field: 'text', before: 'Save', after: `at ${at}` }] : [];
  const states = [{ verdict, confidence: 1, diff, reason: 'So it is.', checkedAt: at }];
  return { kind: 'report_states' as const, states } as Parameters<Comments['change']>[1];
};

test('of what was seen of a comment only the latest waits, in its place among what people do', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  for (let at = 1; at <= 20; at++) await comments.change('c_1', looked('changed', at), 2_000 + at);
  await comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'Hm' }, 3_000);
  await comments.change('c_1', looked('unchanged', 30), 4_000);
  expect(await waiting()).toBe(3);
  expect(await comments.get('c_1')).toMatchObject({ status: 'active', replies: [{ id: 'r_1' }] });
  const here = await comments.get('c_1');
  await outbox.flush();
  expect(hub.comments.get('c_1')).toEqual(here);
  expect(hub.seen.map(({ request }) => request.type)).toHaveLength(3);
});

test('a report that is under way is replaced all the same, and both are taken', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await comments.change('c_1', looked('changed', 1), 2_000);
  const send = hub.send.bind(hub);
  hub.send = async () => {
    hub.send = send;
    await comments.change('c_1', looked('unchanged', 2), 3_000);
    throw new NoAnswer('late');
  };
  await outbox.flush();
  expect(await waiting()).toBe(1);
  await outbox.flush();
  expect(await waiting()).toBe(0);
  expect(hub.comments.get('c_1')?.targets[0]?.state?.verdict).toBe('unchanged');
  expect((await comments.get('c_1'))?.status).toBe('active');
});

test.each(['no answer', 'internal', 'too_large'] as const)(
  'what was taken back while it was under way stays away (%s)',
  async (late) => {
    await comments.create(sampleComment('c_1'), 's_1', new Blob(['x']));
    const [seq] = await store.getAllKeys('outbox');
    let asked = 0;
    hub.send = async () => {
      asked += 1;
      await store.delete('outbox', seq as number);
      if (late === 'no answer') throw new NoAnswer('late');
      return error(late);
    };
    for (let time = 0; time < 3; time++) {
      await outbox.flush();
      now += 61_000;
    }
    expect(asked).toBe(1);
    expect(await store.getAllKeys('outbox')).toEqual([]);
  },
);

test('a failure that is stored late leaves alone what changed meanwhile', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await outbox.flush();
  await comments.change('c_1', edit('one', 1), 4_000);
  await comments.change('c_1', edit('two', 2), 4_100);
  const send = hub.send.bind(hub);
  hub.send = async () => {
    const [first] = await store.getAll('outbox');
    await store.put('outbox', { ...first, withoutPicture: true } as never);
    return error('internal');
  };
  await outbox.flush();
  expect((await store.getAll('outbox'))[0]).toMatchObject({ attempts: 1, withoutPicture: true });
  hub.send = send;
  now += 61_000;
  await outbox.flush();
  expect(hub.comments.get('c_1')?.text).toBe('two');
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
  await comments.create(sampleComment('c_1'), 's_1', null);
  const [item] = await store.getAll('outbox');
  await store.put('outbox', { ...item, ...nonsense } as never);
  await comments.change('c_1', { kind: 'resolve' }, 4_000);
  hub.faults = ['internal'];
  await outbox.flush();
  now += 61_000;
  await outbox.flush();
  expect(hub.comments.get('c_1')?.status).toBe('resolved');
  expect(await waiting()).toBe(0);
});

test('an item that the browser cannot read stays, is told, and stops no other', async () => {
  const told: string[] = [];
  store.onReadable = (name, key, isReadable) => told.push(`${name} ${key} ${isReadable}`);
  await comments.create(sampleComment('c_1'), 's_1', null);
  await comments.create(sampleComment('c_2'), 's_1', null);
  await comments.change('c_2', { kind: 'resolve' }, 4_000);
  const [first] = await store.getAllKeys('outbox');
  await damage(store, 'outbox', first);
  await outbox.flush();
  await outbox.flushNow(ORIGIN);
  expect([...hub.comments.keys()]).toEqual(['c_2']);
  expect(hub.comments.get('c_2')?.status).toBe('resolved');
  expect(await store.getAllKeys('outbox')).toEqual([first]);
  expect(told).toEqual([`outbox ${first} false`]);
  expect(await waiting()).toBe(1);
});

test('a comment that the browser cannot read hides no other, and the hub’s copy takes its place', async () => {
  const told: string[] = [];
  store.onReadable = (name, key, isReadable) => told.push(`${name} ${key} ${isReadable}`);
  for (const id of ['c_1', 'c_2', 'c_3']) await comments.create(sampleComment(id), 's_1', null);
  await outbox.flush();
  await damage(store, 'comments', 'c_2');
  const ids = (list: Comment[]) => list.map(({ id }) => id);
  expect(ids(await comments.of(ORIGIN))).toEqual(['c_1', 'c_3']);
  expect(ids(await comments.all())).toEqual(['c_1', 'c_3']);
  expect(await comments.get('c_2')).toBeUndefined();
  await comments.elsewhere(ORIGIN);
  await comments.pages(ORIGIN);
  expect(told).toEqual(['comments c_2 false']);
  await expect(comments.change('c_2', { kind: 'resolve' }, 4_000)).rejects.toThrow();
  await comments.hear([...hub.comments.values()]);
  expect(ids(await comments.of(ORIGIN))).toEqual(['c_1', 'c_2', 'c_3']);
});

test('an answer for a comment that the browser cannot read repairs it', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await damage(store, 'comments', 'c_1');
  await outbox.flush();
  expect(await waiting()).toBe(0);
  expect((await comments.get('c_1'))?.text).toBe('Make it blue');
});

test('how things stand is told at once, however much waits', async () => {
  const item = { subject: 'c_0', origin: ORIGIN, attempts: 0 };
  const request = {
    type: 'change_comment',
    payload: { commentId: 'c_0', change: { kind: 'resolve' }, at: 1 },
  };
  const db = await store.connected();
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
    expect(await comments.outstanding(ORIGIN)).toMatchObject({ waiting: 10_001, delayed: 'It is ill.' });
  } finally {
    globalThis.structuredClone = clone;
  }
  expect(read).toBeLessThan(5);
});

test('a comment that is held for its picture is shown and sent with it, or without it when none comes in time', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null, undefined, now + 20_000);
  await outbox.flush();
  expect([hub.seen.length, changes]).toEqual([0, []]);
  expect(await comments.illustrate('c_1', new Blob([new Uint8Array([1, 2, 255])]))).toBe(true);
  expect(changes).toEqual([ORIGIN]);
  await outbox.flush();
  expect(hub.seen[0]?.request).toMatchObject({ payload: { screenshot: 'AQL/' } });
  await comments.create(sampleComment('c_2'), 's_1', null, undefined, now + 20_000);
  await outbox.flush();
  expect(hub.comments.has('c_2')).toBe(false);
  now += 20_000;
  await outbox.flush();
  expect(hub.comments.has('c_2')).toBe(true);
  // One that comes too late is not shown as kept: the hub would never get it.
  expect(await comments.illustrate('c_2', new Blob(['late']))).toBe(false);
  expect([...(await comments.pictured())]).toEqual(['c_1']);
});
