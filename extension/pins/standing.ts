/** How a comment stands, in words for people: from its status, its stage and what the last look at the page said. Pure. */
import { stageWord, statusLook } from '../design/status';
import type { Comment } from '../generated/Comment';
import type { FieldChange } from '../generated/FieldChange';
import type { Status } from '../generated/Status';
import type { Target } from '../generated/Target';
import type { VerdictKind } from '../generated/VerdictKind';
import { UNSURE_BELOW } from '../verdict/words';
import type { Excuse } from './excuse';
import type { Sighting } from './sightings';

/**
 * `found`: at its element; `unsure`: at the likeliest of several, or of little likeness; `scrolled`: out of view in a list that
 * draws only what is in view; `looking`: gone just now, which may pass; `gone`: nowhere on the page; `unread`: cannot be looked for.
 */
export type Place = 'found' | 'unsure' | 'scrolled' | 'looking' | 'gone' | 'unread';

export interface TargetStanding {
  place: Place;
  /** Null before the first look. */
  verdict: VerdictKind | null;
  /** 0 to 1; null before the first look. */
  confidence: number | null;
  /** Why it is as it is, a sentence; empty when all is as it was. */
  reason: string;
  diff: readonly FieldChange[];
}

export interface Standing extends TargetStanding {
  status: Status;
  /** `Active`, `Outdated, in progress`. */
  words: string;
  /** One for each target. What stands above is that of the worst, but for the place: the pin stands at what is found. */
  targets: TargetStanding[];
}

/** What standing needs to know of a sighting. */
export type Seen = Pick<Sighting, 'verdict' | 'excuse' | 'unreadable'>;

const BADNESS: Record<Place, number> = { found: 0, unsure: 2, scrolled: 3, looking: 4, unread: 5, gone: 6 };
const PLACE_WORDS: Record<Place, string> = {
  found: '',
  unsure: ', place unsure',
  scrolled: ', scrolled out of view',
  looking: ', looking for it',
  gone: ', not found',
  unread: ', cannot be looked for',
};

/** `held`: what is seen may pass, and nobody has been told. */
export function standingOf(comment: Comment, seen: readonly Seen[], held = false): Standing {
  const targets = comment.targets.map((target, at) => targetStanding(comment, target, seen[at], held));
  const bad = (each: TargetStanding) => BADNESS[each.place] * 2 + (each.verdict === 'changed' ? 1 : 0);
  const worst = targets.reduce((found, each) => (bad(each) > bad(found) ? each : found));
  const place = targets.reduce(
    (best, each) => (BADNESS[each.place] < BADNESS[best] ? each.place : best),
    worst.place,
  );
  const { word } = statusLook[comment.status];
  const stage =
    comment.status !== 'resolved' && comment.stage !== 'open'
      ? `, ${stageWord[comment.stage].toLowerCase()}`
      : '';
  return { ...worst, status: comment.status, words: word + stage + PLACE_WORDS[place], place, targets };
}

function targetStanding(
  comment: Comment,
  target: Target,
  seen: Seen | undefined,
  held: boolean,
): TargetStanding {
  // What this page's own last look said goes before what is stored; both are about the same element.
  const now = seen?.verdict ?? null;
  const { state } = target;
  const verdict = now?.kind ?? state?.verdict ?? null;
  const confidence = now?.confidence ?? state?.confidence ?? null;
  const diff = now?.diff ?? state?.diff ?? [];
  const said = now?.reason ?? state?.reason ?? '';
  const told = { verdict, confidence, diff };
  if (seen?.unreadable) return { ...told, place: 'unread', reason: seen.unreadable };
  if (seen?.excuse) {
    const place = seen.excuse === 'scrolled' ? 'scrolled' : now?.kind === 'missing' ? 'gone' : 'unsure';
    const waits = seen.excuse === 'coming' ? 'looking' : place;
    return { ...told, place: waits, reason: excuseSentence(seen.excuse, comment) };
  }
  if (now?.kind === 'missing') {
    return held
      ? { ...told, place: 'looking', reason: 'It was not found just now. Looking again…' }
      : { ...told, place: 'gone', reason: said };
  }
  if (now?.kind === 'ambiguous') return { ...told, place: 'unsure', reason: said };
  if (now && now.confidence < UNSURE_BELOW) {
    return { ...told, place: 'unsure', reason: `${said} It may be another element.` };
  }
  return { ...told, place: 'found', reason: verdict === 'unchanged' ? '' : said };
}

function excuseSentence(excuse: Excuse, comment: Comment): string {
  switch (excuse) {
    case 'scrolled':
      return 'It is scrolled out of view, and its list draws only what is in view. It comes back when you scroll there.';
    case 'in_part':
      return 'It is not on the page now. Its list draws only a part of itself: it may be further along.';
    case 'elsewhere':
      return `It is not here. The comment was made at ${addressOf(comment.url)}.`;
    case 'coming':
      return 'It is not there yet: the page is still loading.';
  }
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}
