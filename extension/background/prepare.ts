/**
 * Makes a waiting item ready to be sent: a session that the hub knows now, and the pictures, which are kept beside it. What fails here is
 * this item's own trouble, unless it is a `LinkLost`.
 */
import type { Request } from '../generated/Request';
import { base64 } from './base64';
import type { OutboxItem, Store } from './store';

export interface PrepareOptions {
  store: Pick<Store, 'get' | 'read'>;
  /** A session that the hub knows now, for an origin; `sessionId` was right when the item was made. */
  session: (sessionId: string, origin: string, pageUrl: string) => Promise<string>;
  /** Makes sure that the hub knows this very session, though its tab may be closed. */
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
      const pageUrl = request.payload.comments[0]?.url ?? origin;
      const sessionId = await options.session(request.payload.sessionId, origin, pageUrl);
      return { type: 'import_comments', payload: { ...request.payload, sessionId } };
    }
    case 'create_comment': {
      const { comment } = request.payload;
      const sessionId = await options.session(request.payload.sessionId, origin, comment.url);
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
 * same origin may show another project by now: two dev servers that take turns on one port.
 */
export async function sessionOf(options: PrepareOptions, item: OutboxItem): Promise<string | undefined> {
  const { request, origin, session } = item;
  if (request.type !== 'change_comment') return session?.id;
  const { commentId } = request.payload;
  // Without it the hub looks for the comment in every project.
  const current = (await options.store.read('comments', commentId))?.current;
  if (!current) return undefined;
  const { sessionId, url } = current;
  if (sessionId) {
    await options.keepSession({ id: sessionId, url, title: '' });
    return sessionId;
  }
  // One that came with an import was made in no session. The same for each try.
  return options.session(commentId.replace(/^c_/, 's_'), origin, url);
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
