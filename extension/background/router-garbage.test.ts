/** Whatever comes is answered, and the background goes on. */
import { expect, test } from 'vitest';
import type { Asked } from '../messages';
import { panel, RouterWorld } from '../testing/router-world';
import { partAt, partsOf, sampleOf, withPart } from '../testing/sample-of';
import { TABLE, variantOf } from './messages/table';
import type { Sender } from './sender';

const ROUNDS = 20;

/** Numbers from 0 to 1 that are the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Pick = <T>(of: readonly T[]) => T;

/** Anything that a message can carry. */
function anything(pick: Pick, depth = 0): unknown {
  const plain = [
    ...[undefined, null, true, false, 0, -0, 1, -1, 2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY],
    ...['', 'c_1', 'm_1', 's_1', '__proto__', '\u0000', '\ud800', '{"version":1}', 'x'.repeat(100_000)],
  ];
  if (depth > 3) return pick(plain);
  const inner = () => anything(pick, depth + 1);
  const names = ['kind', 'text', 'verdict', 'snapshot', 'targets', 'anchor', '__proto__', 'length', '0'];
  const lists = () => Array.from({ length: pick([0, 1, 2, 60]) }, inner);
  const objects = () =>
    Object.fromEntries(Array.from({ length: pick([0, 1, 4]) }, () => [pick(names), inner()]));
  return pick([() => pick(plain), lists, objects, objects])();
}

/** A payload that is right but for some of its parts, some of which may be anything as well. */
function somewhatWrong(payload: unknown, pick: Pick): unknown {
  let wrong = payload;
  for (let left = pick([0, 1, 1, 2, 4]); left > 0; left -= 1) {
    const ways = partsOf(wrong);
    if (ways.length === 0) return wrong;
    const way = pick(ways);
    const empty = JSON.stringify(partAt(wrong, way)) === '{}';
    wrong = withPart(wrong, way, pick([empty, true]) ? { put: anything(pick) } : undefined);
  }
  return wrong;
}

test.each(Object.keys(TABLE))('%s answers whatever it is given, and the background goes on', async (type) => {
  const world = await RouterWorld.create();
  const senders: Sender[] = [world.page, panel, { kind: 'field', tabId: world.page.tabId }];
  let seed = 1;
  for (const sender of senders) {
    const variant = variantOf(type, sender.kind);
    const right = variant && sampleOf(variant.payload);
    for (let round = 0; round < ROUNDS; round += 1) {
      seed += 1;
      const random = numbers(seed);
      const pick: Pick = (of) => of[Math.floor(random() * of.length)] as never;
      const payload = right && round % 4 ? somewhatWrong(right, pick) : anything(pick);
      const said = await world.ask({ type, payload } as Asked, sender);
      const where = { type, seed, kind: sender.kind };
      if (variant && 'ok' in said) continue;
      expect({ ...where, said }).toMatchObject({ ...where, said: { error: expect.stringMatching(/./) } });
    }
  }
  const known = await world.ask({ type: 'get_page_state', payload: {} }, world.page);
  expect(known).toHaveProperty('ok.connection');
});
