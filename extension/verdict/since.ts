/**
 * Whether an agent did something to a comment after a person's step: taking that step back would take back the agent's
 * too. Pure.
 */
import { authorName } from '../design/author';
import type { Comment } from '../generated/Comment';
import type { HistoryEntry } from '../generated/HistoryEntry';

/** A comment as a step left it. */
export type Left = Pick<Comment, 'id' | 'revision'>;

/**
 * The latest that an agent did to it since, among the comments of now; undefined: nothing. What the page reports is a
 * person's, and no reason to refuse.
 */
export function agentStepSince(
  comments: readonly Comment[],
  { id, revision }: Left,
): HistoryEntry | undefined {
  const now = comments.find((comment) => comment.id === id);
  return now?.history.findLast((entry) => entry.revision > revision && entry.by.kind === 'agent');
}

/** Why a step on a comment is not taken back, a sentence. `name`: `comment 1`. */
export function refusal(name: string, { by, importedAt }: HistoryEntry): string {
  return `Not undone: ${authorName(by, importedAt)} has changed ${name} since.`;
}
