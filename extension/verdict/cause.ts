/** What a difference comes from, in words for people. Pure. */
import type { Cause } from '../generated/Cause';
import type { Comment } from '../generated/Comment';
import type { TargetState } from '../generated/TargetState';
import type { VerdictKind } from '../generated/VerdictKind';

const OUTDATING: ReadonlySet<VerdictKind> = new Set(['changed', 'ambiguous', 'missing']);

/** Whether a verdict is one that outdates a comment, given that the source changed. */
export function differs(verdict: VerdictKind | null): boolean {
  return verdict !== null && OUTDATING.has(verdict);
}

/** What was stored by a version that knew no causes came of the source. */
export function causeOf(state: TargetState): Cause {
  return state.cause ?? 'source';
}

/** Whether a look that is stored found a difference of which nothing tells whether it is one of the source. */
export function mayHaveChanged({ status, targets }: Pick<Comment, 'status' | 'targets'>): boolean {
  return (
    status === 'active' &&
    targets.some(({ state }) => state && differs(state.verdict) && causeOf(state) === 'unknown')
  );
}

/** `reason`: a sentence of the core, such as `Its text changed.` */
export function causeSentence(reason: string, cause: Cause): string {
  if (cause === 'state') return `Looks different now: ${continued(reason)} No change of the source was seen.`;
  if (cause === 'unknown')
    return `May have changed: ${continued(reason)} Nothing tells whether the source did.`;
  return reason;
}

function continued(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
