/** What a screen reader is told when comments change by someone else's hand. Pure. */

import { authorName } from '../../design/author';
import { commentName, commentTitle } from '../../design/comment-name';
import { stageWord } from '../../design/status';
import type { Comment } from '../../generated/Comment';
import { isAsked, lookOf } from '../../verdict/asked';

function newsOf(before: Comment | undefined, after: Comment): string | undefined {
  const name = commentTitle(after);
  if (before === undefined) {
    if (after.deletedAt !== undefined) return undefined;
    return after.number === undefined ? 'New comment.' : `New ${commentName(after)}.`;
  }
  if (before === after) return undefined;
  if (before.deletedAt === undefined && after.deletedAt !== undefined) return `${name} deleted.`;
  if (before.deletedAt !== undefined && after.deletedAt === undefined) return `${name} restored.`;
  if (after.deletedAt !== undefined) return undefined;
  if (before.status !== after.status) {
    const { resolution } = after;
    const by = resolution ? ` by ${authorName(resolution.by, resolution.importedAt)}` : '';
    // A question ends as one.
    return `${name}: ${lookOf(after).word.toLowerCase()}${by}${isAsked(after) ? '' : '.'}`;
  }
  const reply = after.replies.at(-1);
  if (reply && after.replies.length > before.replies.length)
    return `${name}: reply from ${authorName(reply.author, reply.importedAt)}.`;
  if (before.stage !== after.stage) return `${name}: ${stageWord[after.stage].toLowerCase()}.`;
  return undefined;
}

/** One short text; more than three changes at once are only counted. Empty when there is nothing to tell. */
export function news(before: readonly Comment[], after: readonly Comment[]): string {
  const known = new Map(before.map((comment) => [comment.id, comment]));
  const sentences = after.flatMap((comment) => newsOf(known.get(comment.id), comment) ?? []);
  return sentences.length > 3 ? `${sentences.length} comments changed.` : sentences.join(' ');
}
