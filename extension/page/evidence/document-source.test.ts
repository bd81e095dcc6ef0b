import { expect, test } from 'vitest';
import { documentSource } from './document-source';

function read(text: string) {
  const parts = documentSource(text);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

const code = (text: string) => read(text).code;
const words = (body: string) => read(`<!doctype html><title>T</title><body>${body}</body>`).words;
/** Without what it says. */
const source = (text: string) => ({ ...read(text), words: null });
const made = (body: string) => read(`<!doctype html><title>T</title><body>${body}</body>`).skeleton;

/** A page as a server writes it: what is between `$` and `$` is data. */
const page = (nonce: string, rows: string[], more = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="csrf-token" content="${nonce}">
<title>${rows.length} orders</title>
<script type="module" src="/@vite/client"></script>
<style nonce="${nonce}">.row { color: green } /* ${nonce} */</style>
<script nonce="${nonce}">window.__STATE__ = ${JSON.stringify({ nonce, rows })}; start(document, '${nonce}')</script>
<script type="application/ld+json">${JSON.stringify(rows)}</script>
<script type="application/json">{"nonce": "${nonce}"}</script>
<script>dataLayer = window.dataLayer || []; dataLayer.push({"user": "${nonce}", "at": ${Date.now()}})</script>
</head><body>${more}<h1>Orders</h1><p>Read at ${nonce}<ul>
${rows.map((row, at) => `<li id="row-${at}" class="row row-${at}"><b>${row}</b><button onclick="remove(${at}, &quot;${row.replaceAll('"', '\\&quot;')}&quot;)">x</button>`).join('')}
</ul></body></html>`;

test('another nonce, token, state, number of rows and other words are the same source', () => {
  const one = source(page('a1', ['Tea', 'Milk']));
  expect(source(page('b2', ['Rice', 'Corn</b>', 'Nuts', '"Figs"']))).toEqual(one);
  expect(one.code).toHaveLength(3);
});

test('an edited script, style sheet or handler in a document is other code', () => {
  const before = page('a1', ['Tea']);
  for (const [from, to] of [
    ['start(document', 'begin(document'],
    ['color: green', 'color: blue'],
    ['remove(', 'archive('],
  ] as const) {
    const after = code(before.replace(from, to));
    expect(after.filter((piece) => !code(before).includes(piece))).toHaveLength(1);
  }
  expect(code(before.replaceAll(' ', '  '))).toEqual(code(before));
});

test('what a library writes for one element under a name that is new for each load is the same code', () => {
  const map = (id: string) =>
    `<style>#map_${id}, .leaflet-${id} b { color: #aabb1122 }</style><div id="map_${id}" onclick="map_${id}.fit()"></div>
<script>var map_${id} = L.map("map_${id}", {"center": [1, 2]}); add(map_${id});</script>`;
  const [one, two] = [map('3f9ab2c1d4'), map('77ce01bb9a')];
  expect(code(one)).toHaveLength(3);
  expect(read(one)).toEqual(read(two));
  expect(code(one.replace('aabb1122', 'aabb1133'))).not.toEqual(code(one));
});

test('scripts that are loaded, that are no code, or were made of what was drawn say nothing', () => {
  expect(code('<script src="/a.js">go(now)</script>')).toEqual([]);
  expect(
    code('<script type="importmap">{"imports": {}}</script><script type="text/html"><b></script>'),
  ).toEqual([]);
  expect(code('<style data-emotion="css 1x">.css-1x{color:red}</style><style> </style>')).toEqual([]);
  expect(code('<!-- <script>go(now)</script> --><textarea><script>go(now)</script></textarea>')).toEqual([]);
  expect(code('<SCRIPT TYPE=text/javascript>go(now)</SCRIPT >')).toEqual(code('<script>go(now)'));
});

test('a page with the state of two megabytes in a script is told by the rest of it', () => {
  const row = 'Two rows and a "half"';
  const long = page(
    'a',
    Array.from({ length: 30_000 }, () => row),
  );
  expect(long.length).toBeGreaterThan(2_000_000);
  expect(source(long)).toEqual(source(page('b', ['Tea'])));
});

test('what a document says is its texts and names in their order, however they are spaced; not its states, code and lone numbers', () => {
  const one = words('<h1>Top 10 of the day</h1><p title="All of them">Only € <b>24</b>, <!-- -->today</p>');
  expect(
    words(
      '<h1 class="a" hidden>Top  10\n of the day </h1><p title="All of them">Only € <b>29</b>, <!-- -->today',
    ),
  ).toBe(one);
  expect(
    words(
      '<h1>Top 10 of the day</h1><script>say("Tea")</script><p title="All of them" data-state="Tea">Only € <b>€ 24.50</b>, <!-- x -->today<textarea>Tea</textarea>',
    ),
  ).toBe(one);
  for (const [from, to] of [
    ['Top 10', 'Top 5'],
    ['All of', 'Most of'],
    ['today', 'now'],
  ] as const) {
    const text = '<h1>Top 10 of the day</h1><p title="All of them">Only € <b>24</b>, <!-- -->today</p>';
    expect(words(text.replace(from, to))).not.toBe(one);
  }
  expect(words('<b>Tea</b><i>Milk</i>')).not.toBe(words('<b>Milk</b><i>Tea</i>'));
  expect(words('<b>Tea</b><i>Milk</i>')).not.toBe(words('<b>Tea Milk</b>'));
  expect(words('<div hidden></div><p>12')).toBeNull();
});

test('the kinds of elements are the same for any number of rows, other words, ids and states', () => {
  const rows = (...all: string[]) => made(`<ul class="list">${all.join('')}</ul>`);
  expect(rows('<li class="row row-1 is-open">1', '<li id="b" class="row row-7">2')).toBe(
    rows('<li class="row row-12">3'),
  );
  const table = (count: number) => made(`<table>${'<tr><td>1<td><p>2<p>3'.repeat(count)}</table><p>4`);
  expect(table(3)).toBe(table(1));
  const inner = (list: string) => made(`<ul class="outer"><li>1${list}</ul>`);
  expect(inner('<ul class="inner"><li>2</ul>')).not.toBe(inner('<ul class="inner"></ul><li>2'));
  const item = '<article><h2>A</h2><div>B</div></article>';
  expect(made(`<main>${item}${item}</main>`)).toBe(made(`<main>${item}</main>`));
  expect(made('<i class="css-1x2y icon"></i><svg><path/></svg><b>x</b>')).toBe(
    made('<i class="icon css-9z8y"></i><svg/><b>y</b>'),
  );
  expect(made('<script>1</script><br>')).toBeNull();
});

test('another kind of element, in another one, or with another class is another skeleton', () => {
  const before = made('<main><h1>A</h1><p class="intro">B</p></main>');
  for (const body of [
    '<main><h2>A</h2><p class="intro">B</p></main>',
    '<main><h1>A</h1><p class="lead">B</p></main>',
    '<main><h1>A</h1></main><p class="intro">B</p>',
    '<main><h1>A</h1><p class="intro">B</p><aside>C</aside></main>',
  ])
    expect(made(body)).not.toBe(before);
});

test('of the kinds of elements a sample is told, the same for the same ones, which tells an edit from another page', () => {
  const parts = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `<p class="${'x'.repeat(from + at)}">${at}</p>`).join('');
  const kinds = (body: string) => read(`<title>T</title>${body}`).kinds;
  const before = kinds(parts(1, 40));
  const shared = (other: string[]) => other.filter((kind) => before.includes(kind)).length;
  expect(before).toHaveLength(16);
  expect(before.join(' ').length).toBeLessThanOrEqual(200);
  expect(kinds(`${parts(20, 21)}${parts(1, 19)}`)).toEqual(before);
  expect(shared(kinds(parts(1, 42)))).toBeGreaterThan(12);
  expect(shared(kinds(parts(50, 40)))).toBe(0);
  expect(kinds('<script>1</script>')).toEqual([]);
});

test('what is no document comes to an end, in time that grows with its length', () => {
  for (const text of [
    '',
    '<',
    '</',
    '<a',
    '<a b',
    '<a b=',
    '<a b="',
    '<!--',
    '<!',
    '<script',
    '<script>',
    '</x',
    '<p =x=y',
  ])
    expect(read(text).code).toEqual([]);
  const started = performance.now();
  for (const one of ['<a b="', '<!--', '<script>', '<a ', '<p', '</p>', '<', '<li>', "<a onclick='", '<svg>'])
    read(one.repeat(1_000_000 / one.length));
  expect(performance.now() - started).toBeLessThan(20_000);
});
