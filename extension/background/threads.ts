/**
 * The conversations of this browser as they are kept: loaded once, held while anything happens in them, stored again.
 */

import type { Readable } from './readable';
import type { Store, StoredContext, StoredMessage, StoredThread } from './store';
import { writing } from './store';
import { emptyThread, type Thread } from './thread';
import type { ChatSession } from './utterance';
import { recordOf } from './utterance';

/** Growing answers are stored this often, milliseconds; the hub has them, so that little is lost with a power cut. */
const STORE_AFTER = 1_000;

/** Leaves out, and tells of, what cannot be read. */
export type ReadsConversations = Pick<Readable, 'message' | 'selection' | 'skippedByHost'>;

export class Threads {
  #store: Store;
  #readable: ReadsConversations | undefined;
  #session: (sessionId: string) => Promise<ChatSession | undefined>;
  #held = new Map<string, Promise<Thread | undefined>>();
  /** Growing answers that are to be stored. */
  #grown = new Map<string, Thread>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `session`: the session of an open tab. */
  constructor(
    store: Store,
    session: (sessionId: string) => Promise<ChatSession | undefined>,
    readable?: ReadsConversations,
  ) {
    this.#store = store;
    this.#readable = readable;
    this.#session = session;
  }

  /** A conversation; nothing for one that never was and whose page is not open. */
  get(sessionId: string): Promise<Thread | undefined> {
    const known = this.#held.get(sessionId);
    if (known) return known;
    const loading = this.#load(sessionId);
    this.#held.set(sessionId, loading);
    loading.then(
      (thread) => {
        if (!thread && this.#held.get(sessionId) === loading) this.#held.delete(sessionId);
      },
      () => this.#held.delete(sessionId),
    );
    return loading;
  }

  /** The session's conversation, begun when there is none yet. */
  async begun(session: ChatSession): Promise<Thread> {
    const known = await this.get(session.id);
    if (known) return known;
    const thread = emptyThread(session.id, session.origin, session.url, session.title);
    this.#held.set(session.id, Promise.resolve(thread));
    return thread;
  }

  /** Those in which anything happened since the start. */
  async held(): Promise<Thread[]> {
    const threads = await Promise.all(this.#held.values());
    return threads.filter((thread) => thread !== undefined);
  }

  /** What is known of every conversation that something was said in, latest first. */
  async list(): Promise<StoredThread[]> {
    const threads = await this.#store.readAll('threads');
    return threads.sort((a, b) => b.lastAt - a.lastAt);
  }

  /** A message that the hub refused, with its conversation. Rejects when there is none. */
  async refused(messageId: string): Promise<{ thread: Thread; message: StoredMessage }> {
    const { sessionId = '' } = (await this.#store.read('messages', messageId)) ?? {};
    const thread = await this.get(sessionId);
    const message = thread?.messages.get(messageId);
    if (!thread || message?.delivery !== 'refused')
      throw new Error('This message is gone already: it was sent or discarded.');
    return { thread, message };
  }

  async save(thread: Thread, messages: StoredMessage[], contexts: StoredContext[] = []): Promise<void> {
    await writing(
      this.#store,
      async (tx) => {
        await tx.objectStore('threads').put(recordOf(thread));
        for (const message of messages) await tx.objectStore('messages').put(message);
        for (const context of contexts) await tx.objectStore('contexts').put(context);
      },
      'relaxed',
    );
  }

  /** Stores a growing answer in a while. */
  saveSoon(thread: Thread): void {
    this.#grown.set(thread.sessionId, thread);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const threads = [...this.#grown.values()];
      this.#grown.clear();
      for (const grown of threads) {
        const open = [...grown.messages.values()].filter(({ isComplete }) => !isComplete);
        this.save(grown, open).catch((failure: unknown) => console.warn('opentoolbar:', failure));
      }
    }, STORE_AFTER);
  }

  #reading() {
    const readable = this.#readable;
    return {
      message: (one: StoredMessage) => (readable ? readable.message('browser', one) : one),
      selection: (one: StoredContext) => (readable ? readable.selection('browser', one) : one),
    };
  }

  async #load(sessionId: string): Promise<Thread | undefined> {
    const [record, allMessages, allContexts] = await Promise.all([
      this.#store.read('threads', sessionId),
      this.#store.readAll('messages', 'sessionId', sessionId),
      this.#store.readAll('contexts', 'sessionId', sessionId),
    ]);
    const open = record ?? (await this.#session(sessionId));
    if (!open) return undefined;
    const { message, selection } = this.#reading();
    const messages = allMessages.flatMap((one) => message(one) ?? []);
    const contexts = allContexts.flatMap((one) => selection(one) ?? []);
    return {
      ...emptyThread(sessionId, open.origin, open.url, open.title),
      ...record,
      messages: new Map(messages.sort((a, b) => a.order - b.order).map((one) => [one.id, one])),
      contexts: new Map(contexts.sort((a, b) => a.order - b.order).map((one) => [one.id, one])),
    };
  }
}
