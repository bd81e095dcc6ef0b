import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from '../generated/Answer';
import type { ErrorCode } from '../generated/ErrorCode';
import type { EventEnvelope } from '../generated/EventEnvelope';
import type { Message } from '../generated/Message';
import type { Request } from '../generated/Request';
import type { ChatMessage } from '../messages';
import { newId } from '../new-id';
import { eventually } from '../testing/eventually';
import type { Comments } from './comments';
import { Conversations } from './conversations';
import { LinkLost, NoAnswer } from './link';
import { Outbox } from './outbox';
import { openStore, type Store } from './store';
import type { ChatSession } from './utterance';

const session: ChatSession = {
  id: 's_1',
  origin: 'http://localhost:5173',
  url: 'http://localhost:5173/shop',
  title: 'Shop',
};
const selection = {
  element: {
    tagName: 'BUTTON',
    classList: [],
    textContent: 'Save',
    attributes: {},
    boundingBox: { x: 0, y: 0, width: 1, height: 1 },
  },
  ancestors: [],
  page: { url: session.url, title: session.title },
};
const picture = () => new Blob([new Uint8Array([1, 2, 255])]);

/** A hub as the protocol describes it. */
class Hub {
  seen: { id: string; request: Request; sessionId: string | undefined }[] = [];
  messages = new Map<string, Message>();
  contexts = new Set<string>();
  open = new Set<string>(['s_1']);
  position = 0;
  down = false;
  /** What goes wrong with the next requests, in order. */
  faults: ('lost after' | ErrorCode | undefined)[] = [];

  async send(request: Request, id: string, sessionId?: string): Promise<Answer> {
    if (this.down) throw new LinkLost('lost');
    const fault = this.faults.shift();
    if (fault !== undefined && fault !== 'lost after') return error(fault);
    this.seen.push({ id, request, sessionId });
    const answer = this.#answer(request, id, sessionId ?? '');
    if (fault === 'lost after') throw new LinkLost('lost');
    return answer;
  }

  #answer(request: Request, id: string, sessionId: string): Answer {
    if (!this.open.has(sessionId)) return error('unknown_session');
    if (request.type === 'set_context') {
      const { contextId = 'ctx_none' } = request.payload;
      this.contexts.add(contextId);
      return { type: 'context_stored', payload: { contextId } };
    }
    if (request.type === 'user_message') {
      const { contextId, message } = request.payload;
      if (!this.contexts.has(contextId ?? '')) return error('unknown_context');
      const known =
        this.messages.get(id) ?? this.put({ id, role: 'user', content: message, isComplete: true });
      return {
        type: 'message_stored',
        payload: { messageId: id, parts: 1, position: known.position },
      };
    }
    if (request.type === 'get_conversation') {
      const { after = 0 } = request.payload;
      const messages = [...this.messages.values()].filter(({ position }) => position > after);
      const { position } = this;
      return {
        type: 'conversation',
        payload: {
          sessionId,
          messages: structuredClone(messages),
          contexts: [],
          activities: [],
          annotations: [],
          position,
        },
      };
    }
    return { type: 'done' };
  }

  put(over: Partial<Message> & { id: string }): Message {
    this.position += 1;
    const known = this.messages.get(over.id);
    const message: Message = {
      sessionId: 's_1',
      contextId: 'ctx_1',
      role: 'assistant',
      agent: 'claude-code',
      content: '',
      isComplete: false,
      parts: 1,
      isRead: true,
      createdAt: 1_000 + this.position,
      ...known,
      ...over,
      position: this.position,
    };
    this.messages.set(over.id, message);
    return message;
  }

  /** An agent says the next part; returns the event. */
  part(id: string, chunk: string): EventEnvelope {
    const known = this.messages.get(id);
    const parts = (known?.parts ?? 0) + 1;
    const { position } = this.put({ id, content: (known?.content ?? '') + chunk, parts });
    return {
      sessionId: 's_1',
      agent: 'claude-code',
      part: { messageId: id, index: parts - 1, position },
      type: 'agent_response_chunk',
      payload: { contextId: 'ctx_1', chunk },
    };
  }

  whole(id: string, last: string): EventEnvelope {
    const known = this.messages.get(id);
    const parts = (known?.parts ?? 0) + 1;
    const message = (known?.content ?? '') + last;
    const { position } = this.put({ id, content: message, parts, isComplete: true });
    return {
      sessionId: 's_1',
      agent: 'claude-code',
      part: { messageId: id, index: parts - 1, position },
      type: 'agent_response',
      payload: { contextId: 'ctx_1', message, isComplete: true },
    };
  }
}

const error = (code: ErrorCode): Answer => ({
  type: 'error',
  payload: { code, message: `it was ${code}`, nextStep: 'Do something.' },
});

let store: Store;
let hub: Hub;
let chat: Conversations;
let outbox: Outbox;
let grown: string[];
let kept: string[];
let ended: string[];

/** The background as it is after a start; the database is what a restart keeps. */
async function start(): Promise<void> {
  store = await openStore();
  grown = [];
  kept = [];
  ended = [];
  chat = new Conversations({
    store,
    request: (request, sessionId) => hub.send(request, 'm_asked', sessionId),
    session: async (id) => (id === session.id ? session : undefined),
    changed: () => {},
    answered: (sessionId) => ended.push(sessionId),
    grew: (_sessionId, _messageId, text) => grown.push(text),
    listed: () => {},
  });
  outbox = new Outbox({
    store,
    comments: {} as Comments,
    deliveries: chat.deliveries,
    send: (request, id, sessionId) => hub.send(request, id, sessionId),
    session: async (id) => id,
    rested: () => {},
    sessionIn: async () => undefined,
    keepSession: async ({ id }) => {
      kept.push(id);
    },
    readComment: (comment) => comment,
    forgetSessions: () => {
      hub.open.add('s_1'); // as opening it again does
    },
    changed: () => {},
    imported: () => {},
  });
}

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  hub = new Hub();
  await start();
});

const messages = async (): Promise<ChatMessage[]> => (await chat.state('s_1'))?.messages ?? [];
const last = async () => (await messages()).at(-1) as ChatMessage;
const types = () => hub.seen.map(({ request }) => request.type);
const point = (text: string) =>
  chat.say(session, { id: newId('m_'), text }, { selection, element: picture(), viewport: picture() });

test('selection and message go in order, with their session, and are acknowledged', async () => {
  await point('Make it blue');
  expect(await last()).toMatchObject({ content: 'Make it blue', delivery: 'waiting' });
  await outbox.flush();
  expect(types()).toEqual(['set_context', 'user_message']);
  expect(hub.seen.map(({ sessionId }) => sessionId)).toEqual(['s_1', 's_1']);
  expect(hub.seen[0]?.request).toMatchObject({
    payload: { screenshot: 'AQL/', viewportScreenshot: 'AQL/', element: { tagName: 'BUTTON' } },
  });
  expect(await last()).toMatchObject({ delivery: 'sent', position: 1 });
  expect(await store.count('outbox')).toBe(0);
});

test('without a link everything waits, over a restart of the background, and nothing is said twice', async () => {
  hub.down = true;
  await point('one');
  await chat.say(session, { id: newId('m_'), text: 'two' }, { contextId: (await last()).contextId ?? '' });
  await outbox.flush();
  store.close();
  await start();
  expect((await messages()).map(({ content, delivery }) => [content, delivery])).toEqual([
    ['one', 'waiting'],
    ['two', 'waiting'],
  ]);
  hub.down = false;
  hub.faults = [undefined, 'lost after'];
  await outbox.flush();
  await outbox.flush();
  expect([...hub.messages.values()].map(({ content }) => content)).toEqual(['one', 'two']);
  expect((await messages()).every(({ delivery }) => delivery === 'sent')).toBe(true);
});

test('a session that the hub does not know is opened again, and the message goes', async () => {
  hub.open.clear();
  await point('hello');
  await outbox.flush();
  expect(await last()).toMatchObject({ delivery: 'sent' });
  expect(kept.every((id) => id === 's_1')).toBe(true);
});

test('a refused message stays with its words and why, and can be sent again or discarded', async () => {
  hub.faults = [undefined, 'too_large'];
  await point('long words');
  await outbox.flush();
  const refused = await last();
  expect(refused).toMatchObject({
    content: 'long words',
    delivery: 'refused',
    why: 'it was too_large. Do something.',
  });
  await chat.retry(refused.id);
  await outbox.flush();
  expect((await messages()).map(({ content, delivery }) => [content, delivery])).toEqual([
    ['long words', 'sent'],
  ]);
  await expect(chat.discard(refused.id)).rejects.toThrow('not there any more');
});

test('a selection that the hub has lost, or refused for its pictures, is told again with the message', async () => {
  await point('first');
  await outbox.flush();
  hub.contexts.clear();
  await chat.say(session, { id: newId('m_'), text: 'second' }, { contextId: (await last()).contextId ?? '' });
  await outbox.flush();
  expect(await last()).toMatchObject({ content: 'second', delivery: 'refused' });
  await chat.retry((await last()).id);
  await outbox.flush();
  expect(await last()).toMatchObject({ content: 'second', delivery: 'sent' });

  hub.faults = ['too_large'];
  await point('third');
  await outbox.flush();
  expect(await last()).toMatchObject({ delivery: 'refused', why: 'it was too_large. Do something.' });
  await chat.retry((await last()).id);
  await outbox.flush();
  expect(await last()).toMatchObject({ content: 'third', delivery: 'sent' });
  const again = hub.seen.findLast(({ request }) => request.type === 'set_context');
  expect(again?.request).not.toHaveProperty('payload.screenshot');
});

test('parts make an answer; a part that comes twice is applied once', async () => {
  const first = hub.part('m_a', 'Hel');
  const second = hub.part('m_a', 'lo');
  for (const event of [first, first, second, second, first]) await chat.hear(event);
  expect(await last()).toMatchObject({ content: 'Hello', isComplete: false, agent: 'claude-code', parts: 2 });
  expect(grown).toEqual(['lo']);
  const end = hub.whole('m_a', '!');
  await chat.hear(end);
  await chat.hear(end);
  await chat.hear(second);
  expect(await last()).toMatchObject({ content: 'Hello!', isComplete: true });
  expect(await messages()).toHaveLength(1);
  expect((await chat.list())[0]?.unread).toBe(1);
  await chat.read('s_1');
  expect((await chat.list())[0]?.unread).toBe(0);
});

test('a missed part is found out and asked for', async () => {
  await chat.hear(hub.part('m_a', 'one '));
  hub.part('m_a', 'two '); // never heard
  await chat.hear(hub.part('m_a', 'three '));
  await eventually(async () => expect((await last()).content).toBe('one two three '));
  await chat.hear(hub.part('m_a', 'four'));
  expect((await last()).content).toBe('one two three four');
  expect(await messages()).toHaveLength(1);
});

test('parts that overtake the answer to the question are not lost', async () => {
  await chat.hear(hub.part('m_a', 'one '));
  hub.part('m_a', 'two ');
  const third = hub.part('m_a', 'three ');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const send = hub.send.bind(hub);
  hub.send = async (...args) => {
    const answer = await send(...args);
    await held;
    return answer;
  };
  await chat.hear(third); // asks, and the answer is under way
  await chat.hear(hub.part('m_a', 'four '));
  release();
  await eventually(async () => expect((await last()).content).toBe('one two three four '));
});

test('after a reconnect what happened meanwhile is there, once, in its order', async () => {
  await point('Why?');
  await outbox.flush();
  await chat.resume('s_1');
  await chat.hear(hub.part('m_a', 'Because '));
  hub.part('m_a', 'of ');
  hub.whole('m_a', 'this.');
  hub.whole('m_b', 'And that.');
  await chat.resume('s_1');
  expect((await messages()).map(({ content }) => content)).toEqual(['Why?', 'Because of this.', 'And that.']);
  expect((await chat.list())[0]?.unread).toBe(2);
  const asked = hub.seen.findLast(({ request }) => request.type === 'get_conversation');
  expect(asked?.request).toMatchObject({ payload: { after: 1 } });
  store.close();
  await start();
  expect((await messages()).map(({ content }) => content)).toEqual(['Why?', 'Because of this.', 'And that.']);
});

test('a growing answer survives the background, and goes on where the hub is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await chat.hear(hub.part('m_a', 'one '));
  await chat.hear(hub.part('m_a', 'two '));
  vi.advanceTimersByTime(1_500);
  vi.useRealTimers();
  await eventually(async () => expect(await store.count('messages')).toBe(1));
  await chat.hear(hub.part('m_a', 'three '));
  store.close();
  await start();
  await chat.hear(hub.part('m_a', 'four '));
  await eventually(async () => expect((await last()).content).toBe('one two three four '));
});

test('what agents do and ask is known only while the link is', async () => {
  const status = (value: 'thinking' | 'idle', agent: string): EventEnvelope => ({
    sessionId: 's_1',
    agent,
    type: 'status_update',
    payload: { status: value },
  });
  await chat.hear(status('thinking', 'a'));
  await chat.hear(status('thinking', 'b'));
  await chat.hear(status('idle', 'a'));
  await chat.hear({
    sessionId: 's_1',
    type: 'annotation_requested',
    payload: { annotationId: 'ann_1', message: 'Which button?', agent: 'b' },
  });
  expect(await chat.state('s_1')).toMatchObject({
    activities: [{ agent: 'b' }],
    annotations: [{ message: 'Which button?' }],
  });
  await chat.silence();
  expect(await chat.state('s_1')).toMatchObject({ activities: [], annotations: [] });
});

test('an answer to a request that nobody waits for any more is said as a message', async () => {
  hub.faults = [undefined, 'bad_request'];
  const about = { selection, element: null, viewport: null };
  await chat.say(session, { id: newId('m_'), text: 'This one', annotationId: 'ann_1' }, about);
  await outbox.flush();
  await outbox.flush();
  expect(types()).toEqual(['set_context', 'user_message']);
  expect(await last()).toMatchObject({ content: 'This one', delivery: 'sent' });
  expect(await messages()).toHaveLength(1);
});

test('what was damaged before it was sent and let go was not sent, and can be sent again', async () => {
  await point('one');
  await chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  const of = async () => (await messages()).map(({ content, delivery }) => `${content} ${delivery}`);
  const [item] = (await store.getAll('outbox')).filter(({ request }) => request.type === 'user_message');
  await store.put('outbox', { ...item, request: 'damaged' } as never);
  // While it is there, it may be any of them.
  await chat.deliveries.refuseLost('s_1');
  expect(await of()).toEqual(['one waiting', 'two waiting']);
  await store.delete('outbox', item?.seq as number);
  await chat.deliveries.refuseLost('s_1');
  expect(await of()).toEqual(['one refused', 'two waiting']);
  const [lost] = await messages();
  await chat.retry(lost?.id ?? '');
  await outbox.flush();
  expect((await messages()).map(({ delivery }) => delivery)).toEqual(['sent', 'sent']);
});

test('stop waiting takes back what waits here, and tells the hub of what it has', async () => {
  await point('one');
  await outbox.flush();
  hub.down = true;
  await chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  await expect(chat.stop('s_1')).rejects.toThrow('The hub does not answer');
  hub.down = false;
  await chat.stop('s_1');
  expect(types().at(-1)).toBe('stop_waiting');
  await outbox.flush();
  expect([...hub.messages.values()].map(({ content }) => content)).toEqual(['one']);
  expect((await messages()).map(({ isStopped, delivery }) => [isStopped, delivery])).toEqual([
    [true, 'sent'],
    [true, 'refused'],
  ]);
});

test('what is taken back while it is under way is not sent again; what the hub took all the same is said so, and it waits for no answer', async () => {
  await chat.say(session, { id: newId('m_'), text: 'one' }, undefined);
  await outbox.flush();
  const send = hub.send.bind(hub);
  const meanwhile = (late: (done: Promise<Answer>) => Promise<Answer>) => {
    hub.send = async (request, id, sessionId) => {
      if (request.type !== 'user_message' && request.type !== 'answer_annotation')
        return send(request, id, sessionId);
      hub.send = send;
      const done = send(request, id, sessionId);
      await chat.stop('s_1');
      return late(done);
    };
  };
  // The answer to it comes after it was taken back.
  await chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  meanwhile((done) => done);
  await outbox.flush();
  expect(await last()).toMatchObject({ content: 'two', delivery: 'sent', isStopped: true });
  expect((await last()).why).toBeUndefined();
  expect(types().at(-1)).toBe('stop_waiting');
  // No answer came, and then one that would have it said again as a message.
  await chat.say(session, { id: newId('m_'), text: 'three' }, undefined);
  meanwhile(() => Promise.reject(new NoAnswer('late')));
  await outbox.flush();
  await chat.say(session, { id: newId('m_'), text: 'four', annotationId: 'ann_1' }, undefined);
  meanwhile(async () => error('bad_request'));
  await outbox.flush();
  expect(await store.count('outbox')).toBe(0);
  const asked = types().length;
  await outbox.flush();
  expect(types()).toHaveLength(asked);
});

test.each(['kept', 'discarded', 'sent again'])(
  'no answer is awaited to what was taken back while it was under way, and %s since',
  async (fate) => {
    const id = newId('m_');
    await chat.say(session, { id, text: 'one' }, undefined);
    const send = hub.send.bind(hub);
    hub.send = async (request, itsId, sessionId) => {
      const answer = await send(request, itsId, sessionId);
      if (request.type !== 'user_message') return answer;
      hub.send = send;
      await chat.stop('s_1');
      if (fate === 'discarded') await chat.discard(id);
      if (fate === 'sent again') await chat.retry(id);
      return answer;
    };
    await outbox.flush();
    await outbox.flush();
    const again = fate === 'sent again' ? ['user_message'] : [];
    // Before it is said again: the hub is to wait for an answer to that.
    expect(types()).toEqual(['set_context', 'user_message', 'stop_waiting', ...again]);
  },
);

test('an answer that nobody waits for any more goes as a message at once', async () => {
  hub.faults = [undefined, 'bad_request'];
  await chat.say(session, { id: newId('m_'), text: 'one', annotationId: 'ann_1' }, undefined);
  await outbox.flush();
  expect([...hub.messages.values()].map(({ content }) => content)).toEqual(['one']);
  expect(await store.count('outbox')).toBe(0);
});

test('an answer that waits to go as a message is not sent once it was taken back', async () => {
  hub.faults = [undefined, 'bad_request', 'no_project'];
  await chat.say(session, { id: newId('m_'), text: 'one', annotationId: 'ann_1' }, undefined);
  await outbox.flush();
  expect(await store.count('outbox')).toBe(1);
  await chat.stop('s_1');
  await outbox.flush();
  expect(await last()).toMatchObject({ content: 'one', delivery: 'refused', isStopped: true });
  expect(await store.count('outbox')).toBe(0);
  expect(hub.messages.size).toBe(0);
});

test('pictures of a selection that is under way, sent or goes without are not kept', async () => {
  const pictures = () => ({ element: picture(), viewport: picture() });
  const held = { selection, element: null, viewport: null, heldUntil: Date.now() };
  const contextId = await chat.say(session, { id: newId('m_'), text: 'one' }, held);
  const send = hub.send.bind(hub);
  let isKept: boolean | undefined;
  hub.send = async (...asked) => {
    hub.send = send;
    isKept = await chat.illustrate('s_1', contextId, pictures());
    return send(...asked);
  };
  await outbox.flush();
  expect(isKept).toBe(false);
  expect(await chat.illustrate('s_1', contextId, pictures())).toBe(false);
  expect(await store.getAllKeys('screenshots')).toEqual([]);
  const later = await chat.say(
    session,
    { id: newId('m_'), text: 'two' },
    { ...held, heldUntil: Date.now() + 9_000 },
  );
  const [item] = await store.getAll('outbox');
  await store.put('outbox', { ...item, withoutPicture: true } as never);
  expect(await chat.illustrate('s_1', later, pictures())).toBe(false);
  expect(await store.getAllKeys('screenshots')).toEqual([]);
});

test('words without a selection are about the page, told once for each page', async () => {
  await chat.say(session, { id: newId('m_'), text: 'one' }, undefined);
  await chat.say(session, { id: newId('m_'), text: 'two' }, undefined);
  await outbox.flush();
  expect(types()).toEqual(['set_context', 'user_message', 'user_message']);
  expect(hub.seen[0]?.request).toMatchObject({ payload: { element: { tagName: 'html' } } });
});

test('an answer is awaited from what is said until it is whole, or the person waits no more', async () => {
  expect(await chat.isAwaited('s_1')).toBe(false);
  await point('one');
  await outbox.flush();
  expect(await chat.isAwaited('s_1')).toBe(true);
  await chat.hear(hub.part('m_a', 'half '));
  expect([await chat.isAwaited('s_1'), ended]).toEqual([true, []]);
  await chat.hear(hub.whole('m_a', 'of it'));
  expect([await chat.isAwaited('s_1'), ended]).toEqual([false, ['s_1']]);
  await point('two');
  await outbox.flush();
  await chat.stop('s_1');
  expect([await chat.isAwaited('s_1'), ended]).toEqual([false, ['s_1', 's_1']]);
});
