// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { sampleComment } from '../../testing/samples';
import { type Standing, standingOf } from '../sightings/standing';
import { Dock } from './dock';
import { Pin } from './pin';

afterEach(() => {
  document.body.replaceChildren();
});

const comment = { ...sampleComment('c_1'), number: 1 };

function pin(place: Standing['place'], hiddenIn = '', id = 'c_1'): Pin {
  const made = new Pin(id);
  made.describe(comment, { ...standingOf(comment, []), place, hiddenIn });
  return made;
}

function summaryOf(...pins: Pin[]): string | null | undefined {
  const layer = document.createElement('div');
  new Dock(layer, () => {}).show(pins);
  return layer.querySelector('.dock-toggle')?.textContent;
}

/** A strip in the document, and how many pins of it are seen. */
function strip() {
  const layer = document.createElement('div');
  document.body.append(layer);
  const dock = new Dock(layer, () => {});
  const toggle = layer.querySelector<HTMLElement>('.dock-toggle');
  const list = layer.querySelector<HTMLElement>('.dock-list');
  return {
    dock,
    toggle: () => toggle?.click(),
    seen: () => (list?.hidden ? 0 : list?.childElementCount),
    expanded: () => toggle?.getAttribute('aria-expanded'),
  };
}

test('what waits at the edge is told by why: not shown here and what hides it, or not found', () => {
  const inDialog = 'in a closed dialog';
  expect(summaryOf(pin('away', inDialog))).toBe('1 not shown here (in a closed dialog)');
  expect(summaryOf(pin('away', inDialog), pin('away', inDialog))).toBe(
    '2 not shown here (in a closed dialog)',
  );
  expect(summaryOf(pin('away', inDialog), pin('away'))).toBe('2 not shown here');
  expect(summaryOf(pin('gone'))).toBe('1 not found');
  // Its element is there, in a dialog that is closed.
  expect(summaryOf(pin('found'), pin('unsure'), pin('gone'))).toBe('2 not shown here, 1 not found');
  expect(summaryOf(pin('away'), pin('gone'), pin('unread'))).toBe('1 not shown here, 2 not found');
});

test('a pin in the dock whose place becomes another is counted anew', () => {
  const layer = document.createElement('div');
  const dock = new Dock(layer, () => {});
  const one = pin('away');
  dock.show([one]);
  one.describe(comment, { ...standingOf(comment, []), place: 'gone', hiddenIn: '' });
  expect(dock.show([one])).toBe(true);
  expect(layer.querySelector('.dock-toggle')?.textContent).toBe('1 not found');
  expect(dock.show([one])).toBe(false);
});

test('from four pins on the dock is one line until the person opens it', () => {
  expect(summaryOf(...Array.from({ length: 3 }, () => pin('away')))).toBe('3 not shown here');
  expect(summaryOf(...Array.from({ length: 4 }, () => pin('away', 'in a closed dialog')))).toBe(
    '4 not shown here',
  );
  expect(summaryOf(pin('away'), pin('away'), pin('away'), pin('gone'), pin('unread'))).toBe(
    '5 not shown here (2 not found)',
  );
  expect(summaryOf(...Array.from({ length: 4 }, () => pin('gone')))).toBe('4 not found');

  const pins = ['c_1', 'c_2', 'c_3', 'c_4', 'c_5'].map((id) => pin('away', '', id));
  const { dock, toggle, seen, expanded } = strip();
  dock.show(pins.slice(0, 3));
  expect([seen(), expanded()]).toEqual([3, 'true']);
  dock.show(pins.slice(0, 4));
  expect([seen(), expanded()]).toEqual([0, 'false']);
  toggle();
  expect([seen(), expanded()]).toEqual([4, 'true']);
});

test('the dock stays as the person chose, however many pins come and go', () => {
  const pins = ['c_1', 'c_2', 'c_3', 'c_4', 'c_5'].map((id) => pin('away', '', id));
  const { dock, toggle, seen } = strip();
  dock.show(pins.slice(0, 4));
  toggle();
  dock.show(pins);
  expect(seen()).toBe(5);
  toggle();
  for (const each of pins.slice(2)) each.button.remove();
  dock.show(pins.slice(0, 2));
  expect(seen()).toBe(0);
});

test('a pin whose thread is open is not folded away: the focus comes back to it', () => {
  const pins = ['c_1', 'c_2', 'c_3', 'c_4', 'c_5'].map((id) => pin('away', '', id));
  const { dock, seen } = strip();
  dock.show(pins.slice(0, 3));
  pins[0]?.open(true);
  dock.show(pins.slice(0, 4));
  expect(seen()).toBe(4);
  pins[0]?.open(false);
  dock.show(pins);
  expect(seen()).toBe(0);
});

test('each pin of the dock shows the first words of its comment', () => {
  const { dock } = strip();
  const one = pin('away');
  const words = { words: 'Active, not shown here', reason: 'It is in a closed dialog.' };
  one.describe(comment, { ...standingOf(comment, []), place: 'away', ...words });
  dock.show([one]);
  expect(one.button.querySelector('.pin-excerpt')?.textContent).toBe(comment.text);
  // People speak what they see; on the page that is the reason.
  expect(one.button.getAttribute('aria-label')).toContain(
    `1 Active, not shown here ${comment.text}. It is in a closed dialog.`,
  );
  one.moveTo({ x: 40, y: 40 });
  expect(one.button.getAttribute('aria-label')).toContain(
    '1 Active, not shown here It is in a closed dialog.',
  );
});

test('the thread of a pin in the folded dock stands where the dock is', () => {
  const pins = ['c_1', 'c_2', 'c_3', 'c_4'].map((id) => pin('away', '', id));
  const { dock, toggle } = strip();
  const [first] = pins;
  if (!first) throw new Error('no pin');
  dock.show(pins);
  expect(dock.boxFor(first)).not.toBeNull();
  toggle();
  expect(dock.boxFor(first)).toBeNull();
});
