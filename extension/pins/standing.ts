/** How a comment stands, in words for people: from its status, its stage and what the last look at the page said. Pure. */
import { stageWord, statusLook } from '../design/status';
import type { Comment } from '../generated/Comment';
import type { FieldChange } from '../generated/FieldChange';
import type { Status } from '../generated/Status';
import type { Verdict } from '../generated/Verdict';
import type { VerdictKind } from '../generated/VerdictKind';

export interface Standing {
  status: Status;
  /** `Active`, `Outdated, in progress`. */
  words: string;
  /** The worst of its targets' verdicts; null before the first look. */
  verdict: VerdictKind | null;
  /** Why the pin is where it is, a sentence; empty when all is as it was. */
  reason: string;
  diff: readonly FieldChange[];
  /** `found`: at its element; `unsure`: at the likeliest of several; `gone`: nowhere on the page. */
  place: 'found' | 'unsure' | 'gone';
}

const BADNESS: Record<VerdictKind, number> = { unchanged: 0, moved: 1, changed: 2, ambiguous: 3, missing: 4 };

export function standingOf(comment: Comment, seen: readonly (Verdict | null)[]): Standing {
  // What this page's own last look said goes before what is stored; both are about the same targets.
  const verdicts = comment.targets.map((target, at) => {
    const verdict = seen[at];
    if (verdict) return { kind: verdict.kind, reason: verdict.reason, diff: verdict.diff };
    const stored = target.state;
    return stored ? { kind: stored.verdict, reason: stored.reason, diff: stored.diff } : null;
  });
  const worst = verdicts.reduce(
    (found, each) => (each && (!found || BADNESS[each.kind] > BADNESS[found.kind]) ? each : found),
    null,
  );
  // The pin stands at the first target that is found; where that is is all that counts.
  const first = seen.find((each) => each !== null && each.kind !== 'missing') ?? seen[0];
  const { word } = statusLook[comment.status];
  const stage =
    comment.status !== 'resolved' && comment.stage !== 'open'
      ? `, ${stageWord[comment.stage].toLowerCase()}`
      : '';
  const place = first?.kind === 'missing' ? 'gone' : first?.kind === 'ambiguous' ? 'unsure' : 'found';
  const where = { gone: ', not found', unsure: ', place unsure', found: '' }[place];
  return {
    status: comment.status,
    words: word + stage + where,
    verdict: worst?.kind ?? null,
    reason: worst && worst.kind !== 'unchanged' ? worst.reason : '',
    diff: worst?.diff ?? [],
    place,
  };
}
