// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { capturePageNow } from './capture';
import { viewOf } from './dom';

/** As in browsers, where each document asks its prototype for its window. */
vi.hoisted(() => {
  const view = document.defaultView;
  Object.defineProperty(Document.prototype, 'defaultView', { get: () => view, configurable: true });
});

/**
 * A document answers the page's own scripts with `<img name="defaultView">`. No browser lets content scripts see that
 * now, so that only here can it be told whether we rely on it.
 */
beforeEach(() => {
  document.body.innerHTML = '<img name="defaultView"><button>Save</button>';
  const picture = document.querySelector('img');
  Object.defineProperty(document, 'defaultView', { value: picture, configurable: true });
  expect(document.defaultView).toBe(picture);
});
afterEach(() => {
  Reflect.deleteProperty(document, 'defaultView');
});

test('the window of a document with a picture of that name is its window', () => {
  expect(viewOf(document)).toBe(window);
});

test('a capture of a document with a picture called as its window is as large as the window', () => {
  expect(innerWidth).toBeGreaterThan(0);
  expect(capturePageNow().capture.viewport).toEqual({ width: innerWidth, height: innerHeight });
});
