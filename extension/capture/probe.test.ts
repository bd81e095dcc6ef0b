// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { readFramework } from './frameworks/read';
import { probe, probePicked, readProbeFacts } from './probe';
import { PROBE_EVENT } from './probe-event';

function element(html: string): Element {
  document.body.innerHTML = html;
  const found = document.querySelector('#it');
  if (!found) throw new Error('no #it');
  return found;
}

describe('frameworks tell', () => {
  it('React to 18: component, file, line and column', () => {
    function SaveButton() {}
    const it = element('<button id="it"></button>');
    const owner = { type: SaveButton, return: null };
    const source = { fileName: '/src/SaveButton.tsx', lineNumber: 8, columnNumber: 3 };
    Object.assign(it, { __reactFiber$x1: { type: 'button', _debugSource: source, return: owner } });
    expect(readFramework(it)).toEqual({
      framework: 'react',
      component: 'SaveButton',
      file: '/src/SaveButton.tsx',
      line: 8,
      column: 3,
    });
  });

  it('memo and forwardRef are seen through; the name that hot reload gives is none', () => {
    const it = element('<button id="it"></button>');
    const type = { type: { render: Object.assign(() => null, { displayName: 'Fancy' }) } };
    Object.assign(it, { __reactFiber$x1: { type: 'button', return: { type, return: null } } });
    expect(readFramework(it)).toEqual({ framework: 'react', component: 'Fancy' });
    const nameless = { type: Object.defineProperty(() => null, 'name', { value: '_c2' }), return: null };
    Object.assign(it, { __reactFiber$x1: { type: 'button', return: nameless } });
    expect(readFramework(it)).toBeNull();
  });

  it('a name that a minifier shortened is none, nor is that of the component around it', () => {
    const named = (name: string) => Object.defineProperty(() => null, 'name', { value: name });
    const it = element('<button id="it"></button>');
    const around = { type: named('Checkout'), return: null };
    for (const [name, told] of [
      ['m', null],
      ['Xe', null],
      ['Qr1', null],
      ['checkout', null],
      ['CheckoutButton', { framework: 'react', component: 'CheckoutButton' }],
    ] as const) {
      Object.assign(it, {
        __reactFiber$x1: { type: 'button', return: { type: named(name), return: around } },
      });
      expect(readFramework(it), name).toEqual(told);
    }
    // In development names are as they are written.
    const owner = { type: named('UI'), return: null, _debugOwner: null };
    Object.assign(it, { __reactFiber$x1: { type: 'button', return: owner, _debugOwner: owner } });
    expect(readFramework(it)).toEqual({ framework: 'react', component: 'UI' });
  });

  it('Vue 3 and Vue 2: file and name', () => {
    const three = element('<p id="it"></p>');
    Object.assign(three, { __vueParentComponent: { type: { __file: 'src/Card.vue' } } });
    expect(readFramework(three)).toEqual({ framework: 'vue', component: 'Card', file: 'src/Card.vue' });
    const two = element('<p id="it"></p>');
    Object.assign(two, { __vue__: { $options: { __file: 'src/Old.vue', name: 'OldCard' } } });
    expect(readFramework(two)).toEqual({ framework: 'vue', component: 'OldCard', file: 'src/Old.vue' });
  });

  it('Svelte 4 counts lines from 0, Svelte 5 from 1; both count columns from 0', () => {
    const it = element('<p id="it"></p>');
    Object.assign(it, { __svelte_meta: { loc: { file: 'src/A.svelte', line: 4, column: 2, char: 90 } } });
    expect(readFramework(it)).toMatchObject({ component: 'A', line: 5, column: 3 });
    Object.assign(it, { __svelte_meta: { loc: { file: 'src/A.svelte', line: 5, column: 2 } } });
    expect(readFramework(it)).toMatchObject({ line: 5, column: 3 });
  });

  it.each([
    ['data-source="src/A.tsx:3:7"', { file: 'src/A.tsx', line: 3, column: 7 }],
    ['data-v-inspector="src/A.vue:3:7"', { file: 'src/A.vue', line: 3, column: 7 }],
    ['data-insp-path="src/A.tsx:3:7:button"', { file: 'src/A.tsx', line: 3, column: 7 }],
    ['data-component-file="src/A.tsx"', { file: 'src/A.tsx' }],
    [
      'data-inspector-relative-path="src/A.tsx" data-inspector-line="3" data-inspector-column="7"',
      { file: 'src/A.tsx', line: 3, column: 7 },
    ],
  ])('inspectors by attributes: %s', (attributes, place) => {
    expect(readFramework(element(`<p id="it" ${attributes}></p>`))).toEqual({
      framework: 'attribute',
      ...place,
    });
  });

  it('takes no attribute for a file that holds something else', () => {
    expect(readFramework(element('<p id="it" data-source="newsletter" data-loc="Oslo"></p>'))).toBeNull();
  });

  it('survives getters that throw', () => {
    const it = element('<p id="it"></p>');
    Object.defineProperty(it, '__vueParentComponent', {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(readFramework(it)).toBeNull();
  });
});

describe('React 19', () => {
  /** A stack of Chromium's with React's own frames around. */
  const stack = (...frames: string[]) => ({
    stack: [
      'Error: react-stack-top-frame',
      `    at jsxDEV (${location.origin}/node_modules/.vite/deps/react.js?v=1:1:1)`,
      ...frames.map((frame) => `    at x (${frame.startsWith('/') ? location.origin : ''}${frame}:3:7)`),
      `    at react_stack_bottom_frame (${location.origin}/node_modules/.vite/deps/react-dom.js?v=1:1:1)`,
    ].join('\n'),
  });
  const named = (name: string) => Object.defineProperty(() => null, 'name', { value: name });
  const read = (fiber: object) =>
    readFramework(Object.assign(element('<a id="it"></a>'), { __reactFiber$x1: fiber }));
  const app = { type: named('App'), return: null, _debugStack: stack('/src/main.tsx') };
  const shop = { type: named('Shop'), return: app, _debugOwner: app, _debugStack: stack('/src/App.tsx') };
  const LIBRARY = '/node_modules/.vite/deps/ui.js?v=1';

  it('tells component and file, and no line', () => {
    const own = { type: 'a', return: shop, _debugOwner: shop, _debugStack: stack('/src/pages/Shop.tsx') };
    expect(read(own)).toEqual({ framework: 'react', component: 'Shop', file: 'src/pages/Shop.tsx' });
  });

  it("an element of a library's component is told by the app's place of use", () => {
    const link = {
      type: named('Link'),
      return: shop,
      _debugOwner: shop,
      _debugStack: stack('/src/pages/Shop.tsx'),
    };
    const inner = { type: named('Anchor'), return: link, _debugOwner: link, _debugStack: stack(LIBRARY) };
    const host = { type: 'a', return: inner, _debugOwner: inner, _debugStack: stack(LIBRARY) };
    expect(read(host)).toEqual({ framework: 'react', component: 'Shop', file: 'src/pages/Shop.tsx' });
    // Of the app's function that the library's component calls back.
    const row = { ...host, _debugStack: stack('/src/pages/Shop.tsx', LIBRARY) };
    expect(read(row)).toEqual({ framework: 'react', component: 'Shop', file: 'src/pages/Shop.tsx' });
  });

  it('written outside of components: the component around it', () => {
    const own = { type: 'a', return: shop, _debugStack: stack('/src/icons.tsx') };
    expect(read(own)).toEqual({ framework: 'react', component: 'Shop', file: 'src/icons.tsx' });
  });

  it('a component without a name leaves the file without a component', () => {
    const owner = { type: named('_c'), return: shop, _debugOwner: shop };
    const own = { type: 'a', return: owner, _debugOwner: owner, _debugStack: stack('/src/Field.tsx') };
    expect(read(own)).toEqual({ framework: 'react', file: 'src/Field.tsx' });
  });

  it('where the stack tells no file the component is told alone', () => {
    const page = {
      type: named('Page'),
      return: null,
      _debugStack: stack('webpack-internal:///./app/layout.tsx'),
    };
    const own = { type: 'a', return: page, _debugOwner: page };
    for (const at of ['webpack-internal:///./app/page.tsx', '/_next/static/chunks/app_page_1a2b3c._.js']) {
      expect(read({ ...own, _debugStack: stack(at) })).toEqual({ framework: 'react', component: 'Page' });
    }
  });

  it('a server component is named, and nothing around it is taken for its file', () => {
    const owner = { name: 'Page', env: 'Server', owner: null, stack: [] };
    const debugStack = stack('about://React/Server/file:///app/page.tsx');
    const own = { type: 'a', return: shop, _debugOwner: owner, _debugStack: debugStack };
    expect(read(own)).toEqual({ framework: 'react', component: 'Page' });
  });

  it('what React gave up telling is not told by the place where its component is used', () => {
    const untold = { stack: 'Error\n at x (http://h/r.js:1:1)\n    at UnknownOwner (http://h/r.js:1:1)' };
    const own = { type: 'a', return: shop, _debugOwner: shop, _debugStack: untold };
    expect(read(own)).toEqual({ framework: 'react', component: 'Shop' });
    // Nor by what is around it in the page.
    const around = element('<div id="around"><a id="it"></a></div>').parentElement;
    const outside = { type: 'div', return: app, _debugOwner: app, _debugStack: stack('/src/App.tsx') };
    Object.assign(around ?? {}, { __reactFiber$x1: outside });
    const it = document.querySelector('#it') ?? document.body;
    expect(readFramework(Object.assign(it, { __reactFiber$x1: own }))).toEqual({
      framework: 'react',
      component: 'Shop',
    });
  });

  it('a stack that cannot be read costs the file alone', () => {
    const trap = () => {
      throw new Error('trap');
    };
    const hostile = new Proxy(new Error('x'), { get: trap });
    const owner = { type: named('Shop'), return: null };
    expect(read({ type: 'a', return: owner, _debugOwner: owner, _debugStack: hostile })).toEqual({
      framework: 'react',
      component: 'Shop',
    });
  });

  it('owners that go round and round come to an end', () => {
    const round: Record<string, unknown> = { type: 'a', _debugStack: stack(LIBRARY) };
    round._debugOwner = round;
    round.return = round;
    expect(read(round)).toBeNull();
    round._debugStack = stack('/src/Shop.tsx', LIBRARY);
    expect(read(round)).toEqual({ framework: 'react', file: 'src/Shop.tsx' });
  });
});

describe('an answer of the page is decoded, never trusted', () => {
  it.each([
    ['not JSON', '{'],
    ['a number', 5],
    ['null', 'null'],
    ['nothing known', '{"evil":1}'],
    ['too long', `"${'x'.repeat(5_000)}"`],
    ['a component that is no string', '{"component":{"toString":1}}'],
    ['line breaks in a file', '{"file":"a\\nb.ts"}'],
    ['text that turns direction', '{"component":"a\\u202eb"}'],
  ])('%s', (_what, answer) => expect(readProbeFacts(answer)).toBeNull());

  it('keeps only what fits', () => {
    const answer = JSON.stringify({
      component: 'A',
      file: 'a.ts',
      line: -1,
      column: 'x',
      framework: 'evil',
      other: 1,
    });
    expect(readProbeFacts(answer)).toEqual({ component: 'A', file: 'a.ts' });
  });
});

describe('asking', () => {
  it('nobody answers: null', () => expect(probe(element('<p id="it"></p>'))).toBeNull());

  it('the first answer counts', () => {
    const it = element('<p id="it"></p>');
    const twice = (event: Event) => {
      const { channel } = JSON.parse((event as CustomEvent<string>).detail) as { channel: string };
      for (const component of ['First', 'Second']) {
        window.dispatchEvent(new CustomEvent(channel, { detail: JSON.stringify({ component }) }));
      }
    };
    window.addEventListener(PROBE_EVENT, twice, { capture: true });
    expect(probe(it)).toEqual({ component: 'First' });
    window.removeEventListener(PROBE_EVENT, twice, { capture: true });
  });
});

/** A page that takes `ms` for each answer. */
function slowPage(ms: number) {
  const end = new AbortController();
  const page = { asked: 0, end: () => end.abort() };
  const slow = (event: Event) => {
    page.asked++;
    const until = performance.now() + ms;
    while (performance.now() < until);
    const { channel } = JSON.parse((event as CustomEvent<string>).detail) as { channel: string };
    window.dispatchEvent(new CustomEvent(channel, { detail: '{"component":"Slow"}' }));
  };
  window.addEventListener(PROBE_EVENT, slow, { capture: true, signal: end.signal });
  return page;
}

it('a page that takes its time with an answer is not asked again for a while, but for what the person picked', () => {
  const page = slowPage(120);
  const it = element('<p id="it"></p>');
  expect(probe(it)).toEqual({ component: 'Slow' });
  expect(probe(it)).toBeNull();
  expect(page.asked).toBe(1);
  expect(probePicked([it, it])).toEqual([{ component: 'Slow' }, { component: 'Slow' }]);
  expect(page.asked).toBe(3);
  page.end();
});

it('what the person picked takes a second of the page at most, and one answer, however often it is asked for', () => {
  const page = slowPage(400);
  const it = element('<p id="it"></p>');
  const told = { component: 'Slow' };
  const picked = [it, it, it, it, it];
  for (const _ of [1, 2]) expect(probePicked(picked)).toEqual([told, told, told, null, null]);
  expect(page.asked).toBe(3);
  page.end();
});
