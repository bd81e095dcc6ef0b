import { expect, test } from 'vitest';
import type { Verdict } from '../generated/Verdict';
import type { VerdictKind } from '../generated/VerdictKind';
import { sampleComment, sampleTarget } from '../testing/samples';
import { type Seen, standingOf } from './standing';

const comment = sampleComment('c_1');
const two = { ...comment, targets: [sampleTarget(), sampleTarget()] };

function seen(kind: VerdictKind, parts: Partial<Verdict> = {}, more: Partial<Seen> = {}): Seen {
  const verdict = { kind, confidence: 1, candidates: [], diff: [], reason: `It is ${kind}.`, ...parts };
  return { verdict: verdict as Verdict, excuse: null, unreadable: '', ...more };
}

test('ambiguous: the pin goes to the likeliest, and says it is unsure', () => {
  expect(standingOf(comment, [seen('ambiguous')])).toMatchObject({
    place: 'unsure',
    words: 'Active, place unsure',
  });
});

test('missing: the pin has no place, and the reason is told', () => {
  expect(standingOf({ ...comment, status: 'outdated' }, [seen('missing')])).toMatchObject({
    place: 'gone',
    words: 'Outdated, not found',
    reason: 'It is missing.',
  });
});

test('missing just now: it is looked for before anybody is told', () => {
  expect(standingOf(comment, [seen('missing')], true)).toMatchObject({
    place: 'looking',
    words: 'Active, looking for it',
  });
});

test('little likeness: the place is unsure, and the reason says so', () => {
  expect(standingOf(comment, [seen('moved', { confidence: 0.5 })])).toMatchObject({
    place: 'unsure',
    reason: 'It is moved. It may be another element.',
  });
});

test('an excuse is told instead of the verdict', () => {
  expect(standingOf(comment, [seen('missing', {}, { excuse: 'scrolled' })])).toMatchObject({
    place: 'scrolled',
    words: 'Active, scrolled out of view',
  });
  expect(standingOf(comment, [seen('missing', {}, { excuse: 'elsewhere' })]).reason).toContain('/shop');
  expect(standingOf(comment, [seen('missing', {}, { excuse: 'in_part' })]).reason).toContain('further along');
  expect(standingOf(comment, [seen('missing', {}, { excuse: 'coming' })]).place).toBe('looking');
});

test('an anchor that cannot be read keeps the comment, and says why', () => {
  const unread = { verdict: null, excuse: null, unreadable: 'It is of a newer version.' };
  expect(standingOf(comment, [unread])).toMatchObject({
    status: 'active',
    place: 'unread',
    reason: 'It is of a newer version.',
  });
});

test('one of two targets is found: the pin stands there, and tells of the worse', () => {
  const standing = standingOf(two, [seen('missing'), seen('unchanged')]);
  expect(standing).toMatchObject({ place: 'found', verdict: 'missing', reason: 'It is missing.' });
  expect(standing.targets.map(({ place }) => place)).toEqual(['gone', 'found']);
});

test('unchanged gives no reason; stages are told until it is resolved', () => {
  expect(standingOf({ ...comment, stage: 'in_progress' }, [seen('unchanged')])).toMatchObject({
    reason: '',
    words: 'Active, in progress',
  });
  expect(standingOf({ ...comment, stage: 'review', status: 'resolved' }, []).words).toBe('Resolved');
});

test('before the first look the stored state speaks', () => {
  const state = {
    verdict: 'changed' as const,
    confidence: 1,
    diff: [],
    reason: 'Its text differs.',
    checkedAt: 1,
  };
  const stored = { ...comment, targets: [{ ...sampleTarget(), state }] };
  expect(standingOf(stored, [])).toMatchObject({ reason: 'Its text differs.' });
});
