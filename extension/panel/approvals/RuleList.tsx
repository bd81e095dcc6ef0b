/** Rules that say yes in the person's place for a while, each with a button that stops it. */
import type { Rule } from '../../generated/Rule';
import { fullTime } from '../platform/time';
import type { Approvals } from './approvals';
import { scope, uses } from './words';

export function RuleList({ approvals, rules }: { approvals: Approvals; rules: Rule[] }) {
  const isOff = approvals.state.value?.line !== 'live' || approvals.isSilent.value;
  return (
    <section aria-labelledby="approvals-rules">
      <h2 id="approvals-rules">Allowed without asking</h2>
      <ul class="rules" data-testid="rules">
        {rules.map((rule) => {
          const error = approvals.errors.value.get(rule.id);
          return (
            <li key={rule.id} class="rule" data-testid={rule.id}>
              <div class="decided-words">
                <p class="decided-action" dir="auto" title={rule.action}>
                  {rule.action}
                </p>
                <p class="muted">
                  {scope(rule)} · in <bdi title={rule.project.root}>{rule.project.name}</bdi> · until{' '}
                  <time dateTime={new Date(rule.expiresAt).toISOString()} title={fullTime(rule.expiresAt)}>
                    {new Date(rule.expiresAt).toLocaleString(undefined, {
                      dateStyle: 'medium',
                      timeStyle: 'short',
                    })}
                  </time>{' '}
                  · {uses(rule.uses)}
                </p>
                {!rule.anyContext && rule.context !== undefined && (
                  <p class="decided-note mono" dir="auto">
                    {rule.context}
                  </p>
                )}
                {error && (
                  <p class="error" role="alert">
                    {error}
                  </p>
                )}
              </div>
              <button
                type="button"
                class="button small"
                aria-label={`Stop allowing: ${rule.action.slice(0, 100)}`}
                data-testid={`stop-${rule.id}`}
                aria-disabled={isOff || approvals.busy.value.has(rule.id)}
                onClick={() => {
                  if (!isOff) void approvals.stopRule(rule.id);
                }}
              >
                Stop
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
