// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Cause } from '../../generated/Cause';
import type { Verdict } from '../../generated/Verdict';
import { sampleComment } from '../../testing/samples';
import { standingOf } from '../sightings/standing';
import { Pin } from './pin';

test('how sure a verdict is stands behind what is known to have changed, and not behind what may have', () => {
  const comment = sampleComment('c_1');
  const verdict: Verdict = {
    kind: 'changed',
    confidence: 1,
    change: 1,
    candidates: [],
    diff: [],
    reason: 'Its text changed.',
  };
  const said = (cause: Cause) => {
    const pin = new Pin('c_1');
    pin.describe(comment, 1, standingOf(comment, [{ verdict, cause, excuse: null, unreadable: '' }]));
    return pin.button.querySelector('.pin-why')?.textContent;
  };
  expect(said('source')).toBe('Its text changed. (99 % sure)');
  expect(said('unknown')).toBe('May have changed: its text changed. Nothing tells whether the source did.');
});
