/** What is said goes to the hub in order, and what the hub tells is applied once. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { EventEnvelope } from '../generated/EventEnvelope';
import { newId } from '../new-id';
import { ChatWorld, picture, selection, session } from '../testing/chat-world';
import { eventually } from '../testing/eventually';
import { kill } from '../testing/killed';

let world: ChatWorld;

beforeEach(async () => {
  world = await ChatWorld.create();
});

test('selection and message go in order, with their session, and are acknowledged', async () => {
  await world.point('Make it blue');
  expect(await world.last()).toMatchObject({ content: 'Make it blue', delivery: 'waiting' });
  await world.outbox.flush();
  expect(world.types()).toEqual(['set_context', 'user_message']);
  expect(world.hub.seen.map(({ sessionId }) => sessionId)).toEqual(['s_1', 's_1']);
  expect(world.hub.seen[0]?.request).toMatchObject({
    payload: { screenshot: 'AQL/', viewportScreenshot: 'AQL/', element: { tagName: 'BUTTON' } },
  });
  expect(await world.last()).toMatchObject({ delivery: 'sent', position: 1 });
  expect(await world.store.count('outbox')).toBe(0);
});

test('without a link everything waits, over a restart of the background, and nothing is said twice', async () => {
  world.hub.down = true;
  await world.point('one');
  await world.chat.say(
    session,
    { id: newId('m_'), text: 'two' },
    { contextId: (await world.last()).contextId ?? '' },
  );
  await world.outbox.flush();
  kill(world.store);
  await world.start();
  expect((await world.messages()).map(({ content, delivery }) => [content, delivery])).toEqual([
    ['one', 'waiting'],
    ['two', 'waiting'],
  ]);
  world.hub.down = false;
  world.hub.faults = [undefined, 'lost after'];
  await world.outbox.flush();
  await world.outbox.flush();
  expect([...world.hub.messages.values()].map(({ content }) => content)).toEqual(['one', 'two']);
  expect((await world.messages()).every(({ delivery }) => delivery === 'sent')).toBe(true);
});

test('a session that the hub does not know is opened again, and the message goes', async () => {
  world.hub.open.clear();
  await world.point('hello');
  await world.outbox.flush();
  expect(await world.last()).toMatchObject({ delivery: 'sent' });
  expect(world.kept.every((id) => id === 's_1')).toBe(true);
});

test('parts make an answer; a part that comes twice is applied once', async () => {
  const first = world.hub.part('m_a', 'Hel');
  const second = world.hub.part('m_a', 'lo');
  for (const event of [first, first, second, second, first]) await world.chat.hear(event);
  expect(await world.last()).toMatchObject({
    content: 'Hello',
    isComplete: false,
    agent: 'claude-code',
    parts: 2,
  });
  expect(world.grown).toEqual(['lo']);
  const end = world.hub.whole('m_a', '!');
  await world.chat.hear(end);
  await world.chat.hear(end);
  await world.chat.hear(second);
  expect(await world.last()).toMatchObject({ content: 'Hello!', isComplete: true });
  expect(await world.messages()).toHaveLength(1);
  expect((await world.chat.list())[0]?.unread).toBe(1);
  await world.chat.read('s_1');
  expect((await world.chat.list())[0]?.unread).toBe(0);
});

test('a missed part is found out and asked for', async () => {
  await world.chat.hear(world.hub.part('m_a', 'one '));
  world.hub.part('m_a', 'two '); // never heard
  await world.chat.hear(world.hub.part('m_a', 'three '));
  await eventually(async () => expect((await world.last()).content).toBe('one two three '));
  await world.chat.hear(world.hub.part('m_a', 'four'));
  expect((await world.last()).content).toBe('one two three four');
  expect(await world.messages()).toHaveLength(1);
});

test('parts that overtake the answer to the question are not lost', async () => {
  await world.chat.hear(world.hub.part('m_a', 'one '));
  world.hub.part('m_a', 'two ');
  const third = world.hub.part('m_a', 'three ');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const send = world.hub.send.bind(world.hub);
  world.hub.send = async (...args) => {
    const answer = await send(...args);
    await held;
    return answer;
  };
  await world.chat.hear(third); // asks, and the answer is under way
  await world.chat.hear(world.hub.part('m_a', 'four '));
  release();
  await eventually(async () => expect((await world.last()).content).toBe('one two three four '));
});

test('after a reconnect what happened meanwhile is there, once, in its order', async () => {
  await world.point('Why?');
  await world.outbox.flush();
  await world.chat.resume('s_1');
  await world.chat.hear(world.hub.part('m_a', 'Because '));
  world.hub.part('m_a', 'of ');
  world.hub.whole('m_a', 'this.');
  world.hub.whole('m_b', 'And that.');
  await world.chat.resume('s_1');
  expect((await world.messages()).map(({ content }) => content)).toEqual([
    'Why?',
    'Because of this.',
    'And that.',
  ]);
  expect((await world.chat.list())[0]?.unread).toBe(2);
  const asked = world.hub.seen.findLast(({ request }) => request.type === 'get_conversation');
  expect(asked?.request).toMatchObject({ payload: { after: 1 } });
  kill(world.store);
  await world.start();
  expect((await world.messages()).map(({ content }) => content)).toEqual([
    'Why?',
    'Because of this.',
    'And that.',
  ]);
});

test('a growing answer survives the background, and goes on where the hub is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await world.chat.hear(world.hub.part('m_a', 'one '));
  await world.chat.hear(world.hub.part('m_a', 'two '));
  vi.advanceTimersByTime(1_500);
  vi.useRealTimers();
  await eventually(async () => expect(await world.store.count('messages')).toBe(1));
  await world.chat.hear(world.hub.part('m_a', 'three '));
  kill(world.store);
  await world.start();
  await world.chat.hear(world.hub.part('m_a', 'four '));
  await eventually(async () => expect((await world.last()).content).toBe('one two three four '));
});

test('what agents do and ask is known only while the link is', async () => {
  const status = (value: 'thinking' | 'idle', agent: string): EventEnvelope => ({
    sessionId: 's_1',
    agent,
    type: 'status_update',
    payload: { status: value },
  });
  await world.chat.hear(status('thinking', 'a'));
  await world.chat.hear(status('thinking', 'b'));
  await world.chat.hear(status('idle', 'a'));
  await world.chat.hear({
    sessionId: 's_1',
    type: 'annotation_requested',
    payload: { annotationId: 'ann_1', message: 'Which button?', agent: 'b' },
  });
  expect(await world.chat.state('s_1')).toMatchObject({
    activities: [{ agent: 'b' }],
    annotations: [{ message: 'Which button?' }],
  });
  await world.chat.silence();
  expect(await world.chat.state('s_1')).toMatchObject({ activities: [], annotations: [] });
});

test('pictures of a selection that is under way, sent or goes without are not kept', async () => {
  const pictures = () => ({ element: picture(), viewport: picture() });
  const held = { selection, element: null, viewport: null, heldUntil: Date.now() };
  const contextId = await world.chat.say(session, { id: newId('m_'), text: 'one' }, held);
  const send = world.hub.send.bind(world.hub);
  let isKept: boolean | undefined;
  world.hub.send = async (...asked) => {
    world.hub.send = send;
    isKept = await world.chat.illustrate('s_1', contextId, pictures());
    return send(...asked);
  };
  await world.outbox.flush();
  expect(isKept).toBe(false);
  expect(await world.chat.illustrate('s_1', contextId, pictures())).toBe(false);
  expect(await world.store.getAllKeys('screenshots')).toEqual([]);
  const later = await world.chat.say(
    session,
    { id: newId('m_'), text: 'two' },
    { ...held, heldUntil: Date.now() + 9_000 },
  );
  const [item] = await world.store.getAll('outbox');
  await world.store.put('outbox', { ...item, withoutPicture: true } as never);
  expect(await world.chat.illustrate('s_1', later, pictures())).toBe(false);
  expect(await world.store.getAllKeys('screenshots')).toEqual([]);
});

test('words without a selection are about the page, told once for each page', async () => {
  await world.chat.say(session, { id: newId('m_'), text: 'one' }, undefined);
  await world.chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  await world.outbox.flush();
  expect(world.types()).toEqual(['set_context', 'user_message', 'user_message']);
  expect(world.hub.seen[0]?.request).toMatchObject({ payload: { element: { tagName: 'html' } } });
});

test('an answer is awaited from what is said until it is whole, or the person waits no more', async () => {
  expect(await world.chat.isAwaited('s_1')).toBe(false);
  await world.point('one');
  await world.outbox.flush();
  expect(await world.chat.isAwaited('s_1')).toBe(true);
  await world.chat.hear(world.hub.part('m_a', 'half '));
  expect([await world.chat.isAwaited('s_1'), world.ended]).toEqual([true, []]);
  await world.chat.hear(world.hub.whole('m_a', 'of it'));
  expect([await world.chat.isAwaited('s_1'), world.ended]).toEqual([false, ['s_1']]);
  await world.point('two');
  await world.outbox.flush();
  await world.chat.stop('s_1');
  expect([await world.chat.isAwaited('s_1'), world.ended]).toEqual([false, ['s_1', 's_1']]);
});

test('what was said while the answer to something else came is not answered by that, sent or not', async () => {
  await world.point('one');
  await world.outbox.flush();
  const [one] = await world.messages();
  await world.chat.say(session, { id: 'm_two', text: 'two' }, undefined);
  const end = world.hub.whole('m_a', 'Done.');
  const part = { messageId: 'm_a', index: 0, position: 9, answers: [one?.id ?? ''] };
  await world.chat.hear({ ...end, part });
  const two = async () => (await world.messages()).find(({ id }) => id === 'm_two');
  expect(await two()).toMatchObject({ delivery: 'waiting', isAnswered: false });
  expect(await world.chat.isAwaited('s_1')).toBe(true);
  await world.outbox.flush();
  expect(await two()).toMatchObject({ delivery: 'sent', isAnswered: false });
  expect(await world.chat.isAwaited('s_1')).toBe(true);
});

test('what answers an agent’s own request waits for no answer, although one came before it was sent', async () => {
  await world.point('one');
  await world.outbox.flush();
  const [one] = await world.messages();
  await world.chat.say(session, { id: 'm_two', text: 'here', annotationId: 'a_1' }, undefined);
  const end = world.hub.whole('m_a', 'Done.');
  const part = { messageId: 'm_a', index: 0, position: 9, answers: [one?.id ?? ''] };
  await world.chat.hear({ ...end, part });
  await world.outbox.flush();
  expect((await world.messages()).find(({ id }) => id === 'm_two')).toMatchObject({ delivery: 'sent' });
  expect(await world.chat.isAwaited('s_1')).toBe(false);
});

test('a whole answer leaves waiting what it does not answer, which can still be taken back', async () => {
  await world.point('one');
  await world.chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  await world.outbox.flush();
  const [one, two] = await world.messages();
  const read: EventEnvelope = {
    sessionId: 's_1',
    type: 'message_read',
    payload: { messageId: two?.id ?? '' },
  };
  const end = world.hub.whole('m_a', 'Done.');
  const part = { messageId: 'm_a', index: 0, position: 9, answers: [one?.id ?? ''] };
  await world.chat.hear({ ...end, part });
  const standing = async () =>
    (await world.messages()).slice(0, 2).map(({ isAnswered, isRead, isStopped }) => ({
      isAnswered,
      isRead,
      isStopped,
    }));
  expect(await standing()).toMatchObject([
    { isAnswered: true, isRead: true },
    { isAnswered: false, isRead: false },
  ]);
  expect(await world.chat.isAwaited('s_1')).toBe(true);
  // The agent that read the other one leaves without an answer.
  await world.chat.hear(read);
  expect((await standing())[1]).toMatchObject({ isRead: true });
  await world.chat.hear({ ...read, payload: { messageId: two?.id ?? '', isRead: false } } as EventEnvelope);
  expect((await standing())[1]).toMatchObject({ isRead: false });
  await world.chat.stop('s_1');
  expect((await standing()).map(({ isStopped }) => isStopped)).toEqual([undefined, true]);
  expect(await world.chat.isAwaited('s_1')).toBe(false);
});

test('of a host that does not say what an answer answers it answers everything before', async () => {
  await world.point('one');
  await world.outbox.flush();
  await world.chat.hear(world.hub.whole('m_a', 'Done.'));
  expect(await world.chat.isAwaited('s_1')).toBe(false);
});
