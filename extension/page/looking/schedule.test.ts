import { expect, test } from 'vitest';
import { Patience } from './patience';
import { BETWEEN_CAPTURES_MS, CHECK_AFTER_MS, MAX_RETRY_MS, Schedule } from './schedule';

/**
 * Plays a page: `changes` are the moments at which it changes; every check finds something due. Moments of checks and
 * captures. A capture takes `takes` milliseconds.
 */
function play(changes: number[], until: number, takes = 50, wantedAt = () => 0) {
  const schedule = new Schedule(true);
  const checks: { at: number; changed: boolean }[] = [];
  const captures: number[] = [];
  const left = [...changes];
  for (let now = 0; now <= until; now++) {
    while (left[0] !== undefined && left[0] <= now) {
      schedule.notice(now, true);
      left.shift();
    }
    const at = schedule.next();
    if (at === null || at > now) continue;
    const changed = schedule.begin();
    checks.push({ at: now, changed });
    if (!schedule.checked(now, wantedAt(), changed)) continue;
    captures.push(now);
    const end = now + takes;
    while (left[0] !== undefined && left[0] <= end) {
      schedule.notice(left[0], true);
      left.shift();
    }
    now = end;
    schedule.looked(now, false);
  }
  return { checks, captures };
}

const everyFrame = Array.from({ length: 60 * 20 }, (_, frame) => Math.round((frame * 1_000) / 60));

test('a page that changes 60 times a second is looked at, and at most once a second', () => {
  const { captures } = play(everyFrame, 20_000);
  expect(captures.length).toBeGreaterThan(15);
  for (const [at, moment] of captures.entries())
    expect(moment - (captures[at - 1] ?? -BETWEEN_CAPTURES_MS)).toBeGreaterThanOrEqual(BETWEEN_CAPTURES_MS);
});

test('checks follow a change soon, and a page that always changes does not put them off', () => {
  const { checks } = play(everyFrame, 2_000);
  expect(checks[0]?.at).toBe(CHECK_AFTER_MS);
  expect(checks.length).toBeGreaterThan(5);
});

test('a change at the end of a burst is looked at, whenever the burst ends', () => {
  for (let length = 1; length < 200; length += 7) {
    const burst = everyFrame.slice(0, length);
    const { captures } = play(burst, 20_000);
    expect(captures.at(-1)).toBeGreaterThan(burst.at(-1) ?? 0);
  }
});

test('what came during a capture is checked after it', () => {
  const { captures } = play([0, CHECK_AFTER_MS + 10], 5_000, 100);
  expect(captures).toHaveLength(2);
});

test('nothing happens without a change, and nothing while hidden', () => {
  const schedule = new Schedule(true);
  expect(schedule.next()).toBeNull();
  schedule.show(10, false);
  schedule.notice(20, true);
  expect(schedule.next()).toBeNull();
  schedule.show(5_000, true);
  expect(schedule.next()).toBeLessThanOrEqual(5_000);
  expect(schedule.begin()).toBe(true);
});

test('a tab that is shown again is looked at although nothing was noticed', () => {
  const schedule = new Schedule(false);
  schedule.show(100, true);
  expect(schedule.next()).toBe(100);
  expect(schedule.begin()).toBe(true);
});

test('a capture that must wait keeps what made it due', () => {
  const schedule = new Schedule(true);
  schedule.notice(0, true);
  expect(schedule.checked(200, 3_000, schedule.begin())).toBe(false);
  expect(schedule.next()).toBe(3_000);
  expect(schedule.begin()).toBe(true);
});

test('failures are retried slower and slower, and a success forgets them', () => {
  const schedule = new Schedule(true);
  let now = 0;
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries++) {
    schedule.notice(now, true);
    schedule.begin();
    schedule.failed(now);
    waits.push((schedule.next() ?? 0) - now);
    now += 60_000;
  }
  expect(waits.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
  expect(waits.at(-1)).toBe(MAX_RETRY_MS);
  schedule.begin();
  schedule.looked(now, false);
  schedule.begin();
  schedule.failed(now);
  expect((schedule.next() ?? 0) - now).toBe(2_000);
});

test('looks without news become rare, and news or a hint make them frequent again', () => {
  const patience = new Patience();
  const waits: number[] = [];
  let now = 0;
  for (let look = 0; look < 7; look++) {
    patience.looked(now, false);
    waits.push(Math.max(0, patience.notBefore - now));
    now += 8_000;
  }
  expect(waits).toEqual([0, 0, 2_000, 4_000, 8_000, 8_000, 8_000]);
  patience.renew();
  expect(patience.notBefore).toBeLessThan(0);
  patience.looked(now, true);
  expect(patience.notBefore).toBeLessThan(now);
});

test('an element that was left alone for long is looked for at once again', () => {
  const patience = new Patience();
  for (let now = 0; now < 10; now++) patience.looked(now, false);
  patience.looked(60_000, false);
  expect(patience.notBefore).toBeLessThanOrEqual(60_000);
});
