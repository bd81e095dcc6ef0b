// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { MAX_ELEMENTS, mayCopyBackdrop } from './backdrop';
import { nextTurn } from './slices';

vi.mock('./slices', () => ({ nextTurn: vi.fn() }));

/** Each style that is asked for takes this long, milliseconds; answers how many were asked for, by turns of the page. */
function slowStyles(cost: number): number[] {
  const turns = [0];
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const real = window.getComputedStyle.bind(window);
  vi.spyOn(window, 'getComputedStyle').mockImplementation((...asked) => {
    now += cost;
    turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1;
    return real(...asked);
  });
  vi.mocked(nextTurn).mockImplementation(async () => {
    turns.push(0);
  });
  return turns;
}

afterEach(() => {
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

test('a large page is looked through in slices, three styles an element', async () => {
  document.body.innerHTML = '<i></i>'.repeat(1_000);
  const turns = slowStyles(0.1);
  expect(await mayCopyBackdrop(1_000)).toBe(false);
  const all = turns.reduce((sum, each) => sum + each, 0);
  // The head is not drawn.
  expect(all).toBe(3 * document.querySelectorAll('html, body, i').length + 1);
  // 8 ms, and the element that is looked at then.
  expect(Math.max(...turns)).toBeLessThanOrEqual(83);
});

test('what is not known in time is no', async () => {
  document.body.innerHTML = '<i></i>'.repeat(1_000);
  const turns = slowStyles(10);
  expect(await mayCopyBackdrop(1_000)).toBe(true);
  expect(turns.reduce((sum, each) => sum + each, 0)).toBeLessThan(110);
});

test('a page that draws too many elements is no, and what is not drawn does not count', {
  timeout: 30_000,
}, async () => {
  const many = document.createElement('div');
  many.append(...Array.from({ length: MAX_ELEMENTS }, () => document.createElement('i')));
  document.body.append(many);
  vi.spyOn(window, 'getComputedStyle').mockImplementation(
    (element) =>
      ({
        display: (element as HTMLElement).dataset['drawn'] === 'no' ? 'none' : 'block',
        getPropertyValue: () => 'none',
      }) as unknown as CSSStyleDeclaration,
  );
  expect(await mayCopyBackdrop(60_000)).toBe(true);
  many.dataset['drawn'] = 'no';
  expect(await mayCopyBackdrop(60_000)).toBe(false);
});

test('what is in an element that is not drawn is not asked', async () => {
  document.body.innerHTML = `<div style="display: none">${'<i></i>'.repeat(100)}</div><b></b>`;
  const turns = slowStyles(0);
  expect(await mayCopyBackdrop(1_000)).toBe(false);
  // html, head and what it has, body, b; the div once.
  expect(turns[0]).toBeLessThanOrEqual(3 * 5 + 1);
});
