/** Pictures wait and go with their comments, or are left out. */
import { beforeEach, expect, test } from 'vitest';
import { ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';

let world: OutboxWorld;

beforeEach(async () => {
  world = await OutboxWorld.create();
});

test('a screenshot travels with its comment', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', new Blob([new Uint8Array([1, 2, 255])]));
  await world.outbox.flush();
  expect(world.hub.seen[0]?.request).toMatchObject({ payload: { screenshot: 'AQL/' } });
});

test('a picture that cannot be read is tried again, then left out: its comment goes', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', new Blob(['x']));
  world.torn.add('c_1');
  for (let time = 0; time < 3; time++) {
    await world.outbox.flush();
    world.now += 4_000;
  }
  expect(world.hub.comments.has('c_1')).toBe(true);
  expect(world.hub.seen[0]?.request).not.toHaveProperty('payload.screenshot');
  expect(await world.waiting()).toBe(0);
});

test('a picture that is too large is left out: its comment goes', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', new Blob(['x']));
  world.hub.faults = ['too_large'];
  await world.outbox.flush();
  expect(world.hub.comments.has('c_1')).toBe(true);
  expect(await world.sentences()).toEqual([]);
});

test('a comment that is held for its picture is shown and sent with it, or without it when none comes in time', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null, undefined, world.now + 20_000);
  await world.outbox.flush();
  expect([world.hub.seen.length, world.changes]).toEqual([0, []]);
  expect(await world.comments.illustrate('c_1', new Blob([new Uint8Array([1, 2, 255])]))).toBe(true);
  expect(world.changes).toEqual([ORIGIN]);
  await world.outbox.flush();
  expect(world.hub.seen[0]?.request).toMatchObject({ payload: { screenshot: 'AQL/' } });
  await world.comments.create(sampleComment('c_2'), 's_1', null, undefined, world.now + 20_000);
  await world.outbox.flush();
  expect(world.hub.comments.has('c_2')).toBe(false);
  world.now += 20_000;
  await world.outbox.flush();
  expect(world.hub.comments.has('c_2')).toBe(true);
  // One that comes too late is not shown as kept: the hub would never get it.
  expect(await world.comments.illustrate('c_2', new Blob(['late']))).toBe(false);
  expect([...(await world.comments.pictured())]).toEqual(['c_1']);
});
