/**
 * How a comment stands, in words for people: from its status, its stage and what the last look at the page said. Pure.
 */
import { askedLook, stageWord, statusLook } from '../../design/status';
import type { Cause } from '../../generated/Cause';
import type { Comment } from '../../generated/Comment';
import type { FieldChange } from '../../generated/FieldChange';
import type { Status } from '../../generated/Status';
import type { Target } from '../../generated/Target';
import type { VerdictKind } from '../../generated/VerdictKind';
import { isAsked } from '../../verdict/asked';
import { causeOf, causeSentence, differs } from '../../verdict/cause';
import { UNSURE_BELOW } from '../../verdict/words';
import type { Excuse, Sighting } from './sighting';

/**
 * `found`: at its element; `unsure`: at the likeliest of several, or of little likeness; `scrolled`: out of view in a
 * list that draws only what is in view; `looking`: gone just now, which may pass; `away`: what it stands in is not
 * shown, or not at this address; `gone`: nowhere on the page; `unread`: cannot be looked for.
 */
export type Place = 'found' | 'unsure' | 'scrolled' | 'looking' | 'away' | 'gone' | 'unread';

export interface TargetStanding {
  place: Place;
  /** Null before the first look. */
  verdict: VerdictKind | null;
  /** 0 to 1; null before the first look. */
  confidence: number | null;
  /** Why it is as it is, a sentence; empty when all is as it was. */
  reason: string;
  diff: readonly FieldChange[];
  /** What the difference comes from; null where nothing differs. */
  cause: Cause | null;
  /** `in a closed dialog`: what hides it, where it is `away` and that is known; else empty. */
  hiddenIn: string;
}

export interface Standing extends TargetStanding {
  status: Status;
  /** `Active`, `Outdated, in progress`, `Changed, as asked? In progress`. */
  words: string;
  /** The same without the stage where that is asked: what is beside the question says how far the work is. */
  title: string;
  /** What differs came while an agent worked on the comment. */
  isAsked: boolean;
  /**
   * One for each target. What stands above is that of the worst, but for the place: the pin stands at what is found.
   */
  targets: TargetStanding[];
}

/** What standing needs to know of a sighting. */
export type Seen = Pick<Sighting, 'verdict' | 'excuse' | 'unreadable'> & {
  /** What its difference comes from; absent: of the source. */
  cause?: Cause | null;
  /** Whether what it stands in is shown; absent: it is. */
  inView?: boolean;
  /** Whether the source changed since it was last seen; absent: not as far as is known. */
  sourceChanged?: boolean;
};

const BADNESS: Record<Place, number> = {
  found: 0,
  unsure: 2,
  scrolled: 3,
  looking: 4,
  away: 5,
  unread: 6,
  gone: 7,
};
const PLACE_WORDS: Record<Place, string> = {
  found: '',
  unsure: ', place unsure',
  scrolled: ', scrolled out of view',
  looking: ', looking for it',
  away: ', not shown here',
  gone: ', not found',
  unread: ', cannot be looked for',
};

/** `held`: what is seen may pass, and nobody has been told. */
export function standingOf(comment: Comment, seen: readonly Seen[], held = false): Standing {
  const targets = comment.targets.map((target, at) => targetStanding(comment, target, seen[at], held));
  // Of two at like places the one that says more of the source.
  const bad = ({ place, verdict, cause }: TargetStanding) =>
    BADNESS[place] * 4 + (cause === null || verdict !== 'changed' ? 0 : SERIOUSNESS[cause]);
  const worst = targets.reduce((found, each) => (bad(each) > bad(found) ? each : found));
  const place = targets.reduce(
    (best, each) => (BADNESS[each.place] < BADNESS[best] ? each.place : best),
    worst.place,
  );
  const asked = isAsked(comment);
  const words = asked ? askedWords(comment, targets, place) : statusWords(comment, targets, place);
  const title = asked ? question(targets, place) : words;
  return { ...worst, status: comment.status, words, title, isAsked: asked, place, targets };
}

const SERIOUSNESS: Record<Cause, number> = { state: 1, unknown: 2, source: 3 };

function statusWords(comment: Comment, targets: readonly TargetStanding[], place: Place): string {
  const { word } = statusLook[comment.status];
  const stage =
    comment.status !== 'resolved' && comment.stage !== 'open'
      ? `, ${stageWord[comment.stage].toLowerCase()}`
      : '';
  const may = comment.status === 'active' && targets.some(({ cause }) => cause === 'unknown');
  return word + stage + (may ? ', may have changed' : '') + PLACE_WORDS[place];
}

function askedWords(comment: Comment, targets: readonly TargetStanding[], place: Place): string {
  const asked = question(targets, place);
  return `${asked} ${stageWord[comment.stage]}${asked === GONE ? '' : PLACE_WORDS[place]}`;
}

const GONE = 'Gone, as asked?';

function question(targets: readonly TargetStanding[], place: Place): string {
  return place === 'gone' && targets.every(({ verdict }) => verdict === 'missing') ? GONE : askedLook.word;
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
  const stored = state && differs(state.verdict) ? causeOf(state) : null;
  // That its source changed is known from a look that had evidence of it; a page in another state takes nothing back.
  if (now && !differs(now.kind) && seen?.cause === 'state' && stored === 'source' && state) {
    const { verdict: told, confidence: sure } = state;
    const reason = `${state.reason} In this tab it looks as it did, but no edit was seen that takes that back.`;
    const { diff } = state;
    return { place: 'found', verdict: told, confidence: sure, diff, reason, cause: 'source', hiddenIn: '' };
  }
  const seenCause = now ? (differs(now.kind) ? (seen?.cause ?? 'source') : null) : stored;
  const cause = seenCause === 'state' && stored === 'source' ? 'source' : seenCause;
  const told = { verdict, confidence, diff, cause, hiddenIn: '' };
  if (seen?.unreadable) return { ...told, place: 'unread', reason: seen.unreadable };
  if (seen?.excuse) {
    return {
      ...told,
      place: excusedPlace(seen.excuse, now?.kind),
      reason: excuseSentence(seen.excuse, comment),
    };
  }
  if (now?.kind === 'missing' && held) {
    return { ...told, place: 'looking', reason: 'It was not found just now. Looking again…' };
  }
  // An edit took it out, as a look with evidence saw: a page without any knows no better.
  if (
    now?.kind === 'missing' &&
    seenCause === 'state' &&
    state?.verdict === 'missing' &&
    stored === 'source'
  ) {
    return { ...told, place: 'gone', reason: state.reason };
  }
  if (now && (seen?.inView === false || (now.kind === 'missing' && cause === 'state'))) {
    const hiddenIn = hidingPart(target);
    return { ...told, place: 'away', hiddenIn, reason: awaySentence(hiddenIn, seen?.sourceChanged === true) };
  }
  const reason = cause === null ? said : causeSentence(said, cause);
  if (now?.kind === 'missing') return { ...told, place: 'gone', reason };
  if (now?.kind === 'ambiguous') return { ...told, place: 'unsure', reason };
  if (now && now.confidence < UNSURE_BELOW) {
    return { ...told, place: 'unsure', reason: `${reason} It may be another element.` };
  }
  return { ...told, place: 'found', reason: verdict === 'unchanged' ? '' : reason };
}

/**
 * Tags, and the element's own roles, of what is shown and hidden as a whole, as people call them. Of what is above only
 * tags are kept.
 */
const HIDES: Record<string, string> = {
  dialog: 'dialog',
  alertdialog: 'dialog',
  details: 'section',
  menu: 'menu',
  listbox: 'list',
  tabpanel: 'tab',
};

function hidingPart({ snapshot: { role, tag, attributes, ancestors } }: Target): string {
  const own = HIDES[role ?? tag] ?? ('popover' in attributes ? 'popover' : undefined);
  const part = own ?? ancestors.map(({ tag }) => HIDES[tag]).find((name) => name !== undefined);
  return part === undefined ? '' : `in a closed ${part}`;
}

function awaySentence(hiddenIn: string, sourceChanged: boolean): string {
  const words =
    hiddenIn === '' ? 'It is not in view: its dialog, tab or step may be closed' : `It is ${hiddenIn}`;
  return sourceChanged ? `${words}, or an edit took it out.` : `${words}.`;
}

/** What is not found for a reason is not shown: how sure it is that it is not there says nothing. */
function excusedPlace(excuse: Excuse, kind: VerdictKind | undefined): Place {
  if (excuse === 'scrolled') return 'scrolled';
  if (excuse === 'coming') return 'looking';
  return kind === 'missing' ? 'away' : 'unsure';
}

function excuseSentence(excuse: Excuse, comment: Comment): string {
  switch (excuse) {
    case 'scrolled':
      return 'It is scrolled out of view, and its list draws only what is in view. It comes back when you scroll there.';
    case 'in_part':
      return 'It is not on the page now. Its list draws only a part of itself: it may be further along.';
    case 'elsewhere':
      return `It is not shown here. The comment was made at ${addressOf(comment.url)}.`;
    case 'coming':
      return 'It is not there yet: the page is still loading.';
  }
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}
