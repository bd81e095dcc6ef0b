// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { Cause } from '../../generated/Cause';
import type { Verdict } from '../../generated/Verdict';
import { sampleComment } from '../../testing/samples';
import { standingOf } from '../sightings/standing';
import { Pin } from './pin';

test('how sure a verdict is stands behind what is known to have changed, and not behind what may have', () => {
  const comment = { ...sampleComment('c_1'), number: 1 };
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
    pin.describe(comment, standingOf(comment, [{ verdict, cause, excuse: null, unreadable: '' }]));
    return pin.button.querySelector('.pin-why')?.textContent;
  };
  expect(said('source')).toBe('Its text changed. (99 % sure)');
  expect(said('unknown')).toBe('May have changed: its text changed. Nothing tells whether the source did.');
});

test('a pin shows the number that the hub gave the comment, and until then a mark and words', () => {
  const comment = sampleComment('c_1');
  const pin = new Pin('c_1');
  const { button } = pin;
  const standing = standingOf(comment, []);
  pin.describe(comment, standing);
  expect(button.querySelector('.pin-number svg')).not.toBeNull();
  expect(button.querySelector('.pin-number')?.textContent).toBe('');
  expect(button.dataset.number).toBeUndefined();
  expect(button.querySelector('.pin-word')?.textContent).toMatch(/, not sent yet$/);
  expect(button.getAttribute('aria-label')).toMatch(/^Comment [^\d]*, not sent yet: Make it blue$/);
  expect(pin.describe({ ...comment, number: 12 }, standing)).toBe(true);
  expect(button.querySelector('.pin-number')?.textContent).toBe('12');
  expect(button.querySelector('.pin-number svg')).toBeNull();
  expect(button.dataset.number).toBe('12');
  expect(button.getAttribute('aria-label')).toMatch(/^Comment 12 (?!.*not sent)/);
});
