import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../generated/Answer';
import type { Comment } from '../generated/Comment';
import type { ErrorCode } from '../generated/ErrorCode';
import type { Request } from '../generated/Request';
import { loadCoreForTest } from '../testing/core';
import { sampleComment } from '../testing/samples';
import { Comments } from './comments';
import { LinkLost } from './link';
import { Outbox } from './outbox';
import { openStore, type Store } from './store';

const ORIGIN = 'http://localhost:5173';
const core = loadCoreForTest();

/** A hub as the protocol describes it: applies each message id once, by the core's own rules. */
class Hub {
  comments = new Map<string, Comment>();
  seen: { id: string; request: Request }[] = [];
  #answers = new Map<string, Answer>();
  /** What goes wrong with the next requests, in order. */
  faults: ('lost before' | 'lost after' | ErrorCode)[] = [];

  async send(request: Request, id: string): Promise<Answer> {
    const fault = this.faults.shift();
    if (fault === 'lost before') throw new LinkLost('lost');
    if (fault !== undefined && fault !== 'lost after') return error(fault);
    this.seen.push({ id, request });
    const answer = this.#answers.get(id) ?? this.#apply(request);
    this.#answers.set(id, answer);
    if (fault === 'lost after') throw new LinkLost('lost');
    return answer;
  }

  #apply(request: Request): Answer {
    if (request.type === 'create_comment') {
      this.comments.set(request.payload.comment.id, request.payload.comment);
      return { type: 'comment', payload: { comment: request.payload.comment } };
    }
    if (request.type === 'change_comment') {
      const { commentId, change, at } = request.payload;
      const known = this.comments.get(commentId);
      if (!known) return error('unknown_comment');
      try {
        const comment = core.applyChange(known, change, { kind: 'person' }, at);
        this.comments.set(commentId, comment);
        return { type: 'comment', payload: { comment } };
      } catch {
        return error('conflict');
      }
    }
    return { type: 'imported', payload: { added: 0, updated: 0, skipped: 0 } };
  }

  /** Somebody else's change. */
  change(id: string, text: string): Comment {
    const known = this.comments.get(id) as Comment;
    const change = { kind: 'edit', text, baseRevision: known.revision } as const;
    const comment = core.applyChange(known, change, { kind: 'agent', name: 'other' }, 5_000);
    this.comments.set(id, comment);
    return comment;
  }
}

const error = (code: ErrorCode): Answer => ({
  type: 'error',
  payload: { code, message: `it was ${code}`, nextStep: 'Do something.' },
});

let store: Store;
let hub: Hub;
let comments: Comments;
let outbox: Outbox;

/** The background as it is after a start; the database is what a restart keeps. */
async function start(): Promise<void> {
  store = await openStore();
  comments = new Comments(store, core.applyChange, () => {});
  outbox = new Outbox({
    store,
    comments,
    conversations: { acknowledge: async () => {}, refuse: async () => {} },
    emptied: () => {},
    keepSession: async () => {},
    send: (request, id) => hub.send(request, id),
    session: async (sessionId) => sessionId,
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
  await comments.import([sampleComment('c_7', 'imported')], 's_1', ORIGIN);
  expect((await comments.get('c_7'))?.text).toBe('imported');
  await comments.hear([sampleComment('c_8')]);
  expect(await comments.of(ORIGIN)).toHaveLength(2);
  await outbox.flush();
  expect(hub.seen[0]?.request.type).toBe('import_comments');
});
