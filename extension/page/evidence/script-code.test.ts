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
  same('init(app, {a: 1})', 'init(app, {\n  "a": [\n    -1\n  ],\n  b: 2,\n})');
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

test('statements of one row count once together, at the top and in a function, and where only data stands between', () => {
  const rows = (count: number, row: (at: number) => string, between = '\n') =>
    Array.from({ length: count }, (_, at) => row(at)).join(between);
  const marker = (at: number) =>
    `var marker = L.marker([59.${at}, 18]).addTo(map);\nmarker.bindPopup("Shop ${at}");`;
  const pushed = (at: number) => `labels.push("d${at}"); values.push(${at}); draw(chart, ${at})`;
  const made = (at: number) => `var m${at} = new Marker({at: ${at}, map: map})`;
  const unless = (at: number) => `if (id === ${at}) { show(map) }`;
  for (const row of [marker, pushed, made, unless])
    for (const between of ['\n', '; ', ';\n\n']) {
      const of = (count: number) => rows(count, row, between);
      same(`begin(map)\n${of(1)}\nend(map)`, `begin(map)\n${of(4)}\nend(map)`);
      const init = (count: number) => `function init() {\n  begin(map);\n  ${of(count)}\n  end(map)\n}`;
      same(init(1), init(5));
      other(init(1), init(1).replace('end', 'close'));
      other(init(2), 'function init() { begin(map); end(map) }');
    }
  same(`run(() => { ${rows(1, unless, ' ')} go() })`, `run(() => { ${rows(3, unless, ' ')} go() })`);
});

test('items that a loop writes into a list, a call or an object count once', () => {
  same('go([new Row(1)])', 'go([new Row(1), new Row(2),\n new Row(3),])');
  same('add(row(1), map)', 'add(row(1), row(2), map)');
  same('init({"a": row(1)})', 'init({\n  "a": row(1),\n  "b": row(2)\n})');
  same(
    'go([{of: map, at: 1}, {of: cart, at: 1}])',
    'go([{of: map, at: 1}, {of: cart, at: 2}, {of: map, at: 3}])',
  );
  other('go([new Row(1)])', 'go([new Line(1)])');
  other('go([new Row(1), map])', 'go([map, new Row(1)])');
  same('init({a: x, b: y})', 'init({\n  a: x,\n  b: y,\n})');
  other('init({a: row(1)})', 'init({a: row(1), b: row(1)})');
  other(
    'if (a) { x() } else { z() } if (b) { y() } else { z() }',
    'if (a) { x() } else { z() } if (b) { y() }',
  );
  other('class A { a() { go() } b() { go() } }', 'class A { a() { go() } }');
});

test('names that are made up anew for each load are the same name', () => {
  for (const [one, two] of [
    ['3f9ab2c1d4', '77ce01bb9a'],
    ['65f1a2b3c4d5e', 'a5f2be0d77a1c'],
    ['3f9ab2c', 'be0d77a'],
    ['f1e2d3c4b5a697881726354433221100', '0123456789abcdef0123456789abcdef'],
    ['1b4e28ba_2fa1_11d2_883f_0016d3cca427', 'd7a8fbb3_07d7_4809_a8f1_0c6d1e2fa5b9'],
    ['V1StGXR8Z5j', 'a8KdP2m9Qw1'],
  ]) {
    same(`var map_${one} = draw(el); map_${one}.fit()`, `var map_${two} = draw(el); map_${two}.fit()`);
    other(`map_${one}.fit()`, `cart_${two}.fit()`);
  }
  same('go(map3f9ab2c1d4)', 'go(map77ce01bb9a)');
  for (const [one, two] of [
    ['base64Encode', 'base64Decode'],
    ['addFeedback', 'addFacade'],
    ['sha256Of', 'md5Of'],
    ['get2dContext', 'get3dContexts'],
    ['bedfaced1', 'facadeded1'],
  ])
    other(`${one}(x)`, `${two}(x)`);
});

test('an edit behind a quote in a regular expression or in the text of an element is seen', () => {
  for (const before of [
    "if (a) /'/.test(s); ",
    'while (next(a)) /["]/.exec(s); ',
    "function f() { go() } /[']/.test(x); ",
    "const A = () => <p>It's {n}</p>; ",
  ])
    other(`${before}go()`, `${before}stop()`);
  same(`x = (a + b) / c; go(d / e, '1/2')`, `x = (a + b) / c; go(d / e, "")`);
  same(`switch (a) { case'b': return'c' }`, `switch (a) { case"d": return"e/" }`);
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
