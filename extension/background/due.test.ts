import { expect, test } from 'vitest';
import type { TargetState } from '../generated/TargetState';
import { sampleComment, sampleTarget } from '../testing/samples';
import { dueOf, type FilesWord, pinnedAt } from './due';
import type { StoredLook } from './store';

const person = { kind: 'person' } as const;
/** Made at 1,000, on a page that was loaded at 500. */
const comment = { ...sampleComment('c_1'), createdAt: 1_000 };
const page = {
  began: 500,
  changedAt: 0,
  filesUntil: 0,
  isServedHot: false,
  isUnknown: false,
  madeOtherAt: 0,
};
const look = (judgedAt: number, more: Partial<StoredLook> = {}): StoredLook => ({
  anchors: '',
  targets: [{ judgedAt }],
  ...more,
});
const told = (checkedAt: number) => {
  const state: TargetState = {
    verdict: 'changed',
    confidence: 1,
    diff: [],
    reason: 'It changed.',
    checkedAt,
  };
  return { ...comment, targets: [{ ...sampleTarget(), state }] };
};
const word = (at: number | undefined, files: [string, number][] = []): FilesWord => ({
  files: new Map(files),
  ...(at === undefined ? {} : { at }),
});

test('without a change since it was made nothing is due, however often the page is loaded', () => {
  expect(dueOf(comment, 0, page, [], undefined)).toMatchObject({ evidence: 'none', counts: false });
  const again = { ...page, began: 5_000 };
  expect(dueOf(comment, 0, again, [], undefined)).toMatchObject({ evidence: 'none', judgedAt: 5_000 });
  expect(dueOf(comment, 0, { ...again, changedAt: 900 }, [], undefined).evidence).toBe('none');
});

test('a change in the open page is a hot update; one that a load brought is not', () => {
  const hot = dueOf(comment, 0, { ...page, changedAt: 2_000 }, [], look(500));
  expect(hot).toMatchObject({ evidence: 'hot', counts: true, judgedAt: 2_000 });
  expect(dueOf(comment, 0, { ...page, changedAt: 2_000 }, [], undefined).evidence).toBe('hot');
  const loaded = { ...page, began: 3_000, changedAt: 3_000 };
  expect(dueOf(comment, 0, loaded, [], look(500))).toMatchObject({ evidence: 'loaded', counts: true });
  expect(dueOf(comment, 0, loaded, [], undefined).evidence).toBe('loaded');
});

test('once it was looked at it is not due again: an edit does not count twice, nor heal itself', () => {
  const edited = { ...page, began: 3_000, changedAt: 3_000 };
  expect(dueOf(comment, 0, { ...edited, began: 4_000 }, [], look(3_000)).evidence).toBe('none');
});

test('a page that had not got the change yet when it was commented on is judged at its next load', () => {
  // Another tab loaded the new source at 800; this one was loaded at 500, and is loaded again at 3,000.
  const again = { ...page, began: 3_000, changedAt: 800 };
  expect(dueOf(comment, 0, again, [], look(500)).evidence).toBe('loaded');
  expect(dueOf(comment, 0, again, [], undefined).evidence).toBe('none');
});

test('a tab without newer evidence than a report neither heals nor outdates; the one that reported may take it back', () => {
  const changed = { ...page, changedAt: 2_000 };
  expect(dueOf(told(2_500), 0, changed, [], look(500))).toMatchObject({ evidence: 'hot', counts: false });
  expect(dueOf(told(2_500), 0, changed, [], look(500, { reportedAt: 2_500 })).counts).toBe(true);
  expect(dueOf(told(2_500), 0, { ...page, changedAt: 2_600 }, [], look(500)).counts).toBe(true);
  expect(dueOf(told(2_500), 0, changed, [], undefined).evidence).toBe('none');
  // Also later, when it shows again what was commented on.
  const later = (reportedAt: number) => dueOf(told(2_500), 0, changed, [], look(2_000, { reportedAt }));
  expect(later(2_500)).toMatchObject({ evidence: 'none', counts: true });
  expect(later(2_400)).toMatchObject({ evidence: 'none', counts: false });
  const isOther = { ...changed, madeOtherAt: 2_600 };
  expect(dueOf(told(2_500), 0, isOther, [], look(2_000, { reportedAt: 2_500 }))).toMatchObject({
    evidence: 'unknown',
    counts: false,
  });
});

test('of what differs in a document that is made of something else nobody can tell, until it looks as it did', () => {
  const fetched = { ...page, madeOtherAt: 2_000 };
  const due = dueOf(comment, 0, fetched, [], look(500));
  expect(due).toMatchObject({ evidence: 'unknown', judgedAt: 500, judgedIfSame: 2_000 });
  expect(dueOf(comment, 0, fetched, [], look(2_000)).evidence).toBe('none');
  expect(dueOf(comment, 0, { ...fetched, changedAt: 2_500 }, [], look(500)).evidence).toBe('hot');
});

test('what was pinned anew counts from then on', () => {
  const pinned = {
    ...comment,
    history: [{ revision: 2, at: 4_000, by: person, what: 'pinned to 1 element' }],
  };
  expect(pinnedAt(pinned)).toBe(4_000);
  expect(dueOf(pinned, 0, { ...page, changedAt: 3_000 }, [], undefined).evidence).toBe('none');
  expect(dueOf(pinned, 0, { ...page, changedAt: 5_000 }, [], undefined).evidence).toBe('hot');
});

test('files that changed before the page was loaded count, its own file where it is known', () => {
  const again = { ...page, began: 3_000 };
  expect(dueOf(comment, 0, again, [word(2_000)], look(500)).evidence).toBe('loaded');
  expect(dueOf(comment, 0, again, [word(undefined)], look(500)).evidence).toBe('none');
  expect(dueOf(comment, 0, again, [word(900)], look(500)).evidence).toBe('none');
  const source = { file: 'src/Shop.tsx', confidence: 1, reason: '' };
  const [target = sampleTarget()] = comment.targets;
  const known = { ...comment, targets: [{ ...target, snapshot: { ...target.snapshot, source } }] };
  expect(dueOf(known, 0, again, [word(2_000, [['src/Shop.tsx', 0]])], look(500)).evidence).toBe('none');
  expect(dueOf(known, 0, again, [word(2_000, [['src/Shop.tsx', 1_500]])], look(500)).evidence).toBe('loaded');
  // A dev server tells of what else it serves.
  const hot = { ...again, isServedHot: true };
  expect(dueOf(comment, 0, hot, [word(2_000)], look(500)).evidence).toBe('none');
  expect(dueOf(known, 0, hot, [word(2_000, [['src/Shop.tsx', 1_500]])], look(500)).evidence).toBe('loaded');
});

test('files that change while the page is open count for what the page shows because of them alone', () => {
  expect(dueOf(comment, 0, page, [word(5_000)], look(500)).evidence).toBe('none');
  const shown = dueOf(comment, 0, { ...page, filesUntil: 5_000 }, [word(undefined), word(5_000)], look(500));
  expect(shown).toMatchObject({ evidence: 'hot', counts: true, judgedAt: 5_000, judgedIfSame: 500 });
});

test('where nothing can be told a load is unknown, and stays so', () => {
  const blind = { ...page, began: 3_000, isUnknown: true };
  expect(dueOf(comment, 0, blind, [], look(500))).toMatchObject({ evidence: 'unknown', judgedAt: 500 });
  expect(dueOf(comment, 0, { ...page, isUnknown: true }, [], look(500)).evidence).toBe('none');
  expect(dueOf(comment, 0, { ...blind, changedAt: 3_000 }, [], look(500)).evidence).toBe('loaded');
});

test('a document that is made of something else leaves unknown what was not looked at since, however often it is loaded', () => {
  const other = { ...page, began: 3_000, madeOtherAt: 3_000 };
  const unknown = { evidence: 'unknown', judgedAt: 500, judgedIfSame: 3_000, counts: false };
  expect(dueOf(comment, 0, other, [], look(500))).toMatchObject(unknown);
  expect(dueOf(comment, 0, { ...other, began: 4_000 }, [], look(500)).evidence).toBe('unknown');
  // What looks as it did then is looked at; what differs from it later is state.
  expect(dueOf(comment, 0, { ...other, began: 4_000 }, [], look(3_000)).evidence).toBe('none');
  // As it was made before, under the same source.
  expect(dueOf(comment, 0, { ...other, began: 5_000, madeOtherAt: 0 }, [], look(500)).evidence).toBe('none');
  const edited = { ...other, changedAt: 3_000 };
  expect(dueOf(comment, 0, edited, [], look(500))).toMatchObject({ evidence: 'loaded', judgedAt: 3_000 });
});
