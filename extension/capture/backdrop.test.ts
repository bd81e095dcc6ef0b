// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { MAX_ELEMENTS, mayCopy } from './backdrop';
import { nextTurn } from './slices';

vi.mock('./slices', () => ({ nextTurn: vi.fn() }));

/**
 * Each style that is asked for takes this long, milliseconds; answers how many were asked for, by turns of the page.
 */
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
  expect(await mayCopy(1_000)).toBe(false);
  const all = turns.reduce((sum, each) => sum + each, 0);
  // The head is not drawn.
  expect(all).toBe(3 * document.querySelectorAll('html, body, i').length + 1);
  // 8 ms, and the element that is looked at then.
  expect(Math.max(...turns)).toBeLessThanOrEqual(83);
});

test('what is not known in time is no', async () => {
  document.body.innerHTML = '<i></i>'.repeat(1_000);
  const turns = slowStyles(10);
  expect(await mayCopy(1_000)).toBe(true);
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
        display: (element as HTMLElement).dataset.drawn === 'no' ? 'none' : 'block',
        getPropertyValue: () => 'none',
      }) as unknown as CSSStyleDeclaration,
  );
  expect(await mayCopy(60_000)).toBe(true);
  many.dataset.drawn = 'no';
  expect(await mayCopy(60_000)).toBe(false);
});

test('what is in an element that is not drawn is not asked', async () => {
  document.body.innerHTML = `<div style="display: none">${'<i></i>'.repeat(100)}</div><b></b>`;
  const turns = slowStyles(0);
  expect(await mayCopy(1_000)).toBe(false);
  // html, head and what it has, body, b; the div once.
  expect(turns[0]).toBeLessThanOrEqual(3 * 5 + 1);
});

/** A sheet with so many rules; each that is looked at takes 0.1 ms. */
function slowSheet(count: number): {
  sheet: CSSStyleSheet;
  rules: object[];
  looked: () => number;
  turns: number[];
} {
  const turns = [0];
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.mocked(nextTurn).mockImplementation(async () => {
    turns.push(0);
  });
  const rule = (filter: string) => ({
    type: 1,
    selectorText: 'input::-webkit-slider-thumb',
    get style() {
      now += 0.1;
      turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1;
      return { getPropertyValue: () => filter, cssText: '' };
    },
  });
  const rules = Array.from({ length: count }, () => rule('none'));
  const sheet = { disabled: false, cssRules: rules, rule } as unknown as CSSStyleSheet;
  return { sheet, rules, looked: () => turns.reduce((sum, each) => sum + each, 0), turns };
}

/** Elements with a shadow root, all with the same sheets. */
function componentsWith(sheets: CSSStyleSheet[], count: number): void {
  vi.spyOn(ShadowRoot.prototype, 'adoptedStyleSheets', 'get').mockReturnValue(sheets);
  for (let left = count; left > 0; left--) {
    const host = document.createElement('div');
    host.attachShadow({ mode: 'open' });
    document.body.append(host);
  }
}

test('a sheet that many shadow roots have is looked through once, in slices', async () => {
  const { sheet, looked, turns } = slowSheet(1_000);
  componentsWith([sheet], 50);
  expect(await mayCopy(1_000)).toBe(false);
  expect(looked()).toBe(1_000);
  // 8 ms, and the rule that is looked at then.
  expect(Math.max(...turns)).toBeLessThanOrEqual(81);
});

test('sheets that are not known in time are no', async () => {
  const { sheet, looked } = slowSheet(20_000);
  componentsWith([sheet], 1);
  expect(await mayCopy(1_000)).toBe(true);
  expect(looked()).toBeLessThan(10_200);
});

test('rules that a page takes away while its sheets are looked through have no other passed over', async () => {
  const { sheet, rules } = slowSheet(1_000);
  const { rule } = sheet as unknown as { rule: (filter: string) => object };
  rules[110] = rule('url(#away)');
  componentsWith([sheet], 1);
  vi.mocked(nextTurn).mockImplementation(async () => {
    rules.splice(0, 20);
  });
  expect(await mayCopy(1_000)).toBe(true);
});

test('rules that a page puts elsewhere while its sheets are looked through have no other passed over', async () => {
  const { sheet, rules } = slowSheet(1_000);
  const { rule } = sheet as unknown as { rule: (filter: string) => object };
  rules[110] = rule('url(#away)');
  componentsWith([sheet], 1);
  let turns = 0;
  vi.mocked(nextTurn).mockImplementation(async () => {
    // As many as before, all at other places.
    if (++turns <= 4) rules.push(...rules.splice(0, 20));
  });
  expect(await mayCopy(1_000)).toBe(true);
});

test('rules around the ones that are looked through, put elsewhere meanwhile, have none passed over', async () => {
  const { sheet: inner } = slowSheet(100);
  const { rule } = inner as unknown as { rule: (filter: string) => object };
  const around = Object.assign(rule('none'), { cssRules: inner.cssRules });
  const rules: object[] = [rule('none'), around, rule('url(#away)')];
  const sheet = { disabled: false, cssRules: rules } as unknown as CSSStyleSheet;
  componentsWith([sheet], 1);
  let turns = 0;
  vi.mocked(nextTurn).mockImplementation(async () => {
    // The first turn is before the search.
    if (++turns === 2) rules.push(...rules.splice(0, 2));
  });
  expect(await mayCopy(1_000)).toBe(true);
});

test('an element that comes while the sheets are looked through is looked at', async () => {
  const { sheet } = slowSheet(200);
  componentsWith([sheet], 1);
  let turns = 0;
  vi.mocked(nextTurn).mockImplementation(async () => {
    const root = document.querySelector('div')?.shadowRoot;
    // The first turn is before the search.
    if (++turns === 2 && root) root.innerHTML = '<b style="backdrop-filter: url(#away)"></b>';
  });
  expect(await mayCopy(1_000)).toBe(true);
});
