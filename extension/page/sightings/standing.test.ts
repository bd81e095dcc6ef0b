import { expect, test } from 'vitest';
import type { Comment } from '../../generated/Comment';
import type { TargetState } from '../../generated/TargetState';
import type { Verdict } from '../../generated/Verdict';
import type { VerdictKind } from '../../generated/VerdictKind';
import { sampleComment, sampleTarget } from '../../testing/samples';
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
  // That it is not found says nothing at another address, or of a list that draws a part of itself.
  const elsewhere = standingOf(comment, [seen('missing', {}, { excuse: 'elsewhere' })]);
  expect(elsewhere).toMatchObject({ place: 'away', words: 'Active, not shown here' });
  expect(elsewhere.reason).toContain('/shop');
  const inPart = standingOf(comment, [seen('missing', {}, { excuse: 'in_part' })]);
  expect(inPart).toMatchObject({ place: 'away', words: 'Active, not shown here' });
  expect(inPart.reason).toContain('further along');
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

const diff = [{ field: 'text', before: 'Open cart (0)', after: 'Open cart (1)' }];
const told = { confidence: 1, diff, reason: 'Its text changed.' };

/** The comment as an earlier look stored it. */
function stored(verdict: VerdictKind, cause: 'state' | 'source' | 'unknown', parts: Partial<Comment> = {}) {
  const state: TargetState = { ...told, verdict, cause, checkedAt: 1 };
  return { ...comment, ...parts, targets: [{ ...sampleTarget(), state }] };
}

test('a difference of state leaves the comment as it is, and says no more of the source than is known', () => {
  const standing = standingOf(comment, [seen('changed', told, { cause: 'state' })]);
  expect(standing).toMatchObject({
    words: 'Active',
    place: 'found',
    cause: 'state',
    diff,
    reason: 'Looks different now: its text changed. No change of the source was seen.',
  });
});

test('what is not shown here is told so, never not found', () => {
  const away = standingOf(comment, [seen('missing', {}, { cause: 'state', inView: false })]);
  expect(away).toMatchObject({ words: 'Active, not shown here', place: 'away' });
  expect(away.reason).toMatch(/^It is not in view: .* may be closed/);
  expect(away.reason).not.toMatch(/missing|not found|gone/i);
  // Nor where only the cause is told.
  expect(standingOf(comment, [seen('missing', {}, { cause: 'state' })]).place).toBe('away');
});

test('what is not in view since the source changed may have been taken out by an edit, which is told', () => {
  const away = (sourceChanged: boolean) =>
    standingOf(comment, [seen('missing', {}, { cause: 'state', inView: false, sourceChanged })]);
  const words = 'It is not in view: its dialog, tab or step may be closed';
  expect(away(true)).toMatchObject({ place: 'away', reason: `${words}, or an edit took it out.` });
  expect(away(false).reason).toBe(`${words}.`);
});

test('what hides it is named where that is known', () => {
  const target = sampleTarget();
  target.snapshot.ancestors = [{ tag: 'dialog', classes: [], text: '' }];
  const inDialog = { ...comment, targets: [target] };
  expect(standingOf(inDialog, [seen('missing', {}, { cause: 'state', inView: false })]).reason).toBe(
    'It is in a closed dialog.',
  );
  expect(standingOf(inDialog, [seen('missing', {}, { cause: 'state', inView: false })]).hiddenIn).toBe(
    'in a closed dialog',
  );
  expect(standingOf(inDialog, [seen('unchanged')]).hiddenIn).toBe('');
});

test('one of several is hidden where the core says that what it was in is not shown, and else its place is unsure', () => {
  const target = sampleTarget();
  target.snapshot.ancestors = [{ tag: 'dialog', classes: [], text: '' }];
  const hidden = seen('ambiguous', {}, { cause: 'state', inView: false });
  const away = { place: 'away', words: 'Active, not shown here' };
  expect(standingOf({ ...comment, targets: [target] }, [hidden])).toMatchObject({
    ...away,
    hiddenIn: 'in a closed dialog',
  });
  // By its role or as a step, which the snapshot does not tell.
  expect(standingOf(comment, [hidden])).toMatchObject({ ...away, hiddenIn: '' });
  const shown = seen('ambiguous', {}, { cause: 'state', inView: true });
  for (const each of [comment, { ...comment, targets: [target] }]) {
    expect(standingOf(each, [shown])).toMatchObject({ place: 'unsure', words: 'Active, place unsure' });
  }
});

test.each([
  [{ role: 'alertdialog' }, 'in a closed dialog'],
  [{ role: 'tabpanel' }, 'in a closed tab'],
  [{ role: 'region', attributes: { popover: 'auto' } }, 'in a closed popover'],
  [{ role: 'region' }, ''],
])('what closes by its own role or as a popover is named: %j is %s', (more, hiddenIn) => {
  const target = sampleTarget();
  Object.assign(target.snapshot, more);
  const missing = seen('missing', {}, { cause: 'state', inView: false });
  expect(standingOf({ ...comment, targets: [target] }, [missing]).hiddenIn).toBe(hiddenIn);
});

test('where nothing tells the cause, the comment is active and may have changed', () => {
  const words = 'Active, may have changed';
  expect(standingOf(comment, [seen('changed', told, { cause: 'unknown' })])).toMatchObject({
    status: 'active',
    words,
    reason: 'May have changed: its text changed. Nothing tells whether the source did.',
  });
  expect(standingOf(stored('changed', 'unknown'), []).words).toBe(words);
  expect(standingOf(stored('changed', 'unknown', { status: 'resolved' }), []).words).toBe('Resolved');
});

test('what a look found after a change of source stands, whatever state this page is in', () => {
  const outdated = stored('changed', 'source', { status: 'outdated' });
  expect(standingOf(outdated, [seen('changed', told, { cause: 'state' })])).toMatchObject({
    words: 'Outdated',
    cause: 'source',
    reason: 'Its text changed.',
  });
  const well = standingOf(outdated, [seen('unchanged', { reason: '' }, { cause: 'state' })]);
  expect(well).toMatchObject({ words: 'Outdated', cause: 'source', verdict: 'changed', diff });
  expect(well.reason).toContain('In this tab it looks as it did');
  // A look with evidence of its own says how it is.
  expect(standingOf(outdated, [seen('unchanged', { reason: '' }, { cause: 'source' })]).reason).toBe('');
});

test('what an edit took out stays not found where this page has no evidence of its own, as after a reload', () => {
  const gone = stored('missing', 'source', { status: 'outdated' });
  const again = seen('missing', {}, { cause: 'state', inView: false });
  expect(standingOf(gone, [again])).toMatchObject({
    words: 'Outdated, not found',
    place: 'gone',
    cause: 'source',
    reason: told.reason,
  });
  // One that had changed, and is not there now, may be in what is closed.
  const changed = stored('changed', 'source', { status: 'outdated' });
  expect(standingOf(changed, [again]).place).toBe('away');
  // Where it may be elsewhere, that is told.
  expect(standingOf(gone, [{ ...again, excuse: 'elsewhere' }]).place).toBe('away');
});

test('what changes while an agent works on it is a question', () => {
  const by = { kind: 'person' as const };
  const history = ['set to in progress', 'became outdated: Its text changed.'].map((what, at) => ({
    revision: at + 2,
    at: 2_000,
    by,
    what,
  }));
  const working = stored('changed', 'source', { status: 'outdated', stage: 'in_progress', history });
  expect(standingOf(working, [seen('changed', told, { cause: 'source' })])).toMatchObject({
    words: 'Changed, as asked? In progress',
    // Its thread says beside the question how far the work is.
    title: 'Changed, as asked?',
    isAsked: true,
  });
  const gone = { ...stored('missing', 'source', { status: 'outdated', history }), stage: 'review' as const };
  expect(standingOf(gone, [seen('missing', {}, { cause: 'source' })]).words).toBe(
    'Gone, as asked? Ready to review',
  );
});
