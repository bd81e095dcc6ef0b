/** What people see while their own changes wait and others change the same comment. */
import { beforeEach, expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import { loadCoreForTest } from '../testing/core';
import { error, ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';
import type { Comments } from './comments';
import { NoAnswer } from './link';
import type { StoredComment } from './store';

const core = loadCoreForTest();
let world: OutboxWorld;

beforeEach(async () => {
  world = await OutboxWorld.create();
});

const edit = (text: string, baseRevision: number) => ({ kind: 'edit', text, baseRevision }) as const;

test('two browsers editing the same comment: the refused text is kept with the one that won', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', edit('mine', 1), 4_000);
  world.hub.change('c_1', 'theirs');
  await world.outbox.flush();
  // The hub's answer to the refusal carries no comment; its event does.
  await world.comments.hear([world.hub.comments.get('c_1') as Comment]);
  const [sentence] = await world.sentences();
  expect(sentence).toContain('mine');
  expect((await world.comments.get('c_1'))?.text).toBe('theirs');
  expect(await world.waiting()).toBe(0);
});

test('a conflict that the event told of first names both texts', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', edit('mine', 1), 4_000);
  await world.comments.hear([world.hub.change('c_1', 'theirs')]);
  expect((await world.comments.get('c_1'))?.text).toBe('mine');
  await world.outbox.flush();
  const [sentence] = await world.sentences();
  expect(sentence).toContain('“mine”');
  expect(sentence).toContain('“theirs”');
  expect((await world.comments.get('c_1'))?.text).toBe('theirs');
});

test('own edits in a row are no conflict, even when an agent replied in between', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', edit('first', 1), 4_000);
  await world.comments.change('c_1', edit('second', 2), 4_001);
  const known = world.hub.comments.get('c_1') as Comment;
  const reply = { kind: 'reply', id: 'r_9', text: 'on it' } as const;
  world.hub.comments.set('c_1', core.applyChange(known, reply, { kind: 'agent', name: 'a' }, 4_500));
  await world.outbox.flush();
  expect(await world.sentences()).toEqual([]);
  expect(world.hub.comments.get('c_1')?.text).toBe('second');
  expect(world.hub.comments.get('c_1')?.replies).toHaveLength(1);
});

test('own edits in a row are no conflict when an agent’s reply is heard of between them', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  for (const [at, text] of ['first', 'second', 'third'].entries())
    await world.comments.change('c_1', edit(text, at + 1), 4_000 + at);
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (request, id) => {
    if (JSON.stringify(request).includes('second')) {
      const reply = { kind: 'reply', id: 'r_9', text: 'on it' } as const;
      const known = world.hub.comments.get('c_1') as Comment;
      const replied = core.applyChange(known, reply, { kind: 'agent', name: 'a' }, 4_500);
      world.hub.comments.set('c_1', replied);
      await world.comments.hear([replied]);
    }
    return send(request, id);
  };
  await world.outbox.flush();
  expect(await world.sentences()).toEqual([]);
  expect(world.hub.comments.get('c_1')?.text).toBe('third');
  expect(await world.comments.get('c_1')).toEqual(world.hub.comments.get('c_1'));
});

test('own edits in a row are no conflict when what came of the first is heard of before its answer', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', edit('first', 1), 4_000);
  await world.comments.change('c_1', edit('second', 2), 4_001);
  world.hub.faults = ['lost after'];
  await world.outbox.flush();
  await world.comments.hear([world.hub.comments.get('c_1') as Comment]);
  await world.outbox.flush();
  expect(await world.sentences()).toEqual([]);
  expect(world.hub.comments.get('c_1')?.text).toBe('second');
});

test('a foreign edit behind an own one whose answer was lost is a conflict for an edit that waits', async () => {
  for (const isHeard of [false, true]) {
    world = await OutboxWorld.create();
    await world.comments.create(sampleComment('c_1'), 's_1', null);
    await world.outbox.flush();
    await world.comments.change('c_1', edit('first', 1), 4_000);
    world.hub.faults = ['lost after'];
    await world.outbox.flush();
    if (isHeard) await world.comments.hear([world.hub.comments.get('c_1') as Comment]);
    await world.comments.change('c_1', edit('second', 2), 4_001);
    world.hub.change('c_1', 'theirs');
    await world.outbox.flush();
    expect((await world.sentences())[0]).toContain('“second”');
    expect(world.hub.comments.get('c_1')?.text).toBe('theirs');
  }
});

test('an edit counts from what was shown when a foreign edit is heard of before the answer to an own change', async () => {
  const own = { kind: 'reply', id: 'r_1', text: 'hm' } as const;
  for (const [change, shown, said] of [
    [own, 'theirs', 'second'],
    [edit('first', 1), 'first', 'theirs'],
  ] as const) {
    world = await OutboxWorld.create();
    await world.comments.create(sampleComment('c_1'), 's_1', null);
    await world.outbox.flush();
    await world.comments.change('c_1', change, 4_000);
    const send = world.hub.send.bind(world.hub);
    world.hub.send = async (request, id) => {
      world.hub.send = send;
      const answer = await send(request, id);
      await world.comments.hear([world.hub.change('c_1', 'theirs')]);
      const now = await world.comments.get('c_1');
      expect(now?.text).toBe(shown);
      await world.comments.change('c_1', edit('second', now?.revision ?? 0), 4_001);
      return answer;
    };
    await world.outbox.flush();
    await world.outbox.flush();
    expect(world.hub.comments.get('c_1')?.text).toBe(said);
    expect(await world.sentences()).toHaveLength(said === 'theirs' ? 1 : 0);
  }
});

test('own edits in a row are no conflict where an earlier version left the comment', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', edit('first', 1), 4_000);
  await world.comments.change('c_1', edit('second', 2), 4_001);
  const { lastEdit, ...earlier } = (await world.store.get('comments', 'c_1')) as StoredComment;
  expect(lastEdit).toBeDefined();
  await world.store.put('comments', earlier);
  await world.outbox.flush();
  expect(await world.sentences()).toEqual([]);
  expect(world.hub.comments.get('c_1')?.text).toBe('second');
});

test('a refused edit that is sent again is no conflict with the own edit that it now follows', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', edit('first', 1), 4_000);
  world.hub.faults = ['bad_request'];
  await world.outbox.flush();
  await world.comments.change('c_1', edit('second', 1), 4_001);
  const [problem] = (await world.comments.outstanding(ORIGIN)).problems;
  await world.problems.retry(problem?.seq ?? 0);
  await world.outbox.flush();
  expect(await world.sentences()).toEqual([]);
  expect(world.hub.comments.get('c_1')?.text).toBe('first');
});

test('what others changed meanwhile is shown with own changes that still wait', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'one' }, 4_000);
  await world.comments.change('c_1', { kind: 'reply', id: 'r_2', text: 'two' }, 4_001);
  world.hub.change('c_1', 'theirs');
  const send = world.hub.send.bind(world.hub);
  let asked = 0;
  world.hub.send = async (...request) => (asked++ === 0 ? send(...request) : error('no_project'));
  await world.outbox.flush();
  const here = await world.comments.get('c_1');
  expect([here?.text, here?.replies.map(({ text }) => text)]).toEqual(['theirs', ['one', 'two']]);
});

test('a foreign edit behind an own reply is still a conflict for an edit that waits', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'hm' }, 4_000);
  await world.comments.change('c_1', edit('mine', 2), 4_001);
  world.hub.change('c_1', 'theirs');
  await world.outbox.flush();
  expect(world.hub.comments.get('c_1')?.text).toBe('theirs');
  expect((await world.sentences())[0]).toContain('“mine”');
});

test("an older version never replaces a newer one, and the hub's version is the base of what waits", async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  const old = world.hub.comments.get('c_1') as Comment;
  const newer = world.hub.change('c_1', 'newer');
  await world.comments.hear([newer]);
  await world.comments.hear([old]);
  expect((await world.comments.get('c_1'))?.text).toBe('newer');
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'thanks' }, 9_000);
  await world.comments.hear([world.hub.change('c_1', 'newest')]);
  expect(await world.comments.get('c_1')).toMatchObject({ text: 'newest', replies: [{ id: 'r_1' }] });
});

test('a report that the hub refuses is no problem for a person', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  const states = [
    { verdict: 'missing' as const, confidence: 1, diff: [], reason: 'It is gone.', checkedAt: 1 },
  ];
  await world.comments.change('c_1', { kind: 'report_states', states }, 5_000);
  expect((await world.comments.get('c_1'))?.status).toBe('outdated');
  world.hub.faults = ['conflict'];
  await world.outbox.flush();
  expect(await world.sentences()).toEqual([]);
  expect((await world.comments.get('c_1'))?.status).toBe('active');
});

const looked = (verdict: 'missing' | 'changed' | 'unchanged', at: number) => {
  const diff = verdict === 'changed' ? [{ field: 'text', before: 'Save', after: `at ${at}` }] : [];
  const states = [{ verdict, confidence: 1, diff, reason: 'So it is.', checkedAt: at }];
  return { kind: 'report_states' as const, states } as Parameters<Comments['change']>[1];
};

test('of what was seen of a comment only the latest waits, in its place among what people do', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  for (let at = 1; at <= 20; at++) await world.comments.change('c_1', looked('changed', at), 2_000 + at);
  await world.comments.change('c_1', { kind: 'reply', id: 'r_1', text: 'Hm' }, 3_000);
  await world.comments.change('c_1', looked('unchanged', 30), 4_000);
  expect(await world.waiting()).toBe(3);
  expect(await world.comments.get('c_1')).toMatchObject({ status: 'active', replies: [{ id: 'r_1' }] });
  const here = await world.comments.get('c_1');
  await world.outbox.flush();
  expect(world.hub.comments.get('c_1')).toEqual(here);
  expect(world.hub.seen.map(({ request }) => request.type)).toHaveLength(3);
});

test('a report that is under way is replaced all the same, and both are taken', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', looked('changed', 1), 2_000);
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async () => {
    world.hub.send = send;
    await world.comments.change('c_1', looked('unchanged', 2), 3_000);
    throw new NoAnswer('late');
  };
  await world.outbox.flush();
  expect(await world.waiting()).toBe(1);
  await world.outbox.flush();
  expect(await world.waiting()).toBe(0);
  expect(world.hub.comments.get('c_1')?.targets[0]?.state?.verdict).toBe('unchanged');
  expect((await world.comments.get('c_1'))?.status).toBe('active');
});

test('a report that the hub takes though it was replaced under way is in what is shown', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  await world.comments.change('c_1', looked('changed', 1), 2_000);
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (...request) => {
    world.hub.send = send;
    await world.comments.change('c_1', looked('unchanged', 2), 3_000);
    return send(...request);
  };
  await world.outbox.flush();
  await world.outbox.flush();
  expect(await world.waiting()).toBe(0);
  expect(world.hub.seen).toHaveLength(3);
  expect(await world.comments.get('c_1')).toEqual(world.hub.comments.get('c_1'));
});
