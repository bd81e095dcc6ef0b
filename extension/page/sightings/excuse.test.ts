// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Verdict } from '../../generated/Verdict';
import { sampleComment } from '../../testing/samples';
import { excuseOf } from './excuse';
import { Sightings } from './sightings';

const SITE = 'http://localhost:5173';

/** Why a comment that was made at one address need not be missed at another. */
function excuse(madeAt: string, now: string, kind: Verdict['kind'] = 'missing') {
  const comment = { ...sampleComment('c_1'), url: SITE + madeAt };
  const sightings = new Sightings();
  const verdict = { kind, confidence: 1, candidates: [], diff: [], reason: '' } as unknown as Verdict;
  sightings.take(
    comment,
    [{ verdict, cause: 'source', inView: true, evidence: 'hot', counts: true }],
    [],
    true,
  );
  const [sighting] = sightings.of('c_1');
  if (!sighting) throw new Error('not seen');
  return excuseOf(comment, 0, sighting, SITE + now, false);
}

test('at the comment’s own address there is none', () => {
  expect(excuse('/shop?id=5', '/shop?id=5')).toBeNull();
  expect(excuse('/app#/orders', '/app#/orders')).toBeNull();
});

test('at another route behind # nothing of it is missed', () => {
  expect(excuse('/app#/orders', '/app#/tides')).toBe('elsewhere');
  expect(excuse('/app#!/orders', '/app')).toBe('elsewhere');
  expect(excuse('/app#/orders', '/app#/tides', 'ambiguous')).toBe('elsewhere');
});

test('with another query it is not missed, but several are several', () => {
  expect(excuse('/shop?id=5', '/shop?id=7')).toBe('elsewhere');
  expect(excuse('/shop?id=5', '/shop?id=7', 'ambiguous')).toBeNull();
});

test('a plain fragment is the same page', () => expect(excuse('/shop#top', '/shop')).toBeNull());
