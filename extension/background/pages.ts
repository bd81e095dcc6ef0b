/**
 * Questions about a captured page: describe elements, and find the elements of comments again. The page is decoded
 * once for each question and freed at its end; nothing of it is kept.
 */
import type { Comment } from '../generated/Comment';
import type { ProbeFacts } from '../generated/ProbeFacts';
import type { Target } from '../generated/Target';
import type { TargetState } from '../generated/TargetState';
import type { Verdict } from '../generated/Verdict';
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

/** One list for each comment, one verdict for each of its targets. */
export function relocate(core: Core, capture: string, comments: Comment[]): Verdict[][] {
  const page = core.Page.decode(capture);
  try {
    const verdicts = page.relocate(comments.flatMap((comment) => comment.targets));
    let next = 0;
    return comments.map((comment) => {
      const own = verdicts.slice(next, next + comment.targets.length);
      next += comment.targets.length;
      return own;
    });
  } finally {
    page.free();
  }
}

/**
 * The states to report for a comment, or nothing when the look brought no news: a report is a change that everyone
 * hears of, and pages are looked at often. That nothing changed is no news to a comment that nobody looked at before.
 */
export function news(comment: Comment, verdicts: Verdict[], at: number): TargetState[] | undefined {
  if (comment.deletedAt !== undefined || comment.status === 'resolved') return undefined;
  if (verdicts.length !== comment.targets.length) return undefined;
  const changed = comment.targets.some(
    (target, index) => (target.state?.verdict ?? 'unchanged') !== verdicts[index]?.kind,
  );
  if (!changed) return undefined;
  return verdicts.map(({ kind, confidence, diff, reason }) => ({
    verdict: kind,
    confidence,
    diff,
    reason,
    checkedAt: at,
  }));
}
