import { expect, test, vi } from 'vitest';
import { loadCoreForTest } from '../testing/core';
import type { Core } from './core';
import { KeptAnchors, MOST_KEPT } from './kept-anchors';

/** Counts what is decoded, without decoding it. */
class FakeAnchors {
  next = 0;
  keep = vi.fn((anchor: string, _look?: string) => {
    if (anchor === 'damaged') throw new Error('the anchor is damaged');
    return this.next++;
  });
  drop = vi.fn();
}

function kept() {
  const anchors = new KeptAnchors({ Anchors: FakeAnchors } as unknown as Core);
  return { fake: anchors.anchors as unknown as FakeAnchors, kept: anchors };
}

test('an anchor is decoded once for each look, and each has an id of its own', () => {
  const { fake, kept: anchors } = kept();
  const ids = [undefined, 'x', 'y', 'x', undefined].map((look) => anchors.idOf('a', look));
  expect(ids).toEqual([0, 1, 2, 1, 0]);
  expect(fake.keep).toHaveBeenCalledTimes(3);
});

test('one that cannot be read is said again without being read again', () => {
  const { fake, kept: anchors } = kept();
  for (let time = 0; time < 2; time++)
    expect(anchors.idOf('damaged')).toEqual(new Error('the anchor is damaged'));
  expect(fake.keep).toHaveBeenCalledTimes(1);
});

test('those that were asked for longest ago are dropped, and only when that is asked for', () => {
  const { fake, kept: anchors } = kept();
  anchors.idOf('damaged');
  for (let at = 0; at < MOST_KEPT + 2; at++) anchors.idOf(`a${at}`);
  anchors.idOf('a0');
  expect(fake.drop).not.toHaveBeenCalled();
  anchors.trim();
  expect(fake.drop.mock.calls).toEqual([[1], [2]]);
  expect(anchors.idOf('a0')).toBe(0);
  expect(anchors.idOf('a1')).toBe(MOST_KEPT + 2);
});

test('the core says why an anchor cannot be read', () => {
  const anchors = new KeptAnchors(loadCoreForTest());
  expect(String(anchors.idOf('AQ=='))).toContain('damaged');
  expect(String(anchors.idOf('//8='))).toContain('update opentoolbar');
});
