/** What sending costs grows as what waits, also where all of it is of one comment. */
import { expect, test } from 'vitest';
import { OutboxWorld } from '../testing/fake-hub';
import { sampleComment } from '../testing/samples';

interface Costs {
  /** Records that the database gave or took. */
  records: number;
  /** Changes that were applied to a comment. */
  applied: number;
}

/** Counts what `work` costs. */
async function costs(world: OutboxWorld, work: () => Promise<unknown>): Promise<Costs> {
  const applied = world.applied;
  let records = 0;
  const clone = globalThis.structuredClone;
  // The database of the tests copies each record by this on its way in and out.
  globalThis.structuredClone = ((value: unknown, ...more: []) => {
    if (typeof value === 'object' && value !== null) records += Array.isArray(value) ? value.length : 1;
    return clone(value, ...more);
  }) as typeof clone;
  try {
    await work();
  } finally {
    globalThis.structuredClone = clone;
  }
  return { records, applied: world.applied - applied };
}

/** So many replies to one comment that wait at once. */
async function replies(count: number): Promise<{ queued: Costs; sent: Costs }> {
  const world = await OutboxWorld.create();
  await world.comments.create(sampleComment('c_1'), 's_1', null);
  await world.outbox.flush();
  const queued = await costs(world, async () => {
    for (let at = 0; at < count; at++)
      await world.comments.change('c_1', { kind: 'reply', id: `r_${at}`, text: `reply ${at}` }, 2_000 + at);
  });
  const sent = await costs(world, () => world.outbox.flush());
  const texts = Array.from({ length: count }, (_, at) => `reply ${at}`);
  expect(world.hub.comments.get('c_1')?.replies.map(({ text }) => text)).toEqual(texts);
  expect((await world.comments.get('c_1'))?.replies.map(({ text }) => text)).toEqual(texts);
  expect(await world.waiting()).toBe(0);
  return { queued, sent };
}

test('each of many replies to one comment costs the same to queue and to send, however many wait', async () => {
  const few = await replies(10);
  const many = await replies(60);
  const each = ({ records, applied }: Costs, count: number) => [records / count, applied / count];
  for (const what of ['queued', 'sent'] as const) {
    const [before, after] = [each(few[what], 10), each(many[what], 60)];
    expect(after[0]).toBeLessThanOrEqual(before[0] as number);
    expect(after[1]).toBeLessThanOrEqual(before[1] as number);
  }
});
