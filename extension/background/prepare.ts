/**
 * Makes a waiting item ready to be sent: the session by which the hub finds its project, and the pictures, which are
 * kept beside it. What fails here is this item's own trouble, unless it is a `LinkLost`.
 */
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import { base64 } from './base64';
import type { OutboxItem, Store } from './store';
import { readIn, type Writing, writing } from './store';

export interface PrepareOptions {
  store: Store;
  /**
   * The session of an open tab of an origin, else `sessionId`, which was right when the item was made: the hub
   * remembers its project.
   */
  session: (sessionId: string, origin: string) => Promise<string>;
  /** The session of an open tab of an origin that is in this project. */
  sessionIn: (origin: string, project: string) => Promise<string | undefined>;
  /**
   * Makes sure that the hub knows this very session of this browser, though its tab may be closed: an answer is awaited
   * in it.
   */
  keepSession: (session: { id: string; url: string; title: string }) => Promise<void>;
}

/** The request as it goes to the hub. */
export async function prepared(options: PrepareOptions, item: OutboxItem): Promise<Request> {
  const { request, origin, session } = item;
  if (session) await options.keepSession(session);
  switch (request.type) {
    case 'change_comment':
    case 'user_message':
    case 'answer_annotation':
      return request;
    case 'set_context':
      return withPictures(options, item, request);
    case 'import_comments': {
      const sessionId = await options.session(request.payload.sessionId, origin);
      return { type: 'import_comments', payload: { ...request.payload, sessionId } };
    }
    case 'create_comment': {
      const { comment } = request.payload;
      const sessionId = await options.session(request.payload.sessionId, origin);
      const [screenshot] = await pictures(options, item, [item.subject]);
      return {
        type: 'create_comment',
        payload: { sessionId, comment: { ...comment, sessionId }, ...(screenshot ? { screenshot } : {}) },
      };
    }
  }
}

/**
 * The session that a request names beside itself: in whose conversation it is, or in which its comment was made.
 * Another tab of the same origin may show another project by now: two dev servers that take turns on one port. A
 * comment's session may be another browser's or of a tab that is closed, so it is never opened for a change: it only
 * hints at the project.
 */
export async function sessionOf(options: PrepareOptions, item: OutboxItem): Promise<string | undefined> {
  const { request, origin, session } = item;
  if (request.type !== 'change_comment') return session?.id;
  // Without a hint the hub looks for the comment in every project.
  const record = await options.store.read('comments', request.payload.commentId);
  const hint = record?.current?.sessionId;
  if (hint || record?.project === undefined) return hint;
  // One that came with an import was made in no session.
  return options.sessionIn(origin, record.project);
}

/**
 * Whether a request can do without the session that it names, which the hub does not remember: it looks for the comment
 * everywhere.
 */
export function goesWithoutSession({ request }: OutboxItem, answer: Answer): boolean {
  const isUnknown = answer.type === 'error' && answer.payload.code === 'unknown_session';
  return isUnknown && request.type === 'change_comment';
}

/** Whether a request goes with pictures, without which it could go as well. */
export function hasPictures({ request, withoutPicture }: OutboxItem): boolean {
  return !withoutPicture && (request.type === 'create_comment' || request.type === 'set_context');
}

/**
 * What there is of these pictures. In the transaction that sees which there are, the item is marked: a picture that
 * comes while it is under way is not kept, for the hub would never get it.
 */
async function pictures(
  { store }: PrepareOptions,
  item: OutboxItem,
  keys: string[],
): Promise<(string | undefined)[]> {
  if (item.withoutPicture) return [];
  const look = async (tx: Writing) => {
    const now = await readIn(tx.objectStore('outbox').get(item.seq));
    if (now?.id === item.id) await tx.objectStore('outbox').put({ ...now, isUnderWay: true });
    return Promise.all(keys.map((key) => tx.objectStore('screenshots').getKey(key)));
  };
  const there = await writing(store, look, 'relaxed');
  const read = async (key: string | undefined) => {
    const png = key === undefined ? undefined : await store.get('screenshots', key);
    return png && base64(png);
  };
  return Promise.all(there.map(read));
}

/** A selection with its pictures; without when they were too much. */
async function withPictures(
  options: PrepareOptions,
  item: OutboxItem,
  request: Extract<Request, { type: 'set_context' }>,
): Promise<Request> {
  const { contextId = '' } = request.payload;
  const context = await options.store.read('contexts', contextId);
  if (context?.refused?.isTooLarge) return request;
  const [screenshot, viewportScreenshot] = await pictures(options, item, [
    contextId,
    `${contextId}:viewport`,
  ]);
  return {
    type: 'set_context',
    payload: {
      ...request.payload,
      ...(screenshot ? { screenshot } : {}),
      ...(viewportScreenshot ? { viewportScreenshot } : {}),
    },
  };
}
