/**
 * Splits an import that waits: what holds up or breaks one of its comments must not hold up the others. Its parts are
 * imports with ids of their own; the hub merges a comment that it has already taken once more without effect.
 */
import { newId } from '../new-id';
import type { DurableRequest, OutboxItem, Writing } from './store';

type Import = OutboxItem & { request: Extract<DurableRequest, { type: 'import_comments' }> };

/**
 * Distance between the places of parts: between their import and what was queued after it, whose key is the next whole
 * number. Enough for a hundred times what one import may hold.
 */
const STEP = 2 ** -20;

function isImport(item: OutboxItem): item is Import {
  return item.request.type === 'import_comments';
}

/** Whether an item holds several comments, so that it can be split. */
export function isSplittable(item: OutboxItem): boolean {
  return isImport(item) && new Set(item.request.payload.comments.map(({ id }) => id)).size > 1;
}

/**
 * Gives each of these comments of an import a request of its own, behind it. What is left of the import, and these
 * parts; nothing when it waits no more.
 */
export async function splitOff(
  tx: Writing,
  item: OutboxItem,
  ids: Set<string>,
): Promise<{ left: OutboxItem; parts: OutboxItem[] } | undefined> {
  const now = await current(tx, item);
  if (!now) return undefined;
  const { comments } = now.request.payload;
  // Its own attempts say nothing of a part that was held up by another change.
  const { retryAt, why, delayed, ...fresh } = now;
  const parts = [...ids].map((id) => ({
    ...withComments(
      fresh,
      comments.filter((one) => one.id === id),
    ),
    subject: id,
    attempts: 0,
  }));
  const put = await putBehind(tx, now.seq, parts);
  const left = await keep(
    tx,
    now,
    comments.filter(({ id }) => !ids.has(id)),
  );
  return { left, parts: put };
}

/**
 * Makes two imports of one, as often tried as it was: one of them may hold nothing that breaks it. The second of them.
 */
export async function halve(tx: Writing, item: OutboxItem): Promise<OutboxItem[]> {
  const now = await current(tx, item);
  if (!now || !isSplittable(now)) return [];
  const { comments } = now.request.payload;
  const ids = [...new Set(comments.map(({ id }) => id))];
  const second = new Set(ids.slice(Math.ceil(ids.length / 2)));
  const put = await putBehind(tx, now.seq, [
    withComments(
      now,
      comments.filter(({ id }) => second.has(id)),
    ),
  ]);
  await keep(
    tx,
    now,
    comments.filter(({ id }) => !second.has(id)),
  );
  return put;
}

/** The import as it waits now; nothing when it was sent or taken back meanwhile. */
async function current(tx: Writing, item: OutboxItem): Promise<Import | undefined> {
  const now = (await tx.objectStore('outbox').get(item.seq)) as OutboxItem | undefined;
  return now?.id === item.id && isImport(now) ? now : undefined;
}

function withComments(item: Import, comments: Import['request']['payload']['comments']): Import {
  const payload = { ...item.request.payload, comments };
  return { ...item, id: newId('m_'), request: { ...item.request, payload } };
}

async function keep(
  tx: Writing,
  item: Import,
  comments: Import['request']['payload']['comments'],
): Promise<OutboxItem> {
  const left = withComments(item, comments);
  await tx.objectStore('outbox').put(left);
  return left;
}

/** Puts parts behind an import and its earlier parts, and before everything that was queued after it. */
async function putBehind(tx: Writing, seq: number, parts: OutboxItem[]): Promise<OutboxItem[]> {
  const whole = Math.floor(seq);
  const outbox = tx.objectStore('outbox');
  const taken = await outbox.getAllKeys(IDBKeyRange.bound(whole, whole + 1, false, true));
  const last = taken.at(-1) ?? seq;
  const put = parts.map((part, at) => ({ ...part, seq: last + (at + 1) * STEP }));
  for (const part of put) await outbox.put(part);
  return put;
}
