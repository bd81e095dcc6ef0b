/** What was decided, and rules, in words. */
import type { Rule } from '../../generated/Rule';
import type { Verification } from '../../generated/Verification';

/** What became of one, and by whom. */
export function outcome({ decided }: Verification): string {
  if (!decided) return '';
  const { approved, by, way } = decided;
  switch (by) {
    case 'rule':
      return 'Approved by a rule of yours';
    case 'timeout':
      return 'Rejected: nobody decided in time';
    case 'withdrawn':
      return 'Taken back by its asker';
    case 'person': {
      const where = way === 'terminal' ? ' in a terminal' : way === 'browser' ? ' in a browser' : '';
      return `${approved ? 'Approved' : 'Rejected'} by you${where}`;
    }
    // A hub of another version may have more words.
    default:
      return approved ? 'Approved' : 'Rejected';
  }
}

/** Of which context a rule is. */
export function scope({ anyContext, context }: Rule): string {
  if (anyContext) return 'Whatever the context';
  return context === undefined ? 'Without a context alone' : 'With exactly this context';
}

/** A span of hours, as the person chooses it. */
export function span(hours: number): string {
  if (hours === 168) return '7 days';
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** How often a rule has said yes. */
export function uses(count: number): string {
  if (count === 0) return 'not used yet';
  return count === 1 ? 'used once' : `used ${count} times`;
}
