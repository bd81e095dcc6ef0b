/** Approvals and rules for tests. */
import type { Decided } from '../generated/Decided';
import type { Rule } from '../generated/Rule';
import type { Verification } from '../generated/Verification';
import type { ApprovalsState } from '../state/approvals';

/** What waits, asked at moment 1,000 with five minutes. */
export function waitingApproval(id: string, over: Partial<Verification> = {}): Verification {
  return {
    id,
    project: { root: '/home/ada/shop', name: 'shop' },
    action: `Delete ${id}`,
    reason: 'It is stale',
    asker: 'codex 1.2',
    hash: `hash of ${id}`,
    askedAt: 1_000,
    expiresAt: 301_000,
    ...over,
  };
}

/** The same, decided. */
export function decidedApproval(
  id: string,
  decided: Partial<Decided> = {},
  over: Partial<Verification> = {},
): Verification {
  return {
    ...waitingApproval(id, over),
    decided: { approved: true, by: 'person', way: 'browser', at: 2_000, ...decided },
  };
}

export function sampleRule(id: string, over: Partial<Rule> = {}): Rule {
  return {
    id,
    project: { root: '/home/ada/shop', name: 'shop' },
    action: 'Run the tests',
    anyContext: false,
    madeAt: 1_000,
    expiresAt: 3_601_000,
    uses: 0,
    ...over,
  };
}

export function approvalsState(over: Partial<ApprovalsState> = {}): ApprovalsState {
  return { line: 'live', detail: '', pending: [], leftOut: 0, decided: [], rules: [], ...over };
}
