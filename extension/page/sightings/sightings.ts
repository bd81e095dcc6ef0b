/**
 * Where the elements of comments are now: weak references, what the cheap check compares with, and what the core found.
 * Decides whether another look is due. Knows no drawing and no messaging.
 */
import { contains } from '../../capture/dom';
import { isAttached, isElement } from '../../capture/tree';
import type { Comment } from '../../generated/Comment';
import type { Verdict } from '../../generated/Verdict';
import type { Finding, Found } from '../../state/looking';
import { UNSURE_BELOW } from '../../verdict/words';
import { leadsTo, leadsToHowMany } from './address';
import { cheapHash } from './hash';
import { liveElement, type Sighting } from './sighting';
import { sameSpot, whereaboutsOf } from './whereabouts';

interface Entry {
  anchors: string;
  targets: Sighting[];
  /** Something inside changed that the hash may not see. */
  touched: boolean;
}

/** Time for searching the page whether selectors still lead to one element, at each check, milliseconds. */
const SEARCH_MS = 1;

export class Sightings {
  private readonly known = new Map<string, Entry>();
  /** Which comment's selectors are searched for next: not all at every check. */
  private turn = 0;
  private readonly held = new Set<string>();
  private readonly onAdopt: () => void;

  /** `onAdopt`: a person pinned a comment to what is there now. */
  constructor(onAdopt: () => void = () => {}) {
    this.onAdopt = onAdopt;
  }

  of(commentId: string): readonly Sighting[] {
    return this.known.get(commentId)?.targets ?? [];
  }

  /** The live elements of a comment, in the order of its targets; null where one is not found. */
  elements(commentId: string): (Element | null)[] {
    return this.of(commentId).map((sighting) => liveElement(sighting));
  }

  /**
   * The nodes that were found for sure, by their indexes in a capture: a list for each of the comments, one for each of
   * its targets. 0: it is no part of the page any more; null: there is none, it is of what the comment was pinned to
   * before, or the capture leaves it out.
   */
  nodesOf(comments: readonly Comment[], captured: readonly Node[]): (number | null)[][] {
    const nodes = comments.map((comment) =>
      (this.current(comment)?.targets ?? []).map(({ node }) => node && (node.deref() ?? 'gone')),
    );
    const indexes = new Map<unknown, number>();
    const wanted = new Set<unknown>(nodes.flat());
    for (const [at, node] of captured.entries()) if (wanted.has(node)) indexes.set(node, at);
    const indexOf = (node: Element | 'gone' | null) => {
      if (node === null) return null;
      const isGone = node === 'gone' || !isAttached(node);
      return indexes.get(node) ?? (isGone ? 0 : null);
    };
    return nodes.map((each) => each.map(indexOf));
  }

  /** What is known of the comment's targets; nothing once it is pinned to others, by Undo or in another window. */
  private current(comment: Comment): Entry | undefined {
    const entry = this.known.get(comment.id);
    return entry?.anchors === anchorsOf(comment) ? entry : undefined;
  }

  /** What is seen of this comment is not told yet: it may pass. */
  isHeld(commentId: string): boolean {
    return this.held.has(commentId);
  }

  hold(commentId: string, held: boolean): void {
    if (held) this.held.add(commentId);
    else this.held.delete(commentId);
  }

  /** Keeps what is known of these comments and drops the rest: their elements belonged to another route. */
  keepOnly(comments: readonly Comment[]): void {
    const ids = new Set(comments.map((comment) => comment.id));
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
  }

  /** The elements are known for certain: the person has just picked them. */
  adopt(comment: Comment, elements: readonly (Element | null)[]): void {
    const before = this.known.get(comment.id);
    const pinned = before?.anchors.split(' ');
    // One that was pinned to another element meanwhile, in another window, is known no more.
    const stays = (anchor: string, at: number) => (pinned?.[at] === anchor ? before?.targets[at] : undefined);
    this.known.set(comment.id, {
      anchors: anchorsOf(comment),
      targets: comment.targets.map((target, at) => {
        const element = elements[at];
        return element
          ? seen(target.selector, element, null)
          : (stays(target.anchor, at) ?? unseen(target.selector, null));
      }),
      touched: false,
    });
    this.onAdopt();
  }

  /**
   * Takes what the core found on a captured page; returns whether it is news. `due`: the cheap check of this comment
   * had failed. Where it had not, the element is where it was for certain, and what the core makes of it counts only if
   * it is about that element. What is compared later is measured now; `changed` tells whether that is still what was
   * captured, else the comment stays due.
   */
  take(
    comment: Comment,
    findings: readonly Finding[],
    nodes: readonly Node[],
    due: boolean,
    changed: (element: Element) => boolean = () => false,
  ): boolean {
    const current = this.current(comment);
    const targets = comment.targets.map((target, at): Sighting => {
      const finding = findings[at];
      const before = current?.targets[at];
      if (!finding || 'unreadable' in finding) {
        return { ...unseen(target.selector, null), unreadable: finding?.unreadable ?? '' };
      }
      const { verdict } = finding;
      const element = elementOf(nodes, verdict.node);
      const known = before ? liveElement(before) : null;
      if (before && known && !due && known !== element) return before;
      const candidates = verdict.candidates.flatMap((node) => {
        const candidate = elementOf(nodes, node);
        return candidate ? [new WeakRef(candidate)] : [];
      });
      const likeliest = verdict.kind === 'ambiguous' ? (candidates[0]?.deref() ?? null) : null;
      const shown = element ?? likeliest;
      const node = nodeOf(element, finding, before);
      if (!shown) {
        // Where it was is remembered: that may say why it is not there.
        const whereabouts = before?.whereabouts ?? null;
        return { ...unseen(target.selector, finding), candidates, node, whereabouts };
      }
      const sighting = { ...seen(target.selector, shown, finding), candidates, node };
      if (!sure(verdict, sighting, before)) sighting.whereabouts = before?.whereabouts ?? null;
      return sighting;
    });
    const touched = targets.some((target) => {
      const element = liveElement(target);
      return element !== null && changed(element);
    });
    this.known.set(comment.id, { anchors: anchorsOf(comment), targets, touched });
    return current === undefined || targets.some((target, at) => differs(target, current.targets[at]));
  }

  /** The source has changed: all are looked at again, though they look the same. */
  touchAll(): void {
    for (const entry of this.known.values()) entry.touched = true;
  }

  /**
   * Whether the core should look for this comment: never seen, pinned anew, gone, different, or no longer what its
   * selector leads to. `pageChanged`: elements that were not found may have come.
   */
  isDue(comment: Comment, pageChanged: boolean): boolean {
    const entry = this.current(comment);
    if (!entry || entry.touched) return true;
    return entry.targets.some((sighting, at) => {
      if (sighting.unreadable) return false;
      const kind = sighting.verdict?.kind;
      if (kind === 'ambiguous' || kind === 'missing') return pageChanged;
      const element = liveElement(sighting);
      if (!element || cheapHash(element).hash !== sighting.hash) return true;
      return leadsTo(comment.targets[at]?.selector ?? '', element) !== sighting.leads;
    });
  }

  /**
   * Those of these comments whose selectors lead to another number of elements than at the last look. Searches the page
   * for a bounded time, and goes on with the others at the next call.
   */
  misled(comments: readonly Comment[], now: () => number): Comment[] {
    const end = now() + SEARCH_MS;
    const found: Comment[] = [];
    for (let tries = 0; tries < comments.length && now() < end; tries++) {
      const comment = comments[this.turn++ % comments.length];
      const targets = comment ? this.of(comment.id) : [];
      const other = targets.some(({ count: before }, at) => {
        const count = leadsToHowMany(comment?.targets[at]?.selector ?? '');
        return count !== null && before !== null && count !== before;
      });
      if (comment && other) found.push(comment);
    }
    return found;
  }

  /** Something changed inside these nodes: elements whose text the hash does not see as a whole may be other ones. */
  touch(nodes: readonly Node[]): void {
    for (const entry of this.known.values()) {
      entry.touched ||= entry.targets.some((sighting) => {
        const element = sighting.whole ? null : sighting.element?.deref();
        return element !== null && element !== undefined && nodes.some((node) => contains(element, node));
      });
    }
  }

  /** The element is as it is known and stands there now. */
  measure(commentId: string): void {
    for (const sighting of this.of(commentId)) {
      const element = liveElement(sighting);
      if (element && !/ambiguous|missing/.test(sighting.verdict?.kind ?? ''))
        sighting.whereabouts = whereaboutsOf(element, sighting.whereabouts) ?? sighting.whereabouts;
    }
  }
}

/** The node to be held after a look. An edit may make another thing of a node, so one of before an edit is let go. */
function nodeOf(
  element: Element | null,
  { verdict, evidence }: Found,
  before: Sighting | undefined,
): WeakRef<Element> | null {
  if (element && verdict.confidence >= UNSURE_BELOW) return new WeakRef(element);
  return evidence === 'none' ? (before?.node ?? null) : null;
}

/** What is found where the element was before, or is the same wherever it stands. */
function sure(verdict: Verdict, now: Sighting, before: Sighting | undefined): boolean {
  if (verdict.kind === 'unchanged' || verdict.kind === 'moved') return true;
  if (verdict.kind !== 'changed') return false;
  return !before?.whereabouts || !now.whereabouts || sameSpot(before.whereabouts, now.whereabouts);
}

/** Of one that nobody has looked for, because it was just pointed at, there is nothing to say. */
function judgedBy(
  found: Found | null,
): Pick<Sighting, 'verdict' | 'counts' | 'cause' | 'inView' | 'sourceChanged'> {
  if (!found) return { verdict: null, counts: false, cause: null, inView: true, sourceChanged: false };
  const { verdict, counts, cause, inView, evidence } = found;
  const sourceChanged = evidence === 'hot' || evidence === 'loaded';
  return { verdict, counts, cause, inView, sourceChanged };
}

function seen(selector: string, element: Element, found: Found | null): Sighting {
  return {
    element: new WeakRef(element),
    node: new WeakRef(element),
    ...cheapHash(element),
    leads: leadsTo(selector, element),
    count: leadsToHowMany(selector),
    ...judgedBy(found),
    candidates: [],
    unreadable: '',
    whereabouts: whereaboutsOf(element),
    excuse: null,
  };
}

function unseen(selector: string, found: Found | null): Sighting {
  return {
    element: null,
    node: null,
    hash: 0,
    whole: true,
    leads: false,
    count: leadsToHowMany(selector),
    ...judgedBy(found),
    candidates: [],
    unreadable: '',
    whereabouts: null,
    excuse: null,
  };
}

/**
 * Whether a look told something new: another verdict, or a difference in something else. Not that nodes were replaced,
 * nor that a text that differed anyway is another one still.
 */
function differs(now: Sighting, before: Sighting | undefined): boolean {
  return before === undefined || said(now) !== said(before);
}

function said({ verdict, cause, inView, sourceChanged, unreadable, candidates }: Sighting): string {
  return JSON.stringify([
    verdict?.kind,
    cause,
    // What is not in view is told with what may have become of it.
    !inView && sourceChanged,
    verdict?.diff.map(({ field }) => field),
    unreadable,
    candidates.length,
  ]);
}

function elementOf(nodes: readonly Node[], index: number | undefined): Element | null {
  const node = nodes[index ?? -1];
  return isElement(node) ? node : null;
}

function anchorsOf(comment: Comment): string {
  return comment.targets.map((target) => target.anchor).join(' ');
}
