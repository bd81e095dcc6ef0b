/** Conversations: what the person says in the panel, and what agents ask them to point at. */
import { pngUrl } from '../base64';
import type { Conversations } from '../conversations';
import type { Sessions } from '../sessions';
import { message } from './message';
import { absent, fields, id, newId, optional, tabId, text } from './schema';
import { sessionOf, tellPage } from './tab';

/** More than the hub takes: what it refuses is shown with its words and why. */
export const words = text(4 * 1024 * 1024);

export const chat = {
  send_message: message({
    from: 'panel',
    // `contextId`: an earlier selection that it is about; absent: the page as a whole.
    payload: fields({ id: newId('m_'), sessionId: id, text: words, contextId: optional(id) }),
    async answer({ conversations, sessions, outbox }, { id, sessionId, text, contextId }) {
      const session = await sessions.withId(sessionId);
      if (!session) throw new Error('The page of this conversation is closed. Open it again to go on.');
      await conversations.say(session, { id, text }, contextId === undefined ? undefined : { contextId });
      void outbox.flush();
      return null;
    },
  }),

  /** Sends a refused message again. */
  retry_message: message({
    from: 'panel',
    payload: fields({ messageId: id }),
    async answer({ conversations, outbox }, { messageId }) {
      await conversations.retry(messageId);
      void outbox.flush();
      return null;
    },
  }),

  /** The person wants to see a refused message no more. */
  discard_message: message({
    from: 'panel',
    payload: fields({ messageId: id }),
    async answer({ conversations }, { messageId }) {
      await conversations.discard(messageId);
      return null;
    },
  }),

  /** The person no longer waits for answers. */
  stop_waiting: message({
    from: 'panel',
    payload: fields({ sessionId: id }),
    async answer({ conversations }, { sessionId }) {
      await conversations.stop(sessionId);
      return null;
    },
  }),

  /** The person has seen everything there is. */
  read_chat: message({
    from: 'panel',
    payload: fields({ sessionId: id }),
    async answer({ conversations }, { sessionId }) {
      await conversations.read(sessionId);
      return null;
    },
  }),

  /** Answered with a `data:` URL, or null. */
  get_context_picture: message({
    from: 'panel',
    payload: fields({ contextId: id }),
    async answer({ conversations }, { contextId }) {
      return pngUrl(await conversations.picture(contextId));
    },
  }),

  /** A content script's is its own tab's, and it names none. */
  decline_annotation: {
    ...message({
      from: 'content',
      payload: fields({ annotationId: id, tabId: absent }),
      answer: (app, { annotationId }, { tabId }) => decline(app, tabId, annotationId),
    }),
    ...message({
      from: 'panel',
      payload: fields({ annotationId: id, tabId }),
      answer: (app, { annotationId, tabId }) => decline(app, tabId, annotationId),
    }),
  },

  /** Lets the person point at what an agent asks for, on the page. */
  point_for_annotation: message({
    from: 'panel',
    payload: fields({ tabId, annotationId: id }),
    answer: (_app, { tabId, annotationId }) =>
      tellPage(tabId, { type: 'point_for_annotation', payload: { annotationId } }),
  }),
};

async function decline(
  { conversations, sessions }: { conversations: Conversations; sessions: Sessions },
  tabId: number,
  annotationId: string,
): Promise<null> {
  const { id } = await sessionOf(sessions, tabId);
  // The hub refuses what was not asked in this session: a background that has just started does not know what was.
  await conversations.decline(id, annotationId);
  return null;
}
