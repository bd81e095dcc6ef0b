// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is taken has template literals.
import { expect, test } from 'vitest';
import { codeOf } from './script-code';

function code(text: string): string {
  const parts = codeOf(text);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

const same = (one: string, other: string) => expect(code(one)).toBe(code(other));
const other = (one: string, two: string) => expect(code(one)).not.toBe(code(two));

test('an edit of the code is another code', () => {
  other('menu.onclick = () => menu.open();', 'menu.onclick = () => menu.close();');
  other('start();\nshow(menu)', 'start();\nshow(menu);\nhide(cart)');
  other('if (a) b()', 'if (!a) b()');
  other('x = list.filter(/a+/.test)', 'x = list.filter(/b+/.test)');
  other('x(`${one}`)', 'x(`${two}`)');
});

test('strings, numbers and texts of templates are data: nonces, tokens, prices', () => {
  same("post(form, 'a1b2', 5)", 'post(form, "it\'s \\"c3\\"", -6.5e-3)');
  same('el.textContent = `5 of ${count} left`', 'el.textContent = `none of ${count}, {} or "`');
  same('if (n > 5) go(a, true)', 'if (n > 12) go(a, false)');
  same('drawMap(map_6, el7)', 'drawMap(map_42, el8)');
  expect(code('if (n > 5) go(`a${b}c`, /["]/g, "x")')).toBe('if(n>#)go(# ${b},/["]/g,#)');
});

test('comments, spaces and line ends are no code', () => {
  same('a(b); // built at 12:03\nc(d)', "<!-- x\na( b )\n\n\n/* it's 12:04 */ c(d);");
});

test('an object or a list of nothing but data is data, whatever its keys', () => {
  const rows = (...all: object[]) => `init(app, ${JSON.stringify(all)}, run)`;
  same(rows({ id: 1, tags: [], 'a b': { c: null } }), rows({ other: [true, -2, 'x'] }, {}));
  same('init(app, {a: 1, "b": [2, void 0, new Date(5)]})', 'init(app, {c: -3})');
  other('init(app, {a: 1, run() { go() }})', 'init(app, {a: 1, run() { stop() }})');
  other('init(app, {a: b})', 'init(app, {a: c})');
  other('init(app, [a, 1])', 'init(app, [1])');
});

test('a script, or a statement, that only hands data over is none of the code', () => {
  const state = (value: object) => `window.__STATE__ = ${JSON.stringify(value)};`;
  expect(code(state({ cart: [{ id: 1 }], user: null }))).toBe('');
  expect(code('var user = "Ann"\nlet n = -5; window["x"] = [1]; track("view", {id: 5})')).toBe('');
  expect(code('(self.__f = self.__f || []).push([1, "a"]); dataLayer = dataLayer || []')).toBe('');
  expect(code(`${state({ a: 1 })}\nstart(app)`)).toBe(code('start(app)'));
  expect(code('var user = who()')).toBe('var user=who()');
});

test('what a loop of the template writes once for each row is the same for any number of rows', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => `map.add(new Marker(${at}, "${at}"));`).join('\n');
  same(`begin(map)\n${rows(1)}\nend(map)`, `begin(map)\n${rows(7)}\nend(map)`);
  other(`begin(map)\n${rows(2)}\nend(map)`, 'begin(map)\nend(map)');
});

test('a state of two megabytes is taken in parts, in any form, and is data', () => {
  const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, name: `Row "${id}"`, tags: ['a', 'b'] }));
  const json = JSON.stringify(rows);
  expect(json.length).toBeGreaterThan(2_000_000);
  for (const text of [
    `window.__STATE__ = ${json}`,
    `window.__STATE__ = JSON.parse(${JSON.stringify(json)})`,
  ]) {
    let parts = 0;
    const taking = codeOf(text);
    while (!taking.next().done) parts++;
    if (!text.includes('JSON.parse')) expect(parts).toBeGreaterThan(20);
    expect(code(text)).toBe('');
  }
});

test('what is no script at all comes to an end', () => {
  for (const text of [
    '}])`',
    '`${',
    '"',
    "'\\",
    '/',
    '/*',
    '((((',
    '`${`${`',
    '\\',
    '<!--',
    '1e+',
    'a/b/c/d',
    '\u{1f642}',
  ])
    expect(typeof code(text)).toBe('string');
  expect(code(`${'['.repeat(100_000)}1`).length).toBe(100_001);
});
