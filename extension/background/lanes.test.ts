import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../testing/eventually';
import { Lanes } from './lanes';

let lanes: Lanes;
let begun: number[];
let ends: Map<number, () => void>;

beforeEach(() => {
  lanes = new Lanes();
  begun = [];
  ends = new Map();
});

const add = (seq: number, lane: string, ...subjects: string[]) =>
  lanes.add(seq, lane, subjects, () => {
    begun.push(seq);
    return new Promise((resolve) => ends.set(seq, resolve));
  });
const end = async (seq: number) => {
  await eventually(() => expect(begun).toContain(seq));
  ends.get(seq)?.();
  await eventually(() => expect(lanes.has(seq)).toBe(false));
};

test('a lane does one thing after the other, beside other lanes', async () => {
  add(1, 'a', 'c_1');
  add(2, 'a', 'c_2');
  add(3, 'b', 'c_3');
  await eventually(() => expect(begun).toEqual([1, 3]));
  await end(1);
  await eventually(() => expect(begun).toEqual([1, 3, 2]));
});

test('what names the same comment goes in order over all lanes, and holds up no other thing of its lane', async () => {
  add(1, 'a', 'c_1');
  add(2, 'b', 'c_1');
  add(3, 'b', 'c_1');
  add(4, 'b', 'c_4');
  await eventually(() => expect(begun).toEqual([1, 4]));
  await end(4);
  expect(begun).toEqual([1, 4]);
  await end(1);
  await end(2);
  await end(3);
  expect([begun, lanes.isBusy]).toEqual([[1, 4, 2, 3], false]);
});

test('a lane that is late pauses longer each time, at most 15 s, and not at all once it answered', () => {
  const pauses = Array.from({ length: 8 }, () => lanes.pause('a', 1_000) - 1_000);
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  expect(lanes.pausedUntil('a', 1_000)).toBe(16_000);
  expect(lanes.pausedUntil('a', 16_000)).toBeUndefined();
  // The clock was set back.
  expect(lanes.pausedUntil('a', -50_000)).toBeUndefined();
  expect(lanes.pausedUntil('b', 1_000)).toBeUndefined();
  lanes.goOn('a');
  expect(lanes.pausedUntil('a', 1_000)).toBeUndefined();
});
