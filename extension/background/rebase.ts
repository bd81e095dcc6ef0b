/**
 * What a comment looks like here: the hub's version with everything applied that the hub has not acknowledged yet.
 * A pure rule; the caller stores the result.
 */
import type { Author } from '../generated/Author';
import type { Comment } from '../generated/Comment';
import type { CommentChange } from '../generated/CommentChange';
import type { DurableRequest } from './store';

/** The core's rule for changes; throws an Error with a sentence when the change does not fit. */
export type ApplyChange = (comment: Comment, change: CommentChange, by: Author, at: number) => Comment;

/** The core's rule for a comment and an imported copy of it; throws when they do not fit into one. */
export type MergeComments = (comment: Comment, imported: Comment) => Comment;

export const PERSON: Author = { kind: 'person' };

/**
 * The comment `id` after `pending` (in order) on top of `base`; nothing when neither side knows it. A pending change
 * that does not fit the hub's version is passed over here: the hub will refuse it, and then it becomes a problem
 * with a sentence. An edit made on an older revision is shown all the same until the hub has decided.
 */
export function rebase(
  id: string,
  base: Comment | undefined,
  pending: DurableRequest[],
  apply: ApplyChange,
  merge: MergeComments,
): Comment | undefined {
  let current = base;
  for (const request of pending) {
    switch (request.type) {
      case 'create_comment':
        if (request.payload.comment.id === id) current ??= request.payload.comment;
        break;
      case 'import_comments': {
        const imported = request.payload.comments.find((comment) => comment.id === id);
        if (imported) current = current ? merged(current, imported, merge) : unnumbered(imported);
        break;
      }
      case 'change_comment':
        if (request.payload.commentId === id && current) {
          current = applied(current, request.payload.change, request.payload.at, apply);
        }
        break;
    }
  }
  return current;
}

/** Whether a comment of a file keeps its number is the hub's to say. */
function unnumbered({ number, ...comment }: Comment): Comment {
  return comment;
}

function merged(comment: Comment, imported: Comment, merge: MergeComments): Comment {
  try {
    return merge(comment, imported);
  } catch {
    return comment;
  }
}

function applied(comment: Comment, change: CommentChange, at: number, apply: ApplyChange): Comment {
  const fitting = change.kind === 'edit' ? { ...change, baseRevision: comment.revision } : change;
  try {
    return apply(comment, fitting, PERSON, at);
  } catch {
    return comment;
  }
}

/**
 * Whether the hub's `comment` is what this change makes of `base` here too: then `current`, with that and everything
 * later applied to `base`, stays as it is.
 */
export function isExpected(
  comment: Comment,
  base: Comment | undefined,
  request: DurableRequest,
  apply: ApplyChange,
): boolean {
  if (!base || request.type !== 'change_comment') return false;
  const { change, at } = request.payload;
  return isSame(applied(base, change, at, apply), comment);
}

/**
 * Whether two values that JSON can say are equal. No recursion that a page could deepen: a comment's depth is its
 * type's.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one, other] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...keys].every((key) => isSame(left?.[key], right?.[key]));
}
