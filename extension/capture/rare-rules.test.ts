// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { mayCopy } from './backdrop';

vi.hoisted(() => {
  // A browser with pictures of elements.
  vi.stubGlobal('CSS', { supports: (_property: string, value: string) => value === '-moz-element(#a)' });
});

afterEach(() => {
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

/** A shadow root with this sheet and this element in the page. */
function lay(rule: string, element: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rule);
  vi.spyOn(ShadowRoot.prototype, 'adoptedStyleSheets', 'get').mockReturnValue([sheet]);
  document.body.innerHTML = '<div></div>';
  const root = document.querySelector('div')?.attachShadow({ mode: 'open' });
  if (root) root.innerHTML = element;
  return sheet;
}
const isCopied = (rule: string, element: string) => {
  lay(rule, element);
  return mayCopy(60_000);
};
const thumb = (style: string) => `input::-moz-range-thumb { ${style} }`;
const input = (style: string) => `<div style="${style}"><b><input type="range"></b></div>`;
const PICTURE = '-moz-element(#pw)';

test.each([
  'background: var(--p)',
  '--own: red, VAR( --p , none )',
  'background-image: var(--p)',
  'border-image: var(--none, var(--p))',
  'content: var(--p)',
  'list-style: var(--p)',
  'mask: var(--p)',
  '--own: var(--p)',
])('a picture that %s gets from a variable of an element is found', async (style) => {
  expect(await isCopied(thumb(style), input(`--p: ${PICTURE}`))).toBe(true);
  expect(await isCopied(thumb(style), input('--p: rgb(255 0 0); --other: url(#pw)'))).toBe(false);
});

test('a variable that no such part has, or that is nothing to draw, forbids no picture', async () => {
  expect(await isCopied('input { background: var(--p) }', input(`--p: ${PICTURE}`))).toBe(false);
  expect(await isCopied(thumb('width: var(--p)'), input(`--p: ${PICTURE}`))).toBe(false);
});

test.each([
  '--own: if(style(--far: 1): var(--p))',
  '--own: attr(data-far type(*))',
  '--own: --far()',
  String.raw`--own: var(--a\:b)`,
])('what %s stands for is not known', async (style) => {
  expect(await isCopied(thumb(style), input(''))).toBe(true);
});

test('a value that the browser does not tell is not known, a text is no picture', async () => {
  expect(await isCopied(thumb('content: attr(data-text)'), input(''))).toBe(false);
  expect(await isCopied(thumb('width: 1px'), input(''))).toBe(false);
  const sheet = lay(thumb('width: 1px'), input(''));
  // `background: var(--p); background-color: red` in Firefox.
  const style = Object.assign(['background-image', 'background-color'], {
    getPropertyValue: (name: string) => (name === 'background-color' ? 'red' : ''),
    cssText: 'background-image: ; background-color: red;',
  });
  vi.spyOn(sheet.cssRules[0] as CSSStyleRule, 'style', 'get').mockReturnValue(
    style as unknown as CSSStyleDeclaration,
  );
  expect(await mayCopy(60_000)).toBe(true);
});

test('what a variable is at first is looked at', async () => {
  expect(await isCopied('', input(''))).toBe(false);
  const sheet = lay('', input(''));
  const property = { name: '--p', syntax: '*', inherits: true, initialValue: PICTURE };
  vi.spyOn(sheet, 'cssRules', 'get').mockReturnValue([property] as unknown as CSSRuleList);
  expect(await mayCopy(60_000)).toBe(true);
});
