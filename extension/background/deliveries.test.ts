/** What becomes of what the person said: it was refused, taken back, damaged, or nobody waits for it any more. */
import { beforeEach, expect, test } from 'vitest';
import type { Answer } from '../generated/Answer';
import { newId } from '../new-id';
import { ChatWorld, selection, session } from '../testing/chat-world';
import { error } from '../testing/fake-hub';
import { NoAnswer } from './link';

let world: ChatWorld;

beforeEach(async () => {
  world = await ChatWorld.create();
});

test('a refused message stays with its words and why, and can be sent again or discarded', async () => {
  world.hub.faults = [undefined, 'too_large'];
  await world.point('long words');
  await world.outbox.flush();
  const refused = await world.last();
  expect(refused).toMatchObject({
    content: 'long words',
    delivery: 'refused',
    why: 'it was too_large. Do something.',
  });
  await world.chat.retry(refused.id);
  await world.outbox.flush();
  expect((await world.messages()).map(({ content, delivery }) => [content, delivery])).toEqual([
    ['long words', 'sent'],
  ]);
  await expect(world.chat.discard(refused.id)).rejects.toThrow('gone already');
});

test('a selection that the hub has lost, or refused for its pictures, is told again with the message', async () => {
  await world.point('first');
  await world.outbox.flush();
  world.hub.contexts.clear();
  await world.chat.say(
    session,
    { id: newId('m_'), text: 'second' },
    { contextId: (await world.last()).contextId ?? '' },
  );
  await world.outbox.flush();
  expect(await world.last()).toMatchObject({ content: 'second', delivery: 'refused' });
  await world.chat.retry((await world.last()).id);
  await world.outbox.flush();
  expect(await world.last()).toMatchObject({ content: 'second', delivery: 'sent' });

  world.hub.faults = ['too_large'];
  await world.point('third');
  await world.outbox.flush();
  expect(await world.last()).toMatchObject({ delivery: 'refused', why: 'it was too_large. Do something.' });
  await world.chat.retry((await world.last()).id);
  await world.outbox.flush();
  expect(await world.last()).toMatchObject({ content: 'third', delivery: 'sent' });
  const again = world.hub.seen.findLast(({ request }) => request.type === 'set_context');
  expect(again?.request).not.toHaveProperty('payload.screenshot');
});

test('an answer to a request that nobody waits for any more is said as a message', async () => {
  world.hub.faults = [undefined, 'bad_request'];
  const about = { selection, element: null, viewport: null };
  await world.chat.say(session, { id: newId('m_'), text: 'This one', annotationId: 'ann_1' }, about);
  await world.outbox.flush();
  await world.outbox.flush();
  expect(world.types()).toEqual(['set_context', 'user_message']);
  expect(await world.last()).toMatchObject({ content: 'This one', delivery: 'sent' });
  expect(await world.messages()).toHaveLength(1);
});

test('what was damaged before it was sent and let go was not sent, and can be sent again', async () => {
  await world.point('one');
  await world.chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  const of = async () => (await world.messages()).map(({ content, delivery }) => `${content} ${delivery}`);
  const [item] = (await world.store.getAll('outbox')).filter(
    ({ request }) => request.type === 'user_message',
  );
  await world.store.put('outbox', { ...item, request: 'damaged' } as never);
  // While it is there, it may be any of them.
  await world.chat.deliveries.refuseLost('s_1');
  expect(await of()).toEqual(['one waiting', 'two waiting']);
  await world.store.delete('outbox', item?.seq as number);
  await world.chat.deliveries.refuseLost('s_1');
  expect(await of()).toEqual(['one refused', 'two waiting']);
  const [lost] = await world.messages();
  await world.chat.retry(lost?.id ?? '');
  await world.outbox.flush();
  expect((await world.messages()).map(({ delivery }) => delivery)).toEqual(['sent', 'sent']);
});

test('stop waiting takes back what waits here, and tells the hub of what it has', async () => {
  await world.point('one');
  await world.outbox.flush();
  world.hub.down = true;
  await world.chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  await expect(world.chat.stop('s_1')).rejects.toThrow('The host does not answer');
  world.hub.down = false;
  await world.chat.stop('s_1');
  expect(world.types().at(-1)).toBe('stop_waiting');
  await world.outbox.flush();
  expect([...world.hub.messages.values()].map(({ content }) => content)).toEqual(['one']);
  expect((await world.messages()).map(({ isStopped, delivery }) => [isStopped, delivery])).toEqual([
    [true, 'sent'],
    [true, 'refused'],
  ]);
});

test('what is taken back while it is under way is not sent again; what the hub took all the same is said so, and it waits for no answer', async () => {
  await world.chat.say(session, { id: newId('m_'), text: 'one' }, undefined);
  await world.outbox.flush();
  const send = world.hub.send.bind(world.hub);
  const meanwhile = (late: (done: Promise<Answer>) => Promise<Answer>) => {
    world.hub.send = async (request, id, sessionId) => {
      if (request.type !== 'user_message' && request.type !== 'answer_annotation')
        return send(request, id, sessionId);
      world.hub.send = send;
      const done = send(request, id, sessionId);
      await world.chat.stop('s_1');
      return late(done);
    };
  };
  // The answer to it comes after it was taken back.
  await world.chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  meanwhile((done) => done);
  await world.outbox.flush();
  expect(await world.last()).toMatchObject({ content: 'two', delivery: 'sent', isStopped: true });
  expect((await world.last()).why).toBeUndefined();
  expect(world.types().at(-1)).toBe('stop_waiting');
  // No answer came, and then one that would have it said again as a message.
  await world.chat.say(session, { id: newId('m_'), text: 'three' }, undefined);
  meanwhile(() => Promise.reject(new NoAnswer('late')));
  await world.outbox.flush();
  await world.chat.say(session, { id: newId('m_'), text: 'four', annotationId: 'ann_1' }, undefined);
  meanwhile(async () => error('bad_request'));
  await world.outbox.flush();
  expect(await world.store.count('outbox')).toBe(0);
  const asked = world.types().length;
  await world.outbox.flush();
  expect(world.types()).toHaveLength(asked);
});

test.each(['kept', 'discarded', 'sent again'])(
  'no answer is awaited to what was taken back while it was under way, and %s since',
  async (fate) => {
    const id = newId('m_');
    await world.chat.say(session, { id, text: 'one' }, undefined);
    const send = world.hub.send.bind(world.hub);
    world.hub.send = async (request, itsId, sessionId) => {
      const answer = await send(request, itsId, sessionId);
      if (request.type !== 'user_message') return answer;
      world.hub.send = send;
      await world.chat.stop('s_1');
      if (fate === 'discarded') await world.chat.discard(id);
      if (fate === 'sent again') await world.chat.retry(id);
      return answer;
    };
    await world.outbox.flush();
    await world.outbox.flush();
    const again = fate === 'sent again' ? ['user_message'] : [];
    // Before it is said again: the hub is to wait for an answer to that.
    expect(world.types()).toEqual(['set_context', 'user_message', 'stop_waiting', ...again]);
  },
);

test('an answer that nobody waits for any more goes as a message at once', async () => {
  world.hub.faults = [undefined, 'bad_request'];
  await world.chat.say(session, { id: newId('m_'), text: 'one', annotationId: 'ann_1' }, undefined);
  await world.outbox.flush();
  expect([...world.hub.messages.values()].map(({ content }) => content)).toEqual(['one']);
  expect(await world.store.count('outbox')).toBe(0);
});

test('an answer that waits to go as a message is not sent once it was taken back', async () => {
  world.hub.faults = [undefined, 'bad_request', 'no_project'];
  await world.chat.say(session, { id: newId('m_'), text: 'one', annotationId: 'ann_1' }, undefined);
  await world.outbox.flush();
  expect(await world.store.count('outbox')).toBe(1);
  await world.chat.stop('s_1');
  await world.outbox.flush();
  expect(await world.last()).toMatchObject({ content: 'one', delivery: 'refused', isStopped: true });
  expect(await world.store.count('outbox')).toBe(0);
  expect(world.hub.messages.size).toBe(0);
});
