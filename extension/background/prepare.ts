/**
 * Makes a waiting item ready to be sent: a session that the hub knows now, and the pictures, which are kept beside it. What fails here is
 * this item's own trouble, unless it is a `LinkLost`.
 */
import type { Request } from '../generated/Request';
import { base64 } from './base64';
import type { OutboxItem, Store } from './store';

export interface PrepareOptions {
  store: Pick<Store, 'get' | 'read'>;
  /** The session of an open tab of an origin, else `sessionId`, which was right when the item was made: the hub remembers its project. */
  session: (sessionId: string, origin: string) => Promise<string>;
  /** The session of an open tab of an origin that is in this project. */
  sessionIn: (origin: string, project: string) => Promise<string | undefined>;
  /** Makes sure that the hub knows this very session of this browser, though its tab may be closed: an answer is awaited in it. */
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
      return withPictures(options, request, item.withoutPicture);
    case 'import_comments': {
      const sessionId = await options.session(request.payload.sessionId, origin);
      return { type: 'import_comments', payload: { ...request.payload, sessionId } };
    }
    case 'create_comment': {
      const { comment } = request.payload;
      const sessionId = await options.session(request.payload.sessionId, origin);
      const screenshot = await picture(options, item.subject, item.withoutPicture);
      return {
        type: 'create_comment',
        payload: { sessionId, comment: { ...comment, sessionId }, ...screenshot },
      };
    }
  }
}

/**
 * The session that a request names beside itself: in whose conversation it is, or in which its comment was made. Another tab of the
 * same origin may show another project by now: two dev servers that take turns on one port. A comment's session may be another
 * browser's or of a tab that is closed, so it is never opened for a change: it only hints at the project.
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

/** Whether a request can do without the session that it names: the hub looks for the comment everywhere then. */
export function isHint({ request }: OutboxItem): boolean {
  return request.type === 'change_comment';
}

/** Whether a request goes with pictures, without which it could go as well. */
export function hasPictures({ request, withoutPicture }: OutboxItem): boolean {
  return !withoutPicture && (request.type === 'create_comment' || request.type === 'set_context');
}

async function picture(
  { store }: PrepareOptions,
  key: string,
  without: boolean | undefined,
): Promise<{ screenshot?: string }> {
  const png = without ? undefined : await store.get('screenshots', key);
  return png ? { screenshot: await base64(png) } : {};
}

/** A selection with its pictures; without when they were too much. */
async function withPictures(
  options: PrepareOptions,
  request: Extract<Request, { type: 'set_context' }>,
  without: boolean | undefined,
): Promise<Request> {
  const { contextId = '' } = request.payload;
  const context = await options.store.read('contexts', contextId);
  if (context?.refused?.isTooLarge) return request;
  const [element, viewport] = await Promise.all([
    picture(options, contextId, without),
    picture(options, `${contextId}:viewport`, without),
  ]);
  const viewportScreenshot = viewport.screenshot;
  return {
    type: 'set_context',
    payload: { ...request.payload, ...element, ...(viewportScreenshot ? { viewportScreenshot } : {}) },
  };
}
