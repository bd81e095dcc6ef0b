/**
 * What a person says, as it is kept and as it is asked of the hub. Pure but for `queue`, which writes into the
 * transaction it is given.
 */
import type { Context } from '../generated/Context';
import type { Selection } from '../generated/Selection';
import { newId } from '../new-id';
import type { ChatRequest, StoredContext, StoredMessage, StoredThread, Writing } from './store';
import { nextOrder, type Thread } from './thread';

/** The session of a conversation. */
export interface ChatSession {
  id: string;
  origin: string;
  url: string;
  title: string;
}

/** What a person says. */
export interface Utterance {
  /** Of the message. */
  id: string;
  text: string;
  /** The request of an agent that it answers. */
  annotationId?: string | undefined;
}

/** A selection that is told with a message. */
export interface NewContext {
  selection: Selection;
  element: Blob | null;
  viewport: Blob | null;
  /** It is not sent before this moment, unless its pictures came. */
  heldUntil?: number;
}

export function recordOf({ sessionId, origin, url, title, position, unread, lastAt }: Thread): StoredThread {
  return {
    sessionId,
    origin,
    url,
    title,
    unread,
    lastAt,
    ...(position === undefined ? {} : { position }),
  };
}

export const pageOf = ({ url, title }: ChatSession) => ({ url, title });

export function newContext(thread: Thread, { selection, element }: NewContext, at: number): StoredContext {
  return {
    id: newId('ctx_'),
    sessionId: thread.sessionId,
    ...selection,
    createdAt: at,
    order: thread.contexts.size + 1,
    pictured: element !== null,
  };
}

/** The page as a whole, for what is said without pointing at anything: an agent can only answer about a selection. */
export function pageContext(thread: Thread, { url, title }: ChatSession, at: number): StoredContext {
  const known = [...thread.contexts.values()].findLast(
    (context) => context.element.tagName === 'html' && context.page.url === url && !context.refused,
  );
  if (known) return known;
  const element = {
    tagName: 'html',
    classList: [],
    textContent: '',
    attributes: {},
    boundingBox: { x: 0, y: 0, width: 0, height: 0 },
  };
  const selection = { element, ancestors: [], page: { url, title } };
  return newContext(thread, { selection, element: null, viewport: null }, at);
}

export function ownMessage(
  thread: Thread,
  id: string,
  text: string,
  contextId: string,
  at: number,
): StoredMessage {
  return {
    id,
    sessionId: thread.sessionId,
    contextId,
    role: 'user',
    content: text,
    isComplete: true,
    parts: 1,
    isRead: false,
    position: 0,
    createdAt: at,
    delivery: 'waiting',
    order: nextOrder(thread),
  };
}

export function setContext({ id, element, ancestors, children, page, targets }: Context): ChatRequest {
  const rest = { ...(children ? { children } : {}), ...(targets ? { targets } : {}) };
  return { type: 'set_context', payload: { contextId: id, element, ancestors, page, ...rest } };
}

export const userMessage = ({ contextId, content }: StoredMessage): ChatRequest => ({
  type: 'user_message',
  payload: { message: content || SHOWN, ...(contextId ? { contextId } : {}) },
});

export const answering = (annotationId: string, contextId: string, text: string): ChatRequest => ({
  type: 'answer_annotation',
  payload: { annotationId, contextId, ...(text ? { message: text } : {}) },
});

/** For agents that have gone meanwhile: what an answer without words says. */
const SHOWN = 'This is what I was asked to point at.';

export async function queue(
  tx: Writing,
  { id, origin, url, title }: ChatSession,
  messageId: string,
  request: ChatRequest,
  { standsFor, heldUntil }: { standsFor?: string; heldUntil?: number | undefined } = {},
): Promise<void> {
  await tx.objectStore('outbox').add({
    id: messageId,
    subject: id,
    origin,
    session: { id, url, title },
    request,
    attempts: 0,
    ...(standsFor === undefined ? {} : { messageId: standsFor }),
    ...(heldUntil === undefined ? {} : { retryAt: heldUntil }),
  });
}
