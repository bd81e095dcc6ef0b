/**
 * Questions about a captured page: describe elements, and find the elements of comments again. The page is decoded
 * once for each question and freed at its end; nothing of it is kept.
 */
import type { Comment } from '../generated/Comment';
import type { FieldChange } from '../generated/FieldChange';
import type { FoundIn } from '../generated/FoundIn';
import type { FoundWord } from '../generated/FoundWord';
import type { Judged } from '../generated/Judged';
import type { ProbeFacts } from '../generated/ProbeFacts';
import type { SourceQuery } from '../generated/SourceQuery';
import type { Target } from '../generated/Target';
import type { TargetState } from '../generated/TargetState';
import type { Varied } from '../generated/Varied';
import type { Finding, PageSource, SightingReport } from '../state/looking';
import { differs } from '../verdict/cause';
import type { Core, PackedCapture, Page, Sought } from './core';
import { type Due, dueOf, type FilesWord } from './due';
import type { KeptAnchors } from './kept-anchors';
import type { Proposal } from './looks';
import type { LookedAt, StoredLook } from './store';

/** Snapshot, selector and anchor of each node. Throws an Error that says which node is wrong and why. */
export function describe(
  core: Core,
  capture: PackedCapture,
  nodes: number[],
  probes: (ProbeFacts | null)[],
): Target[] {
  const page = core.Page.decode(capture);
  try {
    return nodes.map((node, index) => page.target(node, probes[index] ?? undefined));
  } finally {
    page.free();
  }
}

/** What is known of the comments beside what they say themselves. */
export interface Known {
  anchors: KeptAnchors;
  page: PageSource;
  /** The nodes that the page holds, as `judge` says them: a list for each comment, by its place. */
  held: readonly (readonly (number | null)[])[];
  /** What the hub said of the project's files. */
  words: readonly FilesWord[];
  /** What this tab last saw, by comment. */
  looks: ReadonlyMap<string, StoredLook>;
  /** Where words stand in the project's files, one list for each query; nothing when that cannot be told. */
  find: (queries: SourceQuery[]) => Promise<FoundIn[][] | undefined>;
}

interface Asked {
  target: Target;
  held: number | null;
  look: string | undefined;
  due: Due;
}

/**
 * All in one pass, so that no two comments are given the same element. One list for each comment, one finding for each
 * of its targets; an anchor that cannot be read is a finding of its own and keeps no other from being found. And what
 * is seen of each, to be kept once it has come to rest.
 */
export async function judge(
  core: Core,
  capture: PackedCapture,
  comments: readonly Comment[],
  { anchors, page: source, held, words, looks, find }: Known,
): Promise<{ findings: Finding[][]; seen: Map<string, Proposal> }> {
  const asked = comments.flatMap((comment, place) =>
    comment.targets.map((target, at): Asked => {
      const due = dueOf(comment, at, source, words, looks.get(comment.id));
      // One that was pinned on this very page was seen as its anchor has it, under the source that the page has had
      // since.
      const look = due.before ? due.before.look : due.isPinnedHere ? target.anchor : undefined;
      return { target, held: held[place]?.[at] ?? null, look, due };
    }),
  );
  const page = core.Page.decode(capture);
  try {
    let answers = judgeAll(page, asked, anchors);
    const found = await findWords(asked, answers, find);
    if (found) answers = judgeAll(page, asked, anchors, found);
    anchors.trim();
    const seen = new Map<string, Proposal>();
    let next = 0;
    const findings = comments.map((comment) => {
      const first = next;
      next += comment.targets.length;
      const own = comment.targets.map((_target, at): [Finding, LookedAt | null] => {
        const [answer, question] = [answers[first + at], asked[first + at]];
        if (typeof answer === 'string') return [{ unreadable: asSentence(answer) }, null];
        if (!question || !answer) return [{ unreadable: asSentence('the core did not answer') }, null];
        const { due, look, target } = question;
        // Where nobody can tell the core makes no look but an unsure one; what is as it was commented on looks as its
        // anchor has it.
        const isAsMade = due.evidence === 'unknown' && answer.verdict.kind === 'unchanged';
        const {
          verdict,
          look: looks = look ?? (isAsMade ? target.anchor : undefined),
          words: _,
          ...rest
        } = answer;
        // After a change of the source what is not shown waits with the look of before; an unsure look knows of itself
        // that it is not there.
        const isUnsure = rest.cause === 'unknown' && answer.look !== undefined;
        const isKnown =
          due.evidence !== 'unknown' || (due.judgedIfSame > due.judgedAt && rest.cause !== 'unknown');
        const isSeen = due.evidence === 'none' || isUnsure || (isKnown && verdict.node !== undefined);
        const isOther = rest.cause === 'source' && differs(verdict.kind);
        const judgedAt = isOther ? due.judgedAt : due.judgedIfSame;
        const known = rest.cause === 'unknown' ? knownOf(question) : undefined;
        return [
          { verdict, ...rest, evidence: due.evidence, counts: due.counts },
          isSeen ? { judgedAt, ...(looks && { look: looks }), ...(known && { known }) } : null,
        ];
      });
      seen.set(
        comment.id,
        own.map(([, look]) => look),
      );
      return own.map(([finding]) => finding);
    });
    return { findings, seen };
  } finally {
    page.free();
  }
}

/** An answer for each, or why its anchor cannot be read: that keeps no other from being found. */
function judgeAll(
  page: Page,
  asked: readonly Asked[],
  anchors: KeptAnchors,
  found?: ReadonlyMap<number, FoundWord[]>,
): (Judged | string)[] {
  const readable: Sought[] = [];
  const ids = asked.map(({ target, held, look, due: { evidence } }, at) => {
    const anchor = anchors.idOf(target.anchor, look);
    if (typeof anchor === 'number') {
      readable.push({
        anchor,
        evidence,
        ...(target.varied && { varied: target.varied }),
        ...(found && { found: found.get(at) ?? [] }),
        ...(held !== null && { held }),
      });
    }
    return anchor;
  });
  const answers = page.judge(anchors.anchors, readable)[Symbol.iterator]();
  return ids.map((id) => {
    if (id instanceof Error) return id.message;
    return answers.next().value ?? 'the core did not answer';
  });
}

/** What is known of an element of which nobody can tell what it differs by now. */
function knownOf({ look, due: { before, since } }: Asked): NonNullable<LookedAt['known']> {
  return before?.known ?? { judgedAt: since, ...(look && { look }) };
}

/** Where the words stand that the answers ask for, by place; nothing when none does, or nobody can tell. */
async function findWords(
  asked: readonly Asked[],
  answers: readonly (Judged | string)[],
  find: Known['find'],
): Promise<Map<number, FoundWord[]> | undefined> {
  const open = answers.flatMap((answer, at) => {
    const [words, question] = [typeof answer === 'string' ? [] : (answer.words ?? []), asked[at]];
    if (words.length === 0 || !question) return [];
    const file = question.target.snapshot.source?.file;
    return [{ at, query: { ...(file === undefined ? {} : { file }), since: question.due.since, words } }];
  });
  if (open.length === 0) return undefined;
  const found = await find(open.map(({ query }) => query));
  const of = (at: number, words: string[]) =>
    words.map((word, place): FoundWord => ({ word, foundIn: found?.[at]?.[place] ?? 'unknown' }));
  return found && new Map(open.map(({ at, query }, place) => [at, of(place, query.words)]));
}

function asSentence(problem: string): string {
  return `Its element cannot be looked for: ${problem}.`;
}

/**
 * Which states are to be stored of what was reported, or nothing when that brings no news: a report is a change that
 * everyone hears of. That nothing changed is no news to a comment that nobody looked at before.
 */
export function news(
  comment: Comment,
  { states, varied }: Omit<SightingReport, 'commentId'>,
): TargetState[] | undefined {
  if (comment.deletedAt !== undefined || comment.status === 'resolved') return undefined;
  if (states.length !== comment.targets.length) return undefined;
  const more = comment.targets.map((target, at) => grown(target, varied?.[at] ?? []));
  const same = comment.targets.every((target, index) => {
    const now = states[index];
    if (!now) return true;
    if (!target.state) return now.verdict === 'unchanged';
    const cause = target.state.cause ?? 'source';
    return (
      now.verdict === target.state.verdict &&
      (now.verdict === 'unchanged' || (now.cause ?? 'source') === cause) &&
      alike(now.diff, target.state.diff)
    );
  });
  if (same && more.every((values) => values.length === 0)) return undefined;
  return comment.targets.map((target, at): TargetState => {
    const state = states[at] ?? target.state ?? asMade(comment);
    return more[at]?.length ? { ...state, varied: more[at] } : state;
  });
}

/** Of an element that nobody said anything of: it is as it was when the comment was made. */
function asMade({ createdAt }: Comment): TargetState {
  return {
    verdict: 'unchanged',
    confidence: 1,
    diff: [],
    reason: 'It is as it was.',
    cause: 'state',
    checkedAt: createdAt,
  };
}

/** What it was seen to vary in, unless all of that is known. */
function grown({ varied: known = [] }: Target, seen: readonly Varied[]): Varied[] {
  const isKnown = seen.every(({ field, values }) => {
    const own = known.find((one) => one.field === field)?.values ?? [];
    return values.every((value) => own.includes(value));
  });
  return isKnown ? [] : [...seen];
}

function alike(a: readonly FieldChange[], b: readonly FieldChange[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ field, before, after }, at) => {
      const other = b[at];
      return field === other?.field && before === other.before && after === other.after;
    })
  );
}
