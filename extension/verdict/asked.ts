/**
 * Whether what differs is what was asked for: it came of the source while an agent worked on the comment. Such a
 * comment is a question to the person, not a warning. Pure.
 */
import { askedLook, type StatusLook, statusLook } from '../design/status';
import type { Comment } from '../generated/Comment';
import type { Stage } from '../generated/Stage';
import type { Status } from '../generated/Status';

/** What the core writes into a comment's history; at the beginning of a step. */
const LOOKED = ['became outdated', 'its elements were looked at again'];
const BEGAN = ['set to in progress', 'ready for review'];
const ENDED = ['set to open', 'reopened'];

export function isAsked(comment: Pick<Comment, 'status' | 'stage' | 'history'>): boolean {
  if (comment.status !== 'outdated') return false;
  let looked = false;
  let takenBack = 0;
  // An open comment asks only if it is open because its agent ended.
  let isLeft = comment.stage !== 'open';
  // What a file says of others' agents is no work of those here.
  const history = comment.history.filter(({ importedAt }) => importedAt === undefined);
  for (const { what, by } of [...history].reverse()) {
    const isOneOf = (steps: readonly string[]) => steps.some((step) => what.startsWith(step));
    if (isOneOf(LOOKED)) looked = true;
    else if (isOneOf(BEGAN) && looked && isLeft) return true;
    // A person begins no work: they took back that they had given it back, and all is as before that.
    else if (isOneOf(BEGAN) && by.kind === 'person') takenBack += 1;
    else if (isOneOf(ENDED) && takenBack > 0) takenBack -= 1;
    // An agent that ends says nothing of its change. What changed after that is not of its work, nor is what changed
    // before the work of the next one began.
    else if (isOneOf(ENDED) && by.kind === 'agent' && !looked) isLeft = true;
    else if (isOneOf(ENDED)) return false;
  }
  // A long history is kept in part: what is not there any more was long ago.
  return looked && isLeft && !history.some(({ what }) => BEGAN.some((step) => what.startsWith(step)));
}

/** The status as people see it: a change that may be what was asked for waits like any other work. */
export function shownStatus(comment: Pick<Comment, 'status' | 'stage' | 'history'>): Status {
  return isAsked(comment) ? 'active' : comment.status;
}

/** How a comment looks in pins and panel. */
export function lookOf(comment: Pick<Comment, 'status' | 'stage' | 'history' | 'targets'>): StatusLook {
  if (!isAsked(comment)) return statusLook[comment.status];
  const isGone = comment.targets.every(({ state }) => state?.verdict === 'missing');
  return isGone ? { ...askedLook, word: 'Gone, as asked?' } : askedLook;
}

/** What the person is told beside the question. `isGone`: none of its elements is on the page any more. */
export function askedHint(stage: Stage, isGone: boolean): string {
  if (isGone) return 'If it was to go, resolve the comment.';
  return hints[stage];
}

const hints: Record<Stage, string> = {
  open: 'The agent has ended or gave it back, and did not say that it is ready.',
  in_progress: 'An agent is working on it.',
  review: 'The agent says that it is ready.',
};
