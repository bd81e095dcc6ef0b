/** Comments that come as fresh copies with every state, without drawing those that are the same anew. */
import type { Comment } from '../../generated/Comment';

/**
 * The new list, with the old object for each comment that did not change, so that only what changed is drawn anew:
 * a state arrives as fresh copies of everything.
 */
export function reuseUnchanged(old: readonly Comment[], fresh: readonly Comment[]): Comment[] {
  const known = new Map(old.map((comment) => [comment.id, comment]));
  return fresh.map((comment) => {
    const before = known.get(comment.id);
    const same =
      before?.revision === comment.revision &&
      before.number === comment.number &&
      before.updatedAt === comment.updatedAt &&
      before.status === comment.status &&
      before.deletedAt === comment.deletedAt &&
      before.screenshot === comment.screenshot &&
      before.replies.length === comment.replies.length &&
      sameStates(before, comment);
    return same ? before : comment;
  });
}

function sameStates(a: Comment, b: Comment): boolean {
  return (
    a.targets.length === b.targets.length &&
    a.targets.every((target, index) => target.state?.checkedAt === b.targets[index]?.state?.checkedAt)
  );
}
