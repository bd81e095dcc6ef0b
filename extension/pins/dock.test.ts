// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { sampleComment } from '../testing/samples';
import { Dock } from './dock';
import { Pin } from './pin';
import { type Standing, standingOf } from './standing';

const comment = sampleComment('c_1');

function pin(place: Standing['place'], hiddenIn = ''): Pin {
  const made = new Pin('c_1');
  made.describe(comment, 1, { ...standingOf(comment, []), place, hiddenIn });
  return made;
}

function summaryOf(...pins: Pin[]): string | null | undefined {
  const layer = document.createElement('div');
  new Dock(layer, () => {}).show(pins);
  return layer.querySelector('.dock-toggle')?.textContent;
}

test('what waits at the edge is told by why: hidden and by what, or not found', () => {
  const inDialog = 'in a closed dialog';
  expect(summaryOf(pin('away', inDialog))).toBe('1 hidden (in a closed dialog)');
  expect(summaryOf(pin('away', inDialog), pin('away', inDialog))).toBe('2 hidden (in a closed dialog)');
  expect(summaryOf(pin('away', inDialog), pin('away'))).toBe('2 hidden');
  expect(summaryOf(pin('gone'))).toBe('1 not found');
  expect(summaryOf(pin('away'), pin('gone'), pin('unread'))).toBe('1 hidden, 2 not found');
});

test('a pin in the dock whose place becomes another is counted anew', () => {
  const layer = document.createElement('div');
  const dock = new Dock(layer, () => {});
  const one = pin('away');
  dock.show([one]);
  one.describe(comment, 1, { ...standingOf(comment, []), place: 'gone', hiddenIn: '' });
  expect(dock.show([one])).toBe(true);
  expect(layer.querySelector('.dock-toggle')?.textContent).toBe('1 not found');
  expect(dock.show([one])).toBe(false);
});
