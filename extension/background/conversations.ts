/**
 * The conversations of this browser: what a person says is kept here and in the outbox in one transaction, what the hub
 * tells is applied once and in order, and whatever was missed is asked for. Knows no tab, port or page.
 */
import type { Answer } from '../generated/Answer';
import type { EventEnvelope } from '../generated/EventEnvelope';
import type { Request } from '../generated/Request';
import { newId } from '../new-id';
import type { ChatState } from '../state/chat';
import { unansweredOf } from '../unanswered';
import { chatState } from './chat-state';
import { Deliveries, type DeliveriesOptions } from './deliveries';
import { fateOf, pauseAfter } from './fate';
import type { StoredMessage, StoredThread } from './store';
import { writing } from './store';
import { hearActivity, hearAnswered, hearConversation, hearPart, hearWhole, type Thread } from './thread';
import { type ReadsConversations, Threads } from './threads';
import {
  answering,
  type ChatSession,
  type NewContext,
  newContext,
  ownMessage,
  pageContext,
  pageOf,
  queue,
  recordOf,
  setContext,
  type Utterance,
  userMessage,
} from './utterance';
import { release, waitingIn } from './waiting';

export interface ConversationsOptions extends DeliveriesOptions {
  /** The session of an open tab. */
  session: (sessionId: string) => Promise<ChatSession | undefined>;
  /** An answer grew by `text`, and has so many parts now. */
  grew: (sessionId: string, messageId: string, text: string, parts: number) => void;
  /** An answer came to its end, or the person waits for none. */
  answered: (sessionId: string) => void;
  /** What a list of conversations says changed: unread, last, annotations. */
  listed: () => void;
  /** Leaves out what cannot be read. */
  readable?: ReadsConversations;
}

type ConversationTold = Extract<Answer, { type: 'conversation' }>['payload'];

/** How often in a row the hub is asked for what is still missing. */
const MOST_QUESTIONS = 20;
/** The hub gives at most so many messages at once. */
const FULL_ANSWER = 200;

export class Conversations {
  #options: ConversationsOptions;
  #threads: Threads;
  /** What becomes of what waited. */
  readonly deliveries: Deliveries;
  #resuming = new Map<string, { again: boolean; done: Promise<void> }>();

  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#threads = new Threads(options.store, options.session, options.readable);
    this.deliveries = new Deliveries(options, this.#threads);
  }

  /** A conversation as it is looked at; nothing for one that never was. */
  async state(sessionId: string): Promise<ChatState | undefined> {
    const thread = await this.#threads.get(sessionId);
    return thread && chatState(thread);
  }

  /** Every conversation that something was said in, latest first. */
  async list(): Promise<StoredThread[]> {
    return this.#threads.list();
  }

  /**
   * The person says something: about an earlier selection, a new one, or (without) the page as a whole. Once for each
   * id. The id of the selection.
   */
  async say(
    session: ChatSession,
    { id, text: typed, annotationId }: Utterance,
    about: { contextId: string } | NewContext | undefined,
  ): Promise<string> {
    const text = typed.trim();
    const thread = await this.#threads.begun(session);
    const said = await this.#options.store.get('messages', id);
    if (said?.sessionId === session.id) return said.contextId ?? '';
    if (said) throw new Error('This message belongs to another conversation. Send it again.');
    const at = Date.now();
    const known = about && 'contextId' in about ? thread.contexts.get(about.contextId) : undefined;
    if (about && 'contextId' in about && !known)
      throw new Error('That selection is gone. Point at it again.');
    const fresh = about && 'selection' in about ? about : undefined;
    const context = known ?? (fresh ? newContext(thread, fresh, at) : pageContext(thread, session, at));
    const message = ownMessage(thread, id, text, context.id, at);
    await this.#options.queueing?.();
    await writing(this.#options.store, async (tx) => {
      if (!thread.contexts.has(context.id)) {
        await tx.objectStore('contexts').put(context);
        if (fresh?.element) await tx.objectStore('screenshots').put(fresh.element, context.id);
        if (fresh?.viewport)
          await tx.objectStore('screenshots').put(fresh.viewport, `${context.id}:viewport`);
        await queue(tx, session, newId('m_'), setContext(context), { heldUntil: fresh?.heldUntil });
      }
      const answer = annotationId === undefined ? undefined : answering(annotationId, context.id, text);
      await queue(tx, session, message.id, answer ?? userMessage(message));
      await tx.objectStore('messages').put(message);
      await tx.objectStore('threads').put({ ...recordOf(thread), ...pageOf(session), lastAt: at });
    });
    thread.contexts.set(context.id, context);
    thread.messages.set(message.id, message);
    Object.assign(thread, pageOf(session), { lastAt: at });
    if (annotationId !== undefined) this.#withdraw(thread, annotationId);
    this.#tell(thread, true);
    return context.id;
  }

  /**
   * The pictures of a selection have come, or there will be none: it can go, with what was said about it. Whether it
   * has a picture of its element then; one that comes when it is sent, or under way, is not kept.
   */
  async illustrate(
    sessionId: string,
    contextId: string,
    { element, viewport }: { element: Blob | null; viewport: Blob | null },
  ): Promise<boolean> {
    const thread = await this.#threads.get(sessionId);
    const context = thread?.contexts.get(contextId);
    if (!thread || !context) return false;
    await writing(this.#options.store, async (tx) => {
      const waiting = (await waitingIn(tx, 'subject', sessionId)).find(
        ({ request }) => request.type === 'set_context' && request.payload.contextId === contextId,
      );
      if (!waiting || waiting.isUnderWay || waiting.withoutPicture) return;
      if (element) {
        context.pictured = true;
        await tx.objectStore('screenshots').put(element, contextId);
        await tx.objectStore('contexts').put(context);
      }
      if (viewport) await tx.objectStore('screenshots').put(viewport, `${contextId}:viewport`);
      await release(tx, waiting);
    });
    this.#tell(thread, false);
    return context.pictured;
  }

  /** Sends a refused message again, as a new one. */
  async retry(messageId: string): Promise<void> {
    const { thread, message } = await this.#threads.refused(messageId);
    const context = thread.contexts.get(message.contextId ?? '');
    const again = ownMessage(thread, newId('m_'), message.content, message.contextId ?? '', Date.now());
    const session = { id: thread.sessionId, origin: thread.origin, url: thread.url, title: thread.title };
    await this.#options.queueing?.();
    await writing(this.#options.store, async (tx) => {
      // Once more when the hub may not have it; an id that it knows is taken once.
      if (context && (context.refused || message.isContextLost))
        await queue(tx, session, newId('m_'), setContext(context));
      await queue(tx, session, again.id, userMessage(again));
      await tx.objectStore('messages').delete(message.id);
      await tx.objectStore('messages').put(again);
    });
    thread.messages.delete(message.id);
    thread.messages.set(again.id, again);
    this.#tell(thread, false);
  }

  async discard(messageId: string): Promise<void> {
    const { thread, message } = await this.#threads.refused(messageId);
    await this.#options.store.delete('messages', message.id);
    thread.messages.delete(message.id);
    this.#tell(thread, false);
  }

  /** The person no longer waits. Rejects with a sentence when the hub cannot be told. */
  async stop(sessionId: string): Promise<void> {
    const thread = await this.#threads.get(sessionId);
    if (!thread) return;
    const unanswered = unansweredIn(thread);
    if (unanswered.some(({ delivery }) => delivery === 'sent')) {
      const answer = await this.#options.request({ type: 'stop_waiting' }, sessionId).catch(() => undefined);
      if (!answer) throw new Error('The host does not answer. Try again when it is connected.');
      if (answer.type === 'error') throw new Error(`${answer.payload.message}. ${answer.payload.nextStep}`);
    }
    const gone = new Set(unanswered.filter(({ delivery }) => delivery === 'waiting').map(({ id }) => id));
    this.deliveries.takeBack(gone);
    await writing(this.#options.store, async (tx) => {
      const waiting = await waitingIn(tx, 'subject', sessionId);
      for (const { seq, id, messageId } of waiting) {
        if (gone.has(messageId ?? id)) await tx.objectStore('outbox').delete(seq);
      }
      for (const message of unanswered) {
        message.isStopped = true;
        if (gone.has(message.id)) {
          Object.assign(message, { delivery: 'refused', why: 'You took it back before it was sent.' });
        }
        await tx.objectStore('messages').put(message);
      }
    });
    this.#tell(thread, false);
    this.#options.answered(sessionId);
  }

  /** Whether the person said something that is not sent or not answered yet. */
  async isAwaited(sessionId: string): Promise<boolean> {
    const thread = await this.#threads.get(sessionId);
    if (!thread) return false;
    return unansweredIn(thread).some(({ delivery, isStopped }) => delivery !== 'refused' && !isStopped);
  }

  /** The person has seen everything there is. */
  async read(sessionId: string): Promise<void> {
    const thread = await this.#threads.get(sessionId);
    if (!thread || thread.unread === 0) return;
    thread.unread = 0;
    await this.#threads.save(thread, []);
    this.#options.listed();
  }

  /** What agents ask the person to point at. */
  async annotations(sessionId: string): Promise<Thread['annotations']> {
    return (await this.#threads.get(sessionId))?.annotations ?? [];
  }

  async decline(sessionId: string, annotationId: string): Promise<void> {
    const request: Request = { type: 'answer_annotation', payload: { annotationId } };
    const answer = await this.#options.request(request, sessionId).catch(() => undefined);
    if (!answer) throw new Error('The host does not answer. Try again when it is connected.');
    // An error says that nobody waits for it any more, which is what was wanted.
    const thread = await this.#threads.get(sessionId);
    if (!thread) return;
    this.#withdraw(thread, annotationId);
    this.#tell(thread, true);
  }

  /** The picture of a selection's element. */
  async picture(contextId: string): Promise<Blob | undefined> {
    return this.#options.store.get('screenshots', contextId);
  }

  /** The hub tells of something in a session. */
  async hear(envelope: EventEnvelope): Promise<void> {
    const { sessionId, agent, part } = envelope;
    if (sessionId === undefined) return;
    const thread = await this.#threads.get(sessionId);
    if (!thread) return;
    switch (envelope.type) {
      case 'status_update':
        hearActivity(thread, { ...envelope.payload, agent: agent ?? 'agent' });
        this.#tell(thread, false);
        break;
      case 'agent_response_chunk': {
        if (!part) break;
        const { contextId, chunk } = envelope.payload;
        const heard = hearPart(thread, part, { agent, contextId }, chunk, Date.now());
        if (heard.kind === 'gap') void this.resume(sessionId);
        if (heard.kind === 'grew') {
          this.#options.grew(sessionId, part.messageId, heard.text, heard.message.parts);
        } else if (heard.kind === 'began') this.#tell(thread, false);
        if (heard.kind !== 'known') this.#threads.saveSoon(thread);
        break;
      }
      case 'agent_response': {
        if (!part) break;
        const { contextId, message } = envelope.payload;
        if (!hearWhole(thread, part, { agent, contextId }, message, Date.now())) break;
        const changed = hearAnswered(thread, part.answers);
        await this.#threads.save(thread, [
          ...[...thread.messages.values()].filter(({ id }) => id === part.messageId),
          ...changed,
        ]);
        this.#tell(thread, true);
        if (envelope.payload.isComplete) this.#options.answered(sessionId);
        break;
      }
      case 'message_read': {
        const message = thread.messages.get(envelope.payload.messageId);
        if (!message) break;
        message.isRead = envelope.payload.isRead ?? true;
        await this.#threads.save(thread, [message]);
        this.#tell(thread, false);
        break;
      }
      case 'annotation_requested': {
        this.#withdraw(thread, envelope.payload.annotationId);
        thread.annotations = [...thread.annotations, envelope.payload];
        this.#tell(thread, true);
        break;
      }
      case 'annotation_withdrawn':
        this.#withdraw(thread, envelope.payload.annotationId);
        this.#tell(thread, true);
        break;
    }
  }

  /** Asks for what happened since the hub last told everything: after a reconnect, and when a part is missing. */
  resume(sessionId: string): Promise<void> {
    const running = this.#resuming.get(sessionId);
    if (running) {
      running.again = true;
      return running.done;
    }
    const run = { again: false, done: Promise.resolve() };
    this.#resuming.set(sessionId, run);
    run.done = this.#ask(sessionId, run)
      .catch((failure: unknown) => {
        // Without a link: the next connection asks again.
        console.debug('opentoolbar: a conversation was not heard:', failure);
      })
      .finally(() => this.#resuming.delete(sessionId));
    return run.done;
  }

  /** The link is lost: what agents do and ask is not known any more. */
  async silence(): Promise<void> {
    for (const thread of await this.#threads.held()) {
      if (thread.activities.length + thread.annotations.length === 0) continue;
      thread.activities = [];
      thread.annotations = [];
      this.#tell(thread, true);
    }
  }

  async #ask(sessionId: string, run: { again: boolean }): Promise<void> {
    const thread = await this.#threads.get(sessionId);
    if (!thread) return;
    for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
      run.again = false;
      const { position } = thread;
      const payload = position === undefined ? {} : { after: position };
      const answer = await this.#options.request({ type: 'get_conversation', payload }, sessionId);
      // A session without a project, or one that the hub does not know yet, is asked about when it is open.
      if (answer.type !== 'conversation') {
        if (fateOf(answer) !== 'retry') return;
        // A hub that is ill now may be well in a while.
        await new Promise((resolve) => setTimeout(resolve, pauseAfter(asked + 1)));
        continue;
      }
      const extent = position === undefined ? 'all' : 'new';
      const { unreadable } = answer.payload;
      this.#options.readable?.skippedByHost('conversation', sessionId, unreadable, extent);
      const heard = this.#readable(answer.payload);
      const left = hearConversation(thread, heard);
      await this.#keep(thread, heard);
      this.#tell(thread, true);
      const isFull = position !== undefined && answer.payload.messages.length >= FULL_ANSWER;
      if (left === 'whole' && !isFull && !run.again) return;
    }
    thread.early.clear();
  }

  /** What of the hub's answer can be read: one part that cannot keeps no other from being known. */
  #readable(told: ConversationTold): ConversationTold {
    const { readable } = this.#options;
    if (!readable) return told;
    return {
      ...told,
      messages: told.messages.flatMap((one) => readable.message('host', one) ?? []),
      contexts: told.contexts.flatMap((one) => readable.selection('host', one) ?? []),
    };
  }

  async #keep(thread: Thread, { messages, contexts }: ConversationTold): Promise<void> {
    // Nothing was ever said: nothing worth keeping.
    if (thread.messages.size === 0 && thread.contexts.size === 0) return;
    const ids = new Set(messages.map(({ id }) => id));
    await this.#threads.save(
      thread,
      [...thread.messages.values()].filter(({ id }) => ids.has(id)),
      contexts.flatMap(({ id }) => thread.contexts.get(id) ?? []),
    );
  }

  #tell(thread: Thread, listed: boolean): void {
    this.#options.changed(thread.sessionId);
    if (listed) this.#options.listed();
  }

  #withdraw(thread: Thread, annotationId: string): void {
    thread.annotations = thread.annotations.filter((one) => one.annotationId !== annotationId);
  }
}

/** What the person said and no agent has answered. */
function unansweredIn(thread: Thread): StoredMessage[] {
  return unansweredOf([...thread.messages.values()].sort((a, b) => a.order - b.order));
}
