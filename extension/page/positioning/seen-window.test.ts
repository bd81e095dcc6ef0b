// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { seenWindow } from './seen-window';

const root = document.documentElement;

function sized(width: number, height: number): void {
  Object.defineProperty(document, 'scrollingElement', { configurable: true, value: root });
  Object.defineProperty(root, 'clientWidth', { configurable: true, value: width });
  Object.defineProperty(root, 'clientHeight', { configurable: true, value: height });
}

afterEach(() => sized(0, 0));

test('scroll bars beside the page are not part of what is seen, and a page cannot make more of it', () => {
  sized(innerWidth - 15, innerHeight - 15);
  expect(seenWindow()).toEqual({ width: innerWidth - 15, height: innerHeight - 15 });
  sized(innerWidth * 2, 0);
  expect(seenWindow()).toEqual({ width: innerWidth, height: innerHeight });
});
