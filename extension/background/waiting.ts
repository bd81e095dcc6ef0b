/**
 * What waits in the outbox, decoded when it is read: it may be of another version of the extension, or damaged. One
 * that cannot be read keeps its place, and stops what names the same comment or conversation alone.
 */
import type { DurableRequest, OutboxItem, Writing } from './store';
import { readIn } from './store';

type Payloads = { [T in DurableRequest['type']]: (payload: Record<string, unknown>) => boolean };

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasId = (value: unknown) => isObject(value) && isText(value.id) && isText(value.url);

/** What each request must hold for it to be sent; whether the rest is valid the hub decides. */
const PAYLOADS: Payloads = {
  create_comment: ({ sessionId, comment }) => isText(sessionId) && hasId(comment),
  change_comment: ({ commentId, change, at }) =>
    isText(commentId) && isObject(change) && isText(change.kind) && Number.isFinite(at),
  import_comments: ({ sessionId, comments }) =>
    isText(sessionId) && Array.isArray(comments) && comments.every(hasId),
  set_context: ({ contextId, element }) => isText(contextId) && isObject(element),
  user_message: ({ message }) => isText(message),
  answer_annotation: ({ annotationId }) => isText(annotationId),
};
const OF_SESSIONS = new Set<string>(['set_context', 'user_message', 'answer_annotation']);

/** Whether a request can be sent. */
export function isRequest(value: unknown): value is DurableRequest {
  if (!isObject(value) || !isText(value.type) || !isObject(value.payload)) return false;
  const { type, payload } = value as { type: string; payload: Record<string, unknown> };
  return Object.hasOwn(PAYLOADS, type) && PAYLOADS[type as DurableRequest['type']](payload);
}

/**
 * What the outbox holds, as an item that can be sent; nothing when it cannot be one. What only says when it was tried,
 * and why in vain, is left out where it makes no sense: it is tried now.
 */
export function readItem(value: unknown): OutboxItem | undefined {
  if (!isItem(value)) return undefined;
  const { attempts, retryAt, why, ...rest } = value as OutboxItem &
    Record<'attempts' | 'retryAt' | 'why', unknown>;
  return {
    ...rest,
    attempts: Number.isSafeInteger(attempts) && (attempts as number) >= 0 ? (attempts as number) : 0,
    ...(Number.isFinite(retryAt) ? { retryAt: retryAt as number } : {}),
    ...(isText(why) ? { why } : {}),
  };
}

function isItem(value: unknown): value is OutboxItem {
  if (!isObject(value) || !isText(value.id) || !isText(value.subject) || !isText(value.origin)) return false;
  if (!isRequest(value.request)) return false;
  const { session } = value;
  const isSession = isObject(session) && isText(session.id) && isText(session.url);
  return OF_SESSIONS.has(value.request.type) ? isSession : session === undefined;
}

/** Lets an item go that was held for its picture, and was not tried yet. */
export async function release(tx: Writing, item: OutboxItem): Promise<void> {
  const { retryAt, ...due } = item;
  if (retryAt !== undefined && item.attempts === 0) await tx.objectStore('outbox').put(due);
}

/** Everything that an item must keep its place among: each comment of an import, else its subject. */
export function subjectsOf({ subject, request }: OutboxItem): string[] {
  return request.type === 'import_comments' ? request.payload.comments.map(({ id }) => id) : [subject];
}

/** The comments and conversations that something names, whatever it is. */
export function namesIn(found: unknown): string[] {
  const { subject, request } = isObject(found) ? found : {};
  const payload = isObject(request) && isObject(request.payload) ? request.payload : {};
  const comments = [payload.comment, ...(Array.isArray(payload.comments) ? payload.comments : [])];
  const ids = comments.map((comment) => (isObject(comment) ? comment.id : undefined));
  return [subject, payload.commentId, ...ids].filter(isText);
}

/** What waits for a subject, or an origin, and can be sent, in order. */
export async function waitingIn(
  tx: Writing,
  index: 'subject' | 'origin',
  key: string,
): Promise<OutboxItem[]> {
  const outbox = tx.objectStore('outbox');
  let all: unknown[] | undefined = await readIn(outbox.index(index).getAll(key));
  if (!all) {
    const keys = await outbox.index(index).getAllKeys(key);
    all = await Promise.all(keys.map((seq) => readIn(outbox.get(seq))));
  }
  return all.flatMap((item) => readItem(item) ?? []).sort((a, b) => a.seq - b.seq);
}
