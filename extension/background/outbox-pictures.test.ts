/** Pictures wait and go with their comments, or are left out. */
import { beforeEach, expect, test } from 'vitest';
import { error, ORIGIN, OutboxWorld } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';
import { LinkLost, NoAnswer } from './link';

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

test.each([
  // The hub may have it, without the picture.
  ['under way', undefined, false],
  ['no answer', new NoAnswer('late'), false],
  ['it may be done later', error('storage'), false],
  // It does not have it for sure.
  ['no project', error('no_project'), true],
  ['no link', new LinkLost('lost'), true],
] as const)(
  'a picture that comes while its comment is sent is kept only if it can still go with it (%s)',
  async (_name, end, goes) => {
    const picture = new Blob([new Uint8Array([1, 2, 255])]);
    await world.comments.create(sampleComment('c_1'), 's_1', null, undefined, world.now);
    const send = world.hub.send.bind(world.hub);
    let kept: boolean | undefined;
    world.hub.send = async (request, id) => {
      world.hub.send = send;
      if (!end) {
        expect(await world.comments.isHeld('c_1')).toBe(false);
        kept = await world.comments.illustrate('c_1', picture);
        return send(request, id);
      }
      if (end instanceof Error) throw end;
      return end;
    };
    await world.outbox.flush();
    if (end) kept = await world.comments.illustrate('c_1', picture);
    await world.flushes(3);
    expect(world.hub.comments.has('c_1')).toBe(true);
    expect(kept).toBe(goes);
    expect((await world.comments.pictured()).has('c_1')).toBe(goes);
    const [sent] = world.hub.seen.map(({ request }) => JSON.stringify(request).includes('AQL/'));
    expect(sent).toBe(goes);
  },
);

test('a picture that comes after its comment goes without is not kept', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', new Blob(['x']));
  world.torn.add('c_1');
  const [item] = await world.store.getAll('outbox');
  await world.store.put('outbox', { ...item, withoutPicture: true, retryAt: world.now + 9_000 } as never);
  expect(await world.comments.illustrate('c_1', new Blob(['late']))).toBe(false);
  expect(await world.store.getAll('outbox')).toMatchObject([{ retryAt: world.now + 9_000 }]);
});

test('a comment that failed goes in its time, though its picture comes', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  const [item] = await world.store.getAll('outbox');
  await world.store.put('outbox', { ...item, attempts: 2, retryAt: world.now + 9_000 } as never);
  expect(await world.comments.isHeld('c_1')).toBe(false);
  await world.comments.illustrate('c_1', new Blob(['x']));
  expect(await world.store.getAll('outbox')).toMatchObject([{ attempts: 2, retryAt: world.now + 9_000 }]);
});

test('only a comment that was held and not tried yet is held', async () => {
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  expect(await world.comments.isHeld('c_1')).toBe(false);
  await world.comments.create(sampleComment('c_2'), 's_1', null, undefined, world.now + 9_000);
  expect(await world.comments.isHeld('c_2')).toBe(true);
});
