/** Who speaks: a content script may speak for its own tab only, the panel for any. */
import type { Comment } from '../generated/Comment';
import type { Comments } from './comments';
import { originOf } from './page-address';

export type Sender =
  | {
      kind: 'content';
      tabId: number;
      /** As the browser says it, not the page. */
      url: string;
      origin: string;
      title: string;
      windowId: number;
      active: boolean;
    }
  | { kind: 'panel' }
  /**
   * A text field of ours in a frame of that tab's page, whoever put it there: it speaks for what is typed into it
   * alone.
   */
  | { kind: 'field'; tabId: number };

/** The parts of the browser's `MessageSender` that tell. */
export interface RawSender {
  id?: string | undefined;
  url?: string | undefined;
  frameId?: number | undefined;
  /** Chrome's: `active`, or `prerender` for a page that nobody has gone to yet. */
  documentLifecycle?: string | undefined;
  tab?:
    | { id?: number | undefined; windowId: number; active: boolean; title?: string | undefined }
    | undefined;
}

/**
 * Tells who sent a message, or nothing for a stranger. `extensionRoot` is the extension's own origin with a slash.
 * An extension page in a tab has a tab too, so that the address decides.
 */
export function identify(sender: RawSender, extensionId: string, extensionRoot: string): Sender | undefined {
  if (sender.id !== extensionId || !sender.url) return undefined;
  const { tab } = sender;
  if (sender.url.startsWith(extensionRoot)) {
    if (!tab || sender.frameId === 0) return { kind: 'panel' };
    // No other page of ours stands in a frame; one that does was put there by somebody else.
    const isField = sender.url === `${extensionRoot}field.html`;
    return isField && tab.id !== undefined ? { kind: 'field', tabId: tab.id } : undefined;
  }
  // It names the tab that it may come to one day; the tab's page is another.
  if (sender.documentLifecycle === 'prerender') return undefined;
  const origin = originOf(sender.url);
  if (tab?.id === undefined || sender.frameId !== 0 || origin === undefined) return undefined;
  return {
    kind: 'content',
    tabId: tab.id,
    url: sender.url,
    origin,
    title: tab.title ?? '',
    windowId: tab.windowId,
    active: tab.active,
  };
}

/** A comment that this sender may see: a page's content script only sees its own origin's. */
export async function ownComment(
  comments: Pick<Comments, 'get'>,
  id: string,
  sender: Exclude<Sender, { kind: 'field' }>,
): Promise<Comment> {
  const comment = await comments.get(id);
  const own = sender.kind === 'panel' || (comment && originOf(comment.url) === sender.origin);
  if (!comment || !own) throw new Error('This comment is not known here any more. Reload the page.');
  return comment;
}
