/** A verdict in words for people. Pure. */
import type { VerdictKind } from '../generated/VerdictKind';

/** Below this a pin says that it is not sure. */
export const UNSURE_BELOW = 0.7;

/** How sure a verdict is, to be read after it: `Changed, almost certain`. `confidence`: 0 to 1, how often one so sure is right. */
export function sureness(confidence: number): string {
  if (confidence >= 0.97) return 'certain';
  if (confidence >= 0.9) return 'almost certain';
  if (confidence >= UNSURE_BELOW) return 'probably right';
  if (confidence >= 0.5) return 'not sure';
  return 'a guess';
}

/** The same as a sentence, for a tooltip. */
export function surenessSentence(confidence: number): string {
  const times = Math.round(Math.min(Math.max(confidence, 0), 0.99) * 100);
  return `Verdicts this sure are right about ${times} times in 100.`;
}

export const verdictWord: Record<VerdictKind, string> = {
  unchanged: 'As it was',
  moved: 'Moved',
  changed: 'Changed',
  ambiguous: 'One of several',
  missing: 'Not found',
};
