/**
 * A conversation as it is known here, and what the hub's news make of it. An answer comes in parts: each is applied
 * once and in order, what comes too early is kept, and a missing one is found out. Pure: knows neither hub nor storage.
 */
import type { Activity } from '../generated/Activity';
import type { AnnotationRequest } from '../generated/AnnotationRequest';
import type { Answer } from '../generated/Answer';
import type { Message } from '../generated/Message';
import type { Part } from '../generated/Part';
import type { StoredContext, StoredMessage, StoredThread } from './store';

export interface Thread extends StoredThread {
  messages: Map<string, StoredMessage>;
  contexts: Map<string, StoredContext>;
  activities: Activity[];
  annotations: AnnotationRequest[];
  /** Parts that came before the one that belongs in front of them: by message, then by index. */
  early: Map<string, Map<number, string>>;
}

/** Parts that are kept for want of one in front of them; more are asked for again. */
const MOST_EARLY = 4_096;

/** Of whose answer, and about what. */
export interface Whence {
  agent: string | undefined;
  contextId: string | undefined;
}

/** `grew`: by the text; `began`: a new message; `known`: heard before; `gap`: something is missing. */
export type Heard =
  | { kind: 'grew' | 'began'; message: StoredMessage; text: string }
  | { kind: 'known' | 'gap' };

export function emptyThread(sessionId: string, origin: string, url: string, title: string): Thread {
  return {
    sessionId,
    origin,
    url,
    title,
    unread: 0,
    lastAt: 0,
    messages: new Map(),
    contexts: new Map(),
    activities: [],
    annotations: [],
    early: new Map(),
  };
}

/** The place behind everything that is there. */
export function nextOrder(thread: Thread): number {
  let last = 0;
  for (const { order } of thread.messages.values()) last = Math.max(last, order);
  return last + 1;
}

/** The next part of an answer. */
export function hearPart(thread: Thread, part: Part, whence: Whence, text: string, at: number): Heard {
  const known = thread.messages.get(part.messageId);
  const next = known?.parts ?? 0;
  if (known?.isComplete || part.index < next) return { kind: 'known' };
  if (part.index > next) {
    keepEarly(thread, part, text);
    return { kind: 'gap' };
  }
  const message = known ?? begun(thread, part, whence, at);
  message.content += text;
  message.parts = part.index + 1;
  message.position = part.position;
  const more = drainEarly(thread, message);
  return { kind: known ? 'grew' : 'began', message, text: text + more };
}

/** Marks what a whole answer answers; all else that was said still waits, sent or not. Returns what changed. */
export function hearAnswered(thread: Thread, answers: readonly string[] | undefined): StoredMessage[] {
  // From a host that does not say which.
  if (answers === undefined) return [];
  const answered = new Set(answers);
  return [...thread.messages.values()].filter((message) => {
    if (message.role !== 'user' || message.delivery === 'refused') return false;
    // What answers an agent's own request is no message to the hub, and has no position once it is sent.
    if (message.delivery === 'sent' && message.position === 0) return false;
    const isAnswered = answered.has(message.id);
    if (!isAnswered && message.isAnswered !== undefined) return false;
    Object.assign(message, isAnswered ? { isAnswered, isRead: true } : { isAnswered });
    return true;
  });
}

/** A whole answer: it replaces what its parts made. Says whether it is news. */
export function hearWhole(thread: Thread, part: Part, whence: Whence, text: string, at: number): boolean {
  const known = thread.messages.get(part.messageId);
  if (known?.isComplete) return false;
  const message = known ?? begun(thread, part, whence, at);
  Object.assign(message, { content: text, parts: part.index + 1, position: part.position, isComplete: true });
  thread.early.delete(message.id);
  thread.unread += 1;
  thread.lastAt = at;
  return true;
}

/** What the hub says that there is. Says whether a part is still missing. */
export function hearConversation(
  thread: Thread,
  {
    messages,
    contexts,
    activities,
    annotations,
    position,
  }: Extract<Answer, { type: 'conversation' }>['payload'],
): 'whole' | 'gap' {
  for (const context of contexts) {
    const known = thread.contexts.get(context.id);
    if (!known)
      thread.contexts.set(context.id, { ...context, order: thread.contexts.size + 1, pictured: false });
  }
  // The order of what is new is that of its beginnings; what is known keeps its place.
  for (const message of [...messages].sort((a, b) => a.createdAt - b.createdAt)) hearMessage(thread, message);
  thread.activities = activities;
  thread.annotations = annotations;
  thread.position = position;
  return thread.early.size > 0 ? 'gap' : 'whole';
}

function hearMessage(thread: Thread, heard: Message): void {
  const known = thread.messages.get(heard.id);
  // What was asked for may have been overtaken by parts that came meanwhile.
  const isOlder = known && (known.isComplete ? !heard.isComplete : known.parts > heard.parts);
  const isNews = heard.role === 'assistant' && heard.isComplete && !known?.isComplete;
  const message: StoredMessage = isOlder
    ? known
    : {
        ...heard,
        delivery: 'sent',
        order: known?.order ?? nextOrder(thread),
        ...(known?.isStopped || heard.isWithdrawn ? { isStopped: true } : {}),
      };
  thread.messages.set(message.id, message);
  thread.lastAt = Math.max(thread.lastAt, message.createdAt);
  if (isNews) thread.unread += 1;
  if (message.isComplete) thread.early.delete(message.id);
  else drainEarly(thread, message);
}

/** What an agent does now. */
export function hearActivity(thread: Thread, activity: Activity): void {
  const others = thread.activities.filter(({ agent }) => agent !== activity.agent);
  thread.activities = activity.status === 'idle' ? others : [...others, activity];
}

function begun(thread: Thread, part: Part, { agent, contextId }: Whence, at: number): StoredMessage {
  const message: StoredMessage = {
    id: part.messageId,
    sessionId: thread.sessionId,
    ...(contextId === undefined ? {} : { contextId }),
    role: 'assistant',
    content: '',
    ...(agent === undefined ? {} : { agent }),
    isComplete: false,
    parts: 0,
    isRead: true,
    position: part.position,
    createdAt: at,
    delivery: 'sent',
    order: nextOrder(thread),
  };
  thread.messages.set(message.id, message);
  return message;
}

function keepEarly(thread: Thread, { messageId, index }: Part, text: string): void {
  const early = thread.early.get(messageId) ?? new Map<number, string>();
  thread.early.set(messageId, early);
  if (early.size < MOST_EARLY) early.set(index, text);
}

/** Applies what came too early and fits now; returns its text. */
function drainEarly(thread: Thread, message: StoredMessage): string {
  const early = thread.early.get(message.id);
  if (!early) return '';
  let text = '';
  for (let next = early.get(message.parts); next !== undefined; next = early.get(message.parts)) {
    text += next;
    early.delete(message.parts);
    message.parts += 1;
  }
  for (const index of early.keys()) if (index < message.parts) early.delete(index);
  if (early.size === 0) thread.early.delete(message.id);
  message.content += text;
  return text;
}
