import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { HiddenPins } from './hidden-pins';

beforeEach(() => fakeBrowser.reset());

test('pins are hidden in one tab, and a background that starts anew knows', async () => {
  const pins = new HiddenPins();
  await pins.toggle(7);
  expect([await pins.of(7), await pins.of(8)]).toEqual([true, false]);
  const anew = new HiddenPins();
  expect(await anew.of(7)).toBe(true);
  await anew.toggle(7);
  expect(await new HiddenPins().of(7)).toBe(false);
});
