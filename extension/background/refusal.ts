/**
 * What a person is told of a change that will never be sent as it is, with the words that would otherwise be lost.
 * Pure.
 */
import type { Comment } from '../generated/Comment';
import type { ErrorBody } from '../generated/ErrorBody';
import type { OutboxItem } from './store';

/** What the host did not take of an import that it took. */
export function leftOut(count: number, of: number): string {
  const [those, is] = count === 1 ? ['1', 'stays as it was'] : [count, 'stay as they were'];
  return `${those} of ${of} imported comments ${is} on the host: it can’t read what it has, or the comment would hold more than one can. Run \`opentoolbar status\` to see what can’t be read.`;
}

/** Which comments of an import the host called otherwise than the file. */
export function renumbered(count: number, of: number): string {
  const [have, taken] = count === 1 ? ['has a new number', 'its own is'] : ['have new numbers', 'theirs are'];
  return `${count} of ${of} imported comments ${have}: ${taken} taken by other comments of this project.`;
}

/** A sentence; nothing for what no person wrote. */
export function refusal(
  { request }: OutboxItem,
  { code, message, nextStep }: ErrorBody,
  theirs: Comment | undefined,
  ours: Comment | undefined,
): string | undefined {
  // What the hub says of ids is for agents: no person chose one.
  const isGone = code === 'unknown_comment';
  const why = isGone ? 'the project no longer has this comment.' : `${message}. ${nextStep}`;
  const again = isGone ? ' Copy your words and write a new one, or discard them.' : '';
  if (request.type === 'import_comments')
    return `An import of ${request.payload.comments.length} comments was refused: ${why}`;
  if (request.type === 'create_comment') {
    return `The comment “${request.payload.comment.text}” was refused by the host and stays in this browser: ${why}`;
  }
  // A refused message stands in its conversation.
  if (request.type !== 'change_comment') return undefined;
  const { change } = request.payload;
  switch (change.kind) {
    case 'report_states':
      return undefined; // the next look at the page says it again
    case 'edit': {
      const now = theirs?.text ?? ours?.text;
      return code === 'conflict' && now !== undefined
        ? `Your edit “${change.text}” was not saved, because the comment was changed elsewhere meanwhile and now says “${now}”. Edit it again to replace that.`
        : `Your edit “${change.text}” was not saved: ${why}${again}`;
    }
    case 'reply':
      return `Your reply “${change.text}” was not sent: ${why}${again}`;
    default:
      return `“${change.kind.replace('_', ' ')}” of the comment “${ours?.text ?? request.payload.commentId}” was refused: ${why}`;
  }
}
