/** What goes over the panel's ports. */
import type { ApprovalsState } from './approvals';
import type { ChatState } from './chat';
import type { TabState } from './tab';

/**
 * What the person can see in a panel: nothing while it is hidden, the chat, or comments, those of the tab's page or
 * of its whole site. Which of those were on its screen it says by `seen_answers`.
 */
export const SIGHTS = ['nothing', 'chat', 'page', 'origin'] as const;
export type Sight = (typeof SIGHTS)[number];

/**
 * Panel's port (`name: 'panel'`): the panel sends `watch`, and again when what it shows is another sight; the
 * background sends a `TabState` at every change, and `show_view` when the person wants to see something there.
 */
export type PanelToBackground = { type: 'watch'; tabId: number; sight: Sight };
export type BackgroundToPanel =
  | { type: 'tab_state'; state: TabState }
  /** The person asked for this view in the page. */
  | { type: 'show_view'; view: AskedView };

/** The views of a panel that a page's parts lead to. */
export const ASKED_VIEWS = ['comments', 'chat'] as const;
export type AskedView = (typeof ASKED_VIEWS)[number];

/**
 * The port of one conversation (`name: 'chat'`): the panel sends `watch_chat`, the background the whole at first and
 * when anything changes, and `chat_text` when an answer grows: what is new of it, and how many parts it has with
 * that.
 */
export type PanelToChat = { type: 'watch_chat'; sessionId: string };
export type ChatToPanel =
  | { type: 'chat'; chat: ChatState }
  | { type: 'chat_text'; messageId: string; text: string; parts: number };

/**
 * The port of what waits for the person's yes or no (`name: 'approvals'`): the panel sends `watch_approvals` with the
 * tab that it shows, and again when that is another; the background sends everything at first and at every change, and
 * `show` when the person wants to see it there.
 */
export type PanelToApprovals = { type: 'watch_approvals'; tabId: number | null };
export type ApprovalsToPanel = { type: 'approvals'; state: ApprovalsState } | { type: 'show' };
