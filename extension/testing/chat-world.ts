/** The conversations of a background with its outbox and a hub behind it. The database is what a restart keeps. */
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import type { Comments } from '../background/comments';
import { Conversations } from '../background/conversations';
import { LinkLost } from '../background/link';
import { Outbox } from '../background/outbox';
import { forgetting } from '../background/session-requests';
import { openStore, type Store } from '../background/store';
import type { ChatSession } from '../background/utterance';
import type { Answer } from '../generated/Answer';
import type { ErrorCode } from '../generated/ErrorCode';
import type { EventEnvelope } from '../generated/EventEnvelope';
import type { Message } from '../generated/Message';
import type { Request } from '../generated/Request';
import { newId } from '../new-id';
import type { ChatMessage } from '../state/chat';
import { error } from './fake-hub';
import { sampleButton } from './samples';

export const session: ChatSession = {
  id: 's_1',
  origin: 'http://localhost:5173',
  url: 'http://localhost:5173/shop',
  title: 'Shop',
};
export const selection = {
  ...sampleButton,
  page: { url: session.url, title: session.title },
};
export const picture = () => new Blob([new Uint8Array([1, 2, 255])]);

/** A hub as the protocol describes it. */
class ChatHub {
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

export class ChatWorld {
  store!: Store;
  chat!: Conversations;
  outbox!: Outbox;
  hub = new ChatHub();
  grown: string[] = [];
  kept: string[] = [];
  ended: string[] = [];
  /** Sessions that the hub is thought to have open. */
  known = new Set<string>();

  /** With a database of its own. */
  static async create(): Promise<ChatWorld> {
    globalThis.indexedDB = new IDBFactory();
    const world = new ChatWorld();
    await world.start();
    return world;
  }

  /** The background as it is after a start. */
  async start(): Promise<void> {
    const store = await openStore();
    this.store = store;
    this.grown = [];
    this.kept = [];
    this.ended = [];
    this.known = new Set(['s_1']);
    this.chat = new Conversations({
      store,
      request: (request, sessionId) => this.hub.send(request, 'm_asked', sessionId),
      session: async (id) => (id === session.id ? session : undefined),
      changed: () => {},
      answered: (sessionId) => this.ended.push(sessionId),
      grew: (_sessionId, _messageId, text) => this.grown.push(text),
      listed: () => {},
    });
    this.outbox = new Outbox({
      store,
      comments: {} as Comments,
      deliveries: this.chat.deliveries,
      send: forgetting(
        (request, id, sessionId) => this.hub.send(request, id ?? '', sessionId),
        (id) => this.known.delete(id),
      ),
      session: async (id) => id,
      rested: () => {},
      sessionIn: async () => undefined,
      keepSession: async ({ id }) => {
        this.kept.push(id);
        if (!this.known.has(id)) this.hub.open.add(id);
        this.known.add(id);
      },
      readComment: (comment) => comment,
      changed: () => {},
      imported: () => {},
    });
  }

  async messages(): Promise<ChatMessage[]> {
    return (await this.chat.state('s_1'))?.messages ?? [];
  }

  async last(): Promise<ChatMessage> {
    return (await this.messages()).at(-1) as ChatMessage;
  }

  types(): Request['type'][] {
    return this.hub.seen.map(({ request }) => request.type);
  }

  point(text: string): Promise<string> {
    return this.chat.say(
      session,
      { id: newId('m_'), text },
      { selection, element: picture(), viewport: picture() },
    );
  }
}
