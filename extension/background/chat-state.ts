/** A conversation as views are told of it, and the list of conversations of one tab. Pure. */
import type { ChatContext, ChatMessage, ChatState, ChatSummary } from '../state/chat';
import type { StoredContext, StoredMessage, StoredThread } from './store';
import type { Thread } from './thread';

/** Earlier conversations of an origin that are listed. */
const MOST_EARLIER = 10;

export function chatState(thread: Thread): ChatState {
  return {
    sessionId: thread.sessionId,
    messages: inOrder(thread.messages.values()).map(shownMessage),
    contexts: inOrder(thread.contexts.values()).map(shownContext),
    activities: thread.activities,
    annotations: thread.annotations,
  };
}

/** The tab's own first, then those of other open tabs, then what was said on this origin before. */
export function chatList(
  threads: readonly StoredThread[],
  open: readonly { id: string; tabId: number; origin: string; url: string; title: string }[],
  own: { id: string; origin: string } | undefined,
): ChatSummary[] {
  const byId = new Map(threads.map((thread) => [thread.sessionId, thread]));
  const isOpen = new Set(open.map(({ id }) => id));
  const live = open
    .filter(({ id }) => id === own?.id || byId.has(id))
    .map(({ id, tabId, url, title }) => {
      const { unread = 0, lastAt = 0 } = byId.get(id) ?? {};
      return { sessionId: id, tabId, url, title, unread, lastAt };
    })
    .sort((a, b) => Number(b.sessionId === own?.id) - Number(a.sessionId === own?.id) || b.lastAt - a.lastAt);
  const earlier = threads
    .filter(({ sessionId, origin }) => origin === own?.origin && !isOpen.has(sessionId))
    .slice(0, MOST_EARLIER)
    .map(({ sessionId, url, title, unread, lastAt }) => ({ sessionId, url, title, unread, lastAt }));
  return [...live, ...earlier];
}

function inOrder<T extends { order: number }>(all: Iterable<T>): T[] {
  return [...all].sort((a, b) => a.order - b.order);
}

function shownMessage({ order: _, isContextLost: __, ...message }: StoredMessage): ChatMessage {
  return message;
}

function shownContext({ id, element, page, targets, pictured }: StoredContext): ChatContext {
  return { id, tagName: element.tagName.toLowerCase(), page, targets: targets ?? [], pictured };
}
