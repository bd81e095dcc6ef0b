/** What a person is told of a change that will never be sent as it is, with the words that would otherwise be lost. Pure. */
import type { Comment } from '../generated/Comment';
import type { ErrorBody } from '../generated/ErrorBody';
import type { OutboxItem } from './store';

/** What the host did not take of an import that it took. */
export function leftOut(count: number, of: number): string {
  const [those, is] = count === 1 ? ['1', 'stays as it was'] : [count, 'stay as they were'];
  return `${those} of ${of} imported comments ${is} on the host: it can’t read what it has, or the comment would hold more than one can. Run \`opentoolbar status\` to see what can’t be read.`;
}

/** A sentence; nothing for what no person wrote. */
export function refusal(
  { request }: OutboxItem,
  { code, message, nextStep }: ErrorBody,
  theirs: Comment | undefined,
  ours: Comment | undefined,
): string | undefined {
  const why = `${message}. ${nextStep}`;
  if (request.type === 'import_comments')
    return `An import of ${request.payload.comments.length} comments was refused: ${why}`;
  if (request.type === 'create_comment') {
    return `The comment “${request.payload.comment.text}” was not taken by the hub and stays in this browser: ${why}`;
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
        : `Your edit “${change.text}” was not saved: ${why}`;
    }
    case 'reply':
      return `Your reply “${change.text}” was not sent: ${why}`;
    default:
      return `“${change.kind.replace('_', ' ')}” of the comment “${ours?.text ?? request.payload.commentId}” was refused: ${why}`;
  }
}
