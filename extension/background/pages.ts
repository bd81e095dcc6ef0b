/**
 * Questions about a captured page: describe elements, and find the elements of comments again. The page is decoded
 * once for each question and freed at its end; nothing of it is kept.
 */
import type { Comment } from '../generated/Comment';
import type { FieldChange } from '../generated/FieldChange';
import type { ProbeFacts } from '../generated/ProbeFacts';
import type { Target } from '../generated/Target';
import type { TargetState } from '../generated/TargetState';
import type { Finding } from '../messages';
import type { Sought } from '../wasm/opentoolbar_wasm';
import type { Core } from './core';

/** Snapshot, selector and anchor of each node. Throws an Error that says which node is wrong and why. */
export function describe(
  core: Core,
  capture: string,
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

/**
 * All in one pass, so that no two comments are given the same element. One list for each comment, one finding for each of its
 * targets; an anchor that cannot be read is a finding of its own and keeps no other from being found.
 */
export function judge(core: Core, capture: string, comments: Comment[]): Finding[][] {
  const page = core.Page.decode(capture);
  try {
    // Every difference counts as one of the source, as long as no tab tells why it thinks that the source has changed.
    const sought = comments.flatMap(({ targets }) =>
      targets.map((target): Sought => ({ target, evidence: 'hot' })),
    );
    const answers = page.judge(sought);
    let next = 0;
    return comments.map((comment) => {
      const own = answers.slice(next, next + comment.targets.length);
      next += comment.targets.length;
      return own.map((answer) => (typeof answer === 'string' ? { unreadable: asSentence(answer) } : answer));
    });
  } finally {
    page.free();
  }
}

function asSentence(problem: string): string {
  return `Its element cannot be looked for: ${problem}.`;
}

/**
 * Which of the reported states are to be stored, or nothing when they bring no news: a report is a change that everyone
 * hears of. That nothing changed is no news to a comment that nobody looked at before.
 */
export function news(comment: Comment, states: readonly TargetState[]): TargetState[] | undefined {
  if (comment.deletedAt !== undefined || comment.status === 'resolved') return undefined;
  if (states.length !== comment.targets.length) return undefined;
  const same = comment.targets.every((target, index) => {
    const now = states[index];
    if (now?.varied) return false;
    if (!target.state) return now?.verdict === 'unchanged';
    return (
      now?.verdict === target.state.verdict &&
      (now.cause ?? 'source') === (target.state.cause ?? 'source') &&
      alike(now.diff, target.state.diff)
    );
  });
  return same ? undefined : [...states];
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
