/** Who speaks: a content script may speak for its own tab only, the extension's pages for any. */
import type { Comment } from '../generated/Comment';
import type { ToBackground } from '../messages';
import type { Comments } from './comments';

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
  | { kind: 'panel' };

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

/** Messages that only a content script sends. */
const CONTENT_ONLY: ReadonlySet<ToBackground['type']> = new Set<ToBackground['type']>([
  'describe',
  'judge',
  'keep_looks',
  'note_sources',
  'note_document',
  'note_made',
  'ask_files',
  'capture_piece',
  'report_states',
  'create_comment',
  'send_to_chat',
  'get_page_state',
  'load_overlay',
  'keep_draft',
  'get_drafts',
  'page_moved',
  'picking_changed',
  'show_embedded',
  'overlay_removed',
  'offer_field',
  'seen_answer',
]);
/** Messages that both send. */
const BOTH: ReadonlySet<ToBackground['type']> = new Set<ToBackground['type']>([
  'change_comment',
  'open_panel',
  'decline_annotation',
]);

/**
 * Tells who sent a message, or nothing for a stranger. `extensionRoot` is the extension's own origin with a slash.
 * An extension page in a tab has a tab too, so that the address decides.
 */
export function identify(sender: RawSender, extensionId: string, extensionRoot: string): Sender | undefined {
  if (sender.id !== extensionId || !sender.url) return undefined;
  const { tab } = sender;
  if (sender.url.startsWith(extensionRoot)) {
    // None of our pages stands in a frame; one that does was put there by somebody else.
    return tab && sender.frameId !== 0 ? undefined : { kind: 'panel' };
  }
  // It names the tab that it may come to one day; the tab's page is another.
  if (sender.documentLifecycle === 'prerender') return undefined;
  if (tab?.id === undefined || sender.frameId !== 0 || !URL.canParse(sender.url)) return undefined;
  const { origin } = new URL(sender.url);
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

/** Whether this sender may send this message: a content script none that is the panel's, and none that names a tab. */
export function mayAsk(sender: Sender, message: ToBackground): boolean {
  if (message.type === 'decline_annotation') {
    return (sender.kind === 'content') === (message.payload.tabId === undefined);
  }
  return BOTH.has(message.type) || (sender.kind === 'content') === CONTENT_ONLY.has(message.type);
}

/** The page that asks. Throws a sentence for whoever is none. */
export function contentOf(sender: Sender): Extract<Sender, { kind: 'content' }> {
  if (sender.kind !== 'content') throw new Error('Only a page can do this.');
  return sender;
}

/** A comment that this sender may see: a page's content script only sees its own origin's. */
export async function ownComment(
  comments: Pick<Comments, 'get'>,
  id: string,
  sender: Sender,
): Promise<Comment> {
  const comment = await comments.get(id);
  const own = sender.kind === 'panel' || (comment && new URL(comment.url).origin === sender.origin);
  if (!comment || !own) throw new Error('This comment is not known here any more. Reload the page.');
  return comment;
}
