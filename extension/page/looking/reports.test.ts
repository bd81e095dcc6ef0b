import { beforeEach, expect, test } from 'vitest';
import { ARRIVAL_MS, HOLD_MS, Reports, SAME_SIGHT_MS, type Sight } from './reports';

const LATER = 100_000;
let reports: Reports;
let told: { at: number; sight: Sight }[];

beforeEach(() => {
  reports = new Reports(0);
  reports.know('c', 'anchor', 'well', '');
  told = [];
});

/** Sees the comment so at this moment, and tells it if its time has come. */
function see(at: number, sight: Sight, details: string = sight, excused = false) {
  reports.saw('c', sight, sight === 'well' ? '' : details, at, excused);
  pass(at);
}

function pass(at: number) {
  if (!reports.isRipe('c', at)) return;
  told.push({ at, sight: reports.told('c') ?? 'well' });
  reports.tell('c', at);
  told[told.length - 1] = { at, sight: reports.told('c') ?? 'well' };
}

test('what is known is not told', () => {
  see(LATER, 'well');
  expect(told).toEqual([]);
  expect(reports.next()).toBeNull();
});

test('missing is told only when it holds, and everything else waits for it', () => {
  see(LATER, 'lost');
  expect(told).toEqual([]);
  expect(reports.waits('c')).toBe(true);
  expect(reports.next()).toBe(LATER + HOLD_MS.lost);
  pass(LATER + HOLD_MS.lost);
  expect(told).toEqual([{ at: LATER + HOLD_MS.lost, sight: 'lost' }]);
});

test('missing for a moment is never told', () => {
  see(LATER, 'lost');
  see(LATER + 1_000, 'well');
  pass(LATER + 60_000);
  expect(told).toEqual([]);
});

test('an undo is told at once', () => {
  see(LATER, 'changed');
  pass(LATER + HOLD_MS.changed);
  see(LATER + 2_000, 'well');
  expect(told.map(({ sight }) => sight)).toEqual(['changed', 'well']);
  expect(told[1]?.at).toBe(LATER + 2_000);
});

test('a page that is still coming is given time before anything is missed', () => {
  see(100, 'lost');
  expect(reports.next()).toBe(ARRIVAL_MS + HOLD_MS.lost);
  reports.arrived(5_000);
  expect(reports.next()).toBe(5_000 + ARRIVAL_MS + HOLD_MS.lost);
});

test('what is excused is not told, and begins to hold when the excuse ends', () => {
  see(LATER, 'lost', 'lost', true);
  expect(reports.next()).toBeNull();
  see(LATER + 60_000, 'lost');
  expect(reports.next()).toBe(LATER + 60_000 + HOLD_MS.lost);
});

test('flicker is told ever more rarely', () => {
  for (let at = LATER; at < LATER + 120_000; at += 100)
    see(at, Math.floor(at / 1_000) % 2 ? 'changed' : 'well');
  expect(told.length).toBeLessThan(6);
  expect(told.at(-1)?.sight).toBe('well');
});

test('an edit is told after the first delay, however often it was edited and undone before', () => {
  for (let at = LATER; at < LATER + 30_000; at += 3_000) {
    reports.sourceChanged();
    see(at, 'changed', String(at));
    pass(at + HOLD_MS.changed);
    expect(told.at(-1)).toEqual({ at: at + HOLD_MS.changed, sight: 'changed' });
    reports.sourceChanged();
    see(at + 1_500, 'well');
  }
});

test('an edit of what was edited just before is told after the first delay', () => {
  see(LATER, 'changed', 'red');
  pass(LATER + HOLD_MS.changed);
  reports.sourceChanged();
  see(LATER + 1_000, 'changed', 'blue');
  expect(reports.next()).toBe(LATER + 1_000 + HOLD_MS.changed);
});

test('an element that flickers after an edit is told ever more rarely again', () => {
  reports.sourceChanged();
  for (let at = LATER; at < LATER + 60_000; at += 100)
    see(at, Math.floor(at / 1_000) % 2 ? 'changed' : 'well');
  expect(told.length).toBeLessThan(6);
});

test('a difference that differs every second is told now and then', () => {
  for (let at = LATER; at < LATER + 30_000; at += 1_000) see(at, 'changed', String(at));
  expect(told.length).toBeGreaterThan(2);
  for (const [at, each] of told.entries())
    if (at > 0) expect(each.at - (told[at - 1]?.at ?? 0)).toBeGreaterThanOrEqual(SAME_SIGHT_MS);
});

test('a comment that was pinned anew starts anew', () => {
  see(LATER, 'lost');
  reports.know('c', 'another anchor', 'well', '');
  expect(reports.waits('c')).toBe(false);
  expect(reports.next()).toBeNull();
});
