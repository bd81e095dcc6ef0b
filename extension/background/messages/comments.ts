/** Comments that are there: changes of them, and what is handed over of many. */
import type { Comment } from '../../generated/Comment';
import type { CommentChange } from '../../generated/CommentChange';
import { MOST_ANSWERED } from '../answered';
import type { App } from '../app';
import { pngUrl } from '../base64';
import { MOST_CAPTURE } from '../captures';
import { ownComment } from '../sender';
import { message } from './message';
import { fields, fromCore, id, list, oneOf, optional, tabId, text, url } from './schema';
import { sessionOf } from './tab';

export const comments = {
  change_comment: message({
    from: 'both',
    payload: fields({ commentId: id, change: fromCore<CommentChange>() }),
    async answer({ comments, outbox }, { commentId, change }, sender) {
      await ownComment(comments, commentId, sender);
      const changed = await comments.change(commentId, change, Date.now());
      void outbox.flush();
      return changed;
    },
  }),

  /** The person has opened the thread of a comment that an agent answered. */
  seen_answer: message({
    from: 'content',
    payload: fields({ commentId: id }),
    async answer({ answered, comments, views }, { commentId }, sender) {
      await ownComment(comments, commentId, sender);
      if (await answered.seen([commentId])) await views.changedOrigin(sender.origin);
      return null;
    },
  }),

  /** What agents answered to them was on the screen in the panel of a tab. */
  seen_answers: message({
    from: 'panel',
    payload: fields({ tabId, commentIds: list(id, MOST_ANSWERED) }),
    async answer({ answered, sessions, views }, { tabId, commentIds }) {
      const isNews = await answered.seen(commentIds);
      const session = await sessions.of(tabId);
      // They wait in every tab of the site.
      if (isNews && session) await views.changedOrigin(session.origin);
      return null;
    },
  }),

  /** Answered with a `data:` URL, or null. */
  get_screenshot: message({
    from: 'panel',
    payload: fields({ commentId: id }),
    async answer({ comments }, { commentId }) {
      return pngUrl(await comments.screenshot(commentId));
    },
  }),

  import_comments: message({
    from: 'panel',
    payload: fields({ tabId, json: text(MOST_CAPTURE) }),
    async answer({ core, comments, sessions, outbox }, { tabId, json }) {
      const session = await sessionOf(sessions, tabId);
      // All comments, not only the origin's: an export may hold comments of several.
      const all = await comments.all();
      const {
        comments: merged,
        imported,
        added,
        updated,
        skipped,
        full,
      } = core.importJson(all, json, Date.now());
      const taken = new Set([...added, ...updated]);
      const [changed, theirs] = [merged, imported].map((list) => list.filter(({ id }) => taken.has(id)));
      if (changed?.length && theirs) await comments.import(changed, theirs, session.id, session.origin);
      void outbox.flush();
      return { added: added.length, updated: updated.length, skipped: skipped.length, full: full.length };
    },
  }),

  export_json: message({
    from: 'panel',
    payload: fields({ tabId, pathname: optional(url) }),
    async answer(app, { tabId, pathname }) {
      return app.core.exportJson(await commentsOf(app, tabId, pathname), Date.now());
    },
  }),

  export_prompt: message({
    from: 'panel',
    payload: fields({
      tabId,
      pathname: optional(url),
      level: oneOf(['brief', 'standard', 'full']),
    }),
    async answer(app, { tabId, pathname, level }) {
      const { core, seenStates } = app;
      const those = await seenStates.over(tabId, await commentsOf(app, tabId, pathname));
      return core.exportPrompt(those, { level, includeResolved: false });
    },
  }),
};

async function commentsOf(
  { comments, sessions, views }: App,
  tabId: number,
  pathname: string | undefined,
): Promise<Comment[]> {
  const { origin } = await sessionOf(sessions, tabId);
  const all = await comments.of(origin);
  if (pathname === undefined) return all;
  // Pages whose addresses differ in what is redacted alone are told apart where they are shown.
  const shown = (await views.stateOf(tabId)).comments.filter((comment) => comment.pathname === pathname);
  const ids = new Set(shown.map(({ id }) => id));
  return all.filter(({ id }) => ids.has(id));
}
