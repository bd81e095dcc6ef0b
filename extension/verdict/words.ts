/** A verdict in words for people. Pure. */
import type { Cause } from '../generated/Cause';
import type { VerdictKind } from '../generated/VerdictKind';

/** Below this a pin says that it is not sure. */
export const UNSURE_BELOW = 0.7;

/** 0 to 99: nothing is certain. */
function percent(confidence: number): number {
  return Math.round(Math.min(Math.max(confidence, 0), 0.99) * 100);
}

/** How sure a verdict is: `Changed (95 % sure)`. `confidence`: 0 to 1, how often one so sure is right. */
export function sureness(confidence: number): string {
  return `${percent(confidence)} % sure`;
}

/**
 * A verdict and how sure it is, behind its reason, which says of what changed that it did: `99 % sure`,
 * `Not found (97 % sure)`.
 */
export function verdictWords(verdict: VerdictKind, confidence: number): string {
  const sure = sureness(confidence);
  return verdict === 'changed' ? sure : `${verdictWord[verdict]} (${sure})`;
}

/** What that means, for a tooltip. */
export function surenessSentence(confidence: number): string {
  return `When it says ${sureness(confidence)}, it is right about ${percent(confidence)} times in 100.`;
}

/**
 * Whether a verdict and its sureness are told beside the reason. "Changed" would contradict a reason that says that it
 * may have, or that the source has not, and repeat what asks whether that is as asked.
 */
export function saysSureness(cause: Cause | null, isAsked: boolean): boolean {
  return cause === null || (cause === 'source' && !isAsked);
}

const verdictWord: Record<VerdictKind, string> = {
  unchanged: 'As it was',
  moved: 'Moved',
  changed: 'Changed',
  ambiguous: 'One of several',
  missing: 'Not found',
};
