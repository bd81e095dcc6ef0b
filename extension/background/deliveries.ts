/**
 * What becomes of what the person said, once it waited: the hub took it, refused it, or it was damaged and never got
 * there.
 */
import type { Answer } from '../generated/Answer';
import type { ErrorBody } from '../generated/ErrorBody';
import type { Request } from '../generated/Request';
import { newId } from '../new-id';
import type { OutboxItem, Store } from './store';
import { writing } from './store';
import type { Threads } from './threads';
import { queue, userMessage } from './utterance';
import { waitingIn } from './waiting';

export interface DeliveriesOptions {
  store: Store;
  /** Rejects when there is no answer. */
  request: (request: Request, sessionId: string) => Promise<Answer>;
  /** Something of a conversation changed. */
  changed: (sessionId: string) => void;
  /** Something is about to be put into the outbox. */
  queueing?: () => Promise<void>;
}

export class Deliveries {
  #options: DeliveriesOptions;
  #threads: Threads;
  /**
   * Messages that were taken back while they waited: one may be under way, and is discarded or said anew before its
   * answer comes.
   */
  #takenBack = new Set<string>();

  constructor(options: DeliveriesOptions, threads: Threads) {
    this.#options = options;
    this.#threads = threads;
  }

  /** The person takes these messages back. */
  takeBack(ids: Iterable<string>): void {
    for (const id of ids) this.#takenBack.add(id);
  }

  /** The hub took what waited. */
  async acknowledge(item: OutboxItem, answer: Answer): Promise<void> {
    const thread = await this.#threads.get(item.subject);
    const id = item.messageId ?? item.id;
    const message = thread?.messages.get(id);
    const { request } = item;
    const context =
      request.type === 'set_context' ? thread?.contexts.get(request.payload.contextId ?? '') : undefined;
    // Taken back while it was under way: the hub has it, and is to wait for no answer to it.
    const isTakenBack = this.#takenBack.delete(id);
    if (message) {
      delete message.why;
      message.delivery = 'sent';
      if (answer.type === 'message_stored') message.position = answer.payload.position;
      // Somebody waited for it, and answers nothing to it.
      if (request.type === 'answer_annotation') {
        message.isRead = true;
        delete message.isAnswered;
      }
    }
    if (context) delete context.refused;
    await writing(this.#options.store, async (tx) => {
      await tx.objectStore('outbox').delete(item.seq);
      if (message) await tx.objectStore('messages').put(message);
      if (context) {
        await tx.objectStore('contexts').put(context);
        // The hub has it; here only the small one is shown.
        await tx.objectStore('screenshots').delete(`${context.id}:viewport`);
      }
    });
    if (thread) this.#options.changed(thread.sessionId);
    if (isTakenBack) {
      await this.#options.request({ type: 'stop_waiting' }, item.subject).catch((failure: unknown) => {
        console.debug('opentoolbar: the hub was not told that nobody waits:', failure);
      });
    }
  }

  /** The hub refused for good. The words stay, with why. */
  async refuse(item: OutboxItem, { code, message: what, nextStep }: ErrorBody): Promise<void> {
    const thread = await this.#threads.get(item.subject);
    const { request } = item;
    const why = `${what}. ${nextStep}`;
    this.#takenBack.delete(item.messageId ?? item.id);
    await this.#options.queueing?.();
    const context =
      request.type === 'set_context' ? thread?.contexts.get(request.payload.contextId ?? '') : undefined;
    const message = thread?.messages.get(item.messageId ?? item.id);
    if (context) context.refused = { isTooLarge: code === 'too_large', why };
    // Nobody waits for the answer any more: it is said as a message instead.
    const asMessage = request.type === 'answer_annotation' && code === 'bad_request' && message;
    if (message && !asMessage) {
      message.delivery = 'refused';
      if (code === 'unknown_context') message.isContextLost = true;
      message.why = thread?.contexts.get(message.contextId ?? '')?.refused?.why ?? why;
    }
    await writing(this.#options.store, async (tx) => {
      const isWanted = (await tx.objectStore('outbox').getKey(item.seq)) !== undefined;
      await tx.objectStore('outbox').delete(item.seq);
      if (context) await tx.objectStore('contexts').put(context);
      if (message) await tx.objectStore('messages').put(message);
      // The person may have taken it back meanwhile.
      if (isWanted && asMessage && thread && item.session) {
        const session = { ...item.session, origin: thread.origin };
        await queue(tx, session, newId('m_'), userMessage(message), { standsFor: message.id });
      }
    });
    if (thread) this.#options.changed(thread.sessionId);
  }

  /**
   * Something damaged that waited was let go: what was said and waits for nothing any more was not sent, and can be
   * said again.
   */
  async refuseLost(sessionId: string): Promise<void> {
    const thread = await this.#threads.get(sessionId);
    const unsent = [...(thread?.messages.values() ?? [])].filter(({ delivery }) => delivery === 'waiting');
    if (!thread || unsent.length === 0) return;
    await writing(this.#options.store, async (tx) => {
      const keys = await tx.objectStore('outbox').index('subject').getAllKeys(sessionId);
      const waiting = await waitingIn(tx, 'subject', sessionId);
      // What else is damaged may be any of them.
      if (waiting.length < keys.length) return;
      const sent = new Set(waiting.map(({ id, messageId }) => messageId ?? id));
      for (const message of unsent.filter(({ id }) => !sent.has(id))) {
        Object.assign(message, {
          delivery: 'refused',
          why: 'It was damaged before it was sent. Send it again.',
        });
        await tx.objectStore('messages').put(message);
      }
    });
    this.#options.changed(thread.sessionId);
  }
}
