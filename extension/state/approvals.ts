/** What agents ask a person's yes or no for, as background, panel and pages tell one another. */
import type { Rule } from '../generated/Rule';
import type { Verification } from '../generated/Verification';

/** Everything the panel shows of it, of all projects. Words of agents have no deceiving characters any more. */
export interface ApprovalsState {
  /**
   * `loading` until the hub's first list; `offline`: the hub does not answer, and nothing can be decided;
   * `unsupported`: it is of an earlier version, or does not take this browser for a person's.
   */
  line: 'loading' | 'live' | 'offline' | 'unsupported';
  /** Why, and what to do next; empty when all is well. */
  detail: string;
  /** What waits, the first asked first. */
  pending: Verification[];
  /** How many more wait that had no room. */
  leftOut: number;
  /** The latest first. */
  decided: Verification[];
  /** Rules that hold, the next to expire first. */
  rules: Rule[];
}

/** What a page is told of one that waits: not what it takes to decide. */
export interface PageApproval {
  id: string;
  /** Its beginning, on one line. */
  action: string;
  /** When it is rejected by itself, milliseconds since the Unix epoch. */
  expiresAt: number;
}

/** What waits in the page's own project. */
export interface PageApprovals {
  /** The next to expire first, at most 20. */
  first: PageApproval[];
  /** How many wait in all. */
  count: number;
}

export const NO_APPROVALS: PageApprovals = { first: [], count: 0 };
