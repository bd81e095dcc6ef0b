/** What becomes of a waiting item after an answer, and how long it pauses before it is tried again. Pure. */
import type { Answer } from '../generated/Answer';
import type { ErrorCode } from '../generated/ErrorCode';

/**
 * `done`: the hub has it; `wait`: something else must come first, and flushes try again; `retry`: what went wrong may
 * pass, and each pause is longer than the one before; `refused`: the hub will never take it as it is.
 */
export type Fate = 'done' | 'wait' | 'retry' | 'refused';

/** Every code that this version knows has its fate; a new one is a type error here. */
const FATES: Record<ErrorCode, Fate> = {
  no_project: 'wait',
  unknown_session: 'wait',
  storage: 'retry', // read-only or full: the person can mend it, then it goes through
  rate_limited: 'retry',
  internal: 'retry', // a hub that is ill for a minute, however long the minute is
  bad_request: 'refused',
  incompatible: 'refused',
  unknown_comment: 'refused',
  unknown_context: 'refused',
  unknown_verification: 'refused',
  conflict: 'refused',
  too_large: 'refused',
  forbidden: 'refused',
};

/** A code that this version does not know is of a newer hub: nothing is thrown away for a word. */
export function fateOf(answer: Answer): Fate {
  if (answer.type !== 'error') return 'done';
  return Object.hasOwn(FATES, answer.payload.code) ? FATES[answer.payload.code] : 'retry';
}

const FIRST_PAUSE = 1_000;
/** Longest pause between two tries of one item, milliseconds. */
export const LONGEST_PAUSE = 60_000;

/** Milliseconds before the next try, after so many that failed: 1 s, 2 s, 4 s ... 60 s. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE * 2 ** Math.max(0, attempts - 1), LONGEST_PAUSE);
}

/**
 * Whether an item may be tried. A moment that is further away than any pause was made by a clock that has been set back
 * since.
 */
export function isDue(retryAt: number | undefined, now: number): boolean {
  return retryAt === undefined || retryAt <= now || retryAt - now > LONGEST_PAUSE;
}
