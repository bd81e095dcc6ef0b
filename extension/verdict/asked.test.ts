import { expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import type { Stage } from '../generated/Stage';
import { sampleComment, sampleTarget } from '../testing/samples';
import { isAsked, lookOf, shownStatus } from './asked';

/**
 * A comment with this history, an agent's but for what begins with `person: `; outdated unless it is told otherwise.
 */
function after(stage: Stage, steps: readonly string[], parts: Partial<Comment> = {}): Comment {
  const history = steps.map((what, at) => ({
    revision: at + 2,
    at: 2_000 + at,
    by: /^(person: )/.test(what) ? { kind: 'person' as const } : { kind: 'agent' as const, name: 'a' },
    what: what.replace('person: ', ''),
  }));
  return { ...sampleComment('c_1'), status: 'outdated', stage, history, ...parts };
}

const OUTDATED = 'became outdated: Its text changed.';

test.each<[string, Stage, string[], boolean]>([
  ['while an agent works on it', 'in_progress', ['set to in progress', OUTDATED], true],
  ['when it is said to be ready', 'review', ['set to in progress', OUTDATED, 'ready for review'], true],
  ['just after it was said to be ready', 'review', ['ready for review', OUTDATED], true],
  ['before the work began', 'in_progress', [OUTDATED, 'set to in progress'], false],
  [
    'before, and once more in the work',
    'review',
    [OUTDATED, 'set to in progress', 'its elements were looked at again', 'ready for review'],
    true,
  ],
  ['while nobody works on it', 'open', [OUTDATED], false],
  ['before its agent ended', 'open', ['set to in progress', OUTDATED, 'set to open'], true],
  ['after its agent ended', 'open', ['set to in progress', 'set to open', OUTDATED], false],
  [
    'before its agent ended, and another began',
    'in_progress',
    ['set to in progress', OUTDATED, 'set to open', 'set to in progress'],
    true,
  ],
  [
    'after its agent ended and before another began',
    'in_progress',
    ['set to in progress', 'set to open', OUTDATED, 'set to in progress'],
    false,
  ],
  [
    'before its agent ended, and a person asks for it again',
    'open',
    ['set to in progress', OUTDATED, 'set to open', 'person: set to open'],
    false,
  ],
  [
    'after what changed in the work of an agent that ended was accepted',
    'open',
    ['set to in progress', OUTDATED, 'set to open', 'person: pinned to 1 element', OUTDATED],
    false,
  ],
  [
    'after that, and before another began',
    'in_progress',
    [
      'set to in progress',
      OUTDATED,
      'set to open',
      'person: pinned to 1 element',
      OUTDATED,
      'set to in progress',
    ],
    false,
  ],
  [
    'after one in the work of an agent that ended was taken back',
    'open',
    ['set to in progress', OUTDATED, 'active again: its elements are as they were', 'set to open', OUTDATED],
    false,
  ],
  [
    'before and after its agent ended',
    'open',
    ['set to in progress', OUTDATED, 'set to open', 'its elements were looked at again'],
    false,
  ],
  [
    'that was accepted in the work of an agent that ended, and is accepted no more',
    'open',
    [
      'set to in progress',
      OUTDATED,
      'person: pinned to 1 element',
      'set to open',
      'person: pinned to 1 element',
    ],
    true,
  ],
  ['before the work of an agent that ended', 'open', [OUTDATED, 'set to in progress', 'set to open'], false],
  [
    'in earlier work that was given back',
    'in_progress',
    ['set to in progress', OUTDATED, 'person: set to open', 'set to in progress'],
    false,
  ],
  [
    'in work that was given back, and that was undone',
    'in_progress',
    ['set to in progress', OUTDATED, 'person: set to open', 'replied', 'person: set to in progress'],
    true,
  ],
  [
    'in work that was given back twice, and both undone',
    'review',
    [
      'set to in progress',
      OUTDATED,
      'ready for review',
      ...[
        'person: set to open',
        'person: ready for review',
        'person: set to open',
        'person: ready for review',
      ],
    ],
    true,
  ],
  [
    'before work that was given back, and that was undone',
    'in_progress',
    [OUTDATED, 'set to in progress', 'person: set to open', 'person: set to in progress'],
    false,
  ],
  ['in work whose beginning is not kept any more', 'review', [OUTDATED], true],
])('a change %s', (_when, stage, steps, asked) => {
  const comment = after(stage, steps);
  expect(isAsked(comment)).toBe(asked);
  expect(shownStatus(comment)).toBe(asked ? 'active' : 'outdated');
  expect(lookOf(comment).word).toBe(asked ? 'Changed, as asked?' : 'Outdated');
});

test('a resolved or an active comment asks nothing', () => {
  const steps = ['set to in progress', OUTDATED];
  expect(isAsked(after('in_progress', steps, { status: 'resolved' }))).toBe(false);
  expect(isAsked(after('in_progress', steps, { status: 'active' }))).toBe(false);
});

test('what a file tells of the work of others is a warning', () => {
  const { history, ...rest } = after('open', ['set to in progress', OUTDATED, 'set to open']);
  const imported = history.map((step, at) => (at === 1 ? step : { ...step, importedAt: 1 }));
  expect(isAsked({ ...rest, history: imported })).toBe(false);
});

test('an element that went while an agent worked is gone, as asked', () => {
  const state = { verdict: 'missing' as const, confidence: 1, diff: [], reason: 'It is gone.', checkedAt: 1 };
  const targets = [{ ...sampleTarget(), state }] as unknown as Comment['targets'];
  expect(lookOf(after('in_progress', ['set to in progress', OUTDATED], { targets })).word).toBe(
    'Gone, as asked?',
  );
});
