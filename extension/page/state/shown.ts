/** Which comments have a pin on the page. Pure: the caller tells the time. */
import type { Comment } from '../../generated/Comment';

/** A resolved comment keeps its pin for a day, so that a person sees what was done; after that the panel has it. */
export const RESOLVED_SHOWN_MS = 24 * 60 * 60 * 1_000;

/** `now`: milliseconds since the epoch. */
export function hasPin(comment: Comment, now: number): boolean {
  if (comment.deletedAt !== undefined) return false;
  return (
    comment.status !== 'resolved' || now - (comment.resolution?.at ?? comment.updatedAt) < RESOLVED_SHOWN_MS
  );
}
