import { describe, expect, it } from 'vitest';
import { writtenAt } from './react-stack';

const ORIGIN = 'http://localhost:5173';
const DEPS = `${ORIGIN}/node_modules/.vite/deps`;
const JSX = `${DEPS}/react_jsx-dev-runtime.js?v=1f2e3d4c`;
const DOM = `${DEPS}/react-dom_client.js?v=1f2e3d4c`;

type Call = [name: string, address: string];
const BOTTOM: Call = ['react_stack_bottom_frame', DOM];

/** The same stack as each of the two engines writes it. */
const ENGINES = {
  V8: (calls: Call[]) =>
    [
      'Error: react-stack-top-frame',
      ...calls.map(([name, at]) => (name ? `    at ${name} (${at}:8:24)` : `    at ${at}:8:24`)),
    ].join('\n'),
  SpiderMonkey: (calls: Call[]) => calls.map(([name, at]) => `${name}@${at}:8:24\n`).join(''),
};

describe.each(Object.entries(ENGINES))('%s', (_engine, write) => {
  const read = (...calls: Call[]) => writtenAt({ stack: write([['exports.jsxDEV', JSX], ...calls]) }, ORIGIN);
  const nothing = { file: null, isByLibrary: false, isUntold: false };

  it('the function under the JSX call tells the file', () => {
    const written = read(['Shop', `${ORIGIN}/src/pages/Shop.tsx?t=17`], BOTTOM, ['renderWithHooks', DOM]);
    expect(written).toEqual({ ...nothing, file: 'src/pages/Shop.tsx' });
  });

  it('a callback in a list is of the file that it stands in', () => {
    const shop: Call = ['Shop', `${ORIGIN}/src/Shop.tsx`];
    expect(read(['', `${ORIGIN}/src/Shop.tsx`], ['Array.map', '<anonymous>'], shop, BOTTOM)?.file).toBe(
      'src/Shop.tsx',
    );
  });

  it('frames of libraries are skipped, and what called React is not asked', () => {
    const click: Call = ['onClick', `${ORIGIN}/src/Shop.tsx`];
    expect(read(['Link', `${DEPS}/react-router.js?v=1`], BOTTOM, ['flushSync', DOM], click)).toEqual({
      ...nothing,
      isByLibrary: true,
    });
    // Of a library's helper that the app itself calls.
    expect(read(['icon', `${DEPS}/icons.js?v=1`], ['Shop', `${ORIGIN}/src/Shop.tsx`], BOTTOM)).toEqual({
      ...nothing,
      file: 'src/Shop.tsx',
    });
    // Of the app's function that a library's component calls.
    expect(read(['row', `${ORIGIN}/src/Shop.tsx`], ['Table', `${DEPS}/table.js?v=1`], BOTTOM)).toEqual({
      ...nothing,
      file: 'src/Shop.tsx',
      isByLibrary: true,
    });
  });

  it('the bottom frame had another name in 19.0', () => {
    const bottom: Call = ['react-stack-bottom-frame', DOM];
    expect(read(['Link', `${DEPS}/x.js?v=1`], bottom, ['main', `${ORIGIN}/src/main.tsx`])?.file).toBeNull();
  });

  it('written outside of components', () => {
    expect(read(['', `${ORIGIN}/src/main.tsx`])).toEqual({ ...nothing, file: 'src/main.tsx' });
  });

  it("an app's own JSX function is not where the element is written", () => {
    const jsx: Call = ['jsxDEV', `${ORIGIN}/src/jsx-dev-runtime.ts`];
    expect(read(jsx, ['Shop', `${ORIGIN}/src/Shop.tsx`], BOTTOM)?.file).toBe('src/Shop.tsx');
  });

  it('folders with brackets and an @ in their names', () => {
    expect(read(['Shop', `${ORIGIN}/app/(shop)/@modal/page.tsx`], BOTTOM)?.file).toBe(
      'app/(shop)/@modal/page.tsx',
    );
    expect(read(['', `${ORIGIN}/app/(shop)/page.tsx`])?.file).toBe('app/(shop)/page.tsx');
    expect(read(['Card', `${ORIGIN}/@fs/home/me/ui/Card.tsx`], BOTTOM)?.file).toBe('/home/me/ui/Card.tsx');
  });

  it('a module that holds React as well is a bundle', () => {
    const bundle = `${ORIGIN}/src/app.js`;
    for (const address of [bundle, `${ORIGIN}/src/app.tsx`]) {
      const calls: Call[] = [
        ['exports.jsxDEV', address],
        ['Shop', address],
        ['react_stack_bottom_frame', address],
      ];
      expect(writtenAt({ stack: write(calls) }, ORIGIN)).toEqual(nothing);
    }
    const split: Call[] = [
      ['exports.jsxDEV', `${ORIGIN}/src/vendors.js`],
      ['Shop', bundle],
      ['react_stack_bottom_frame', `${ORIGIN}/src/vendors.js`],
    ];
    expect(writtenAt({ stack: write(split) }, ORIGIN)).toEqual(nothing);
  });

  it.each([
    ['webpack', 'webpack-internal:///(app-pages-browser)/./app/page.tsx'],
    ['Turbopack', `${ORIGIN}/_next/static/chunks/app_page_tsx_1a2b3c._.js`],
    ['a server component', 'about://React/Server/webpack-internal:///(rsc)/./app/page.tsx?0'],
    ['a Vite dev server of another site', 'http://other-host:5173/src/Shop.tsx'],
    ['an evaluated module', `${ORIGIN}/src/Shop.tsx line 4 > eval`],
    ['a blob', `blob:${ORIGIN}/0b1c`],
  ])('Next.js and its like, %s: no file', (_what, address) => {
    expect(read(['Page', address], BOTTOM)).toEqual(nothing);
  });

  it('what React gave up telling', () => {
    const untold: Call[] = [
      ['', JSX],
      ['UnknownOwner', JSX],
      ['react_stack_bottom_frame', JSX],
    ];
    expect(writtenAt({ stack: write(untold) }, ORIGIN)).toMatchObject({ file: null, isUntold: true });
  });

  it('the text without its error, as an older version leaves it', () => {
    const stack = write([['exports.jsxDEV', JSX], ['Shop', `${ORIGIN}/src/Shop.tsx`], BOTTOM]);
    expect(writtenAt(stack, ORIGIN)?.file).toBe('src/Shop.tsx');
  });
});

it('evaluated code as Chromium writes it is no file', () => {
  const stack = `Error\n    at jsxDEV (${JSX}:1:1)\n    at eval (eval at Shop (${ORIGIN}/src/Shop.tsx:3:1), <anonymous>:1:1)`;
  expect(writtenAt({ stack }, ORIGIN)?.file).toBeNull();
});

describe('hostile', () => {
  const trap = () => {
    throw new Error('trap');
  };

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['no stack', {}],
    ['frames in place of text', { stack: [{ getFileName: trap }] }],
    ['an empty text', { stack: '' }],
    ['a getter that throws', Object.defineProperty({}, 'stack', { get: trap })],
    ['a proxy that throws', new Proxy({}, { get: trap, has: trap, ownKeys: trap })],
    ['an object that pretends to be text', { stack: { toString: trap, length: 5 } }],
  ])('%s', (_what, debugStack) => expect(writtenAt(debugStack, ORIGIN)).toBeNull());

  it('reads the stack alone, and once', () => {
    const asked: PropertyKey[] = [];
    const stack = new Proxy(new Error('x'), {
      get(_error, name) {
        asked.push(name);
        return `Error\n at j (${JSX}:1:1)\n at Shop (${ORIGIN}/src/Shop.tsx:1:1)`;
      },
    });
    expect(writtenAt(stack, ORIGIN)?.file).toBe('src/Shop.tsx');
    expect(asked).toEqual(['stack']);
  });

  it.each([
    ['many lines', '\n'.repeat(5_000_000)],
    ['many frames', `    at x (${ORIGIN}/x.js:1:1)\n`.repeat(200_000)],
    ['one long line', `at ${'('.repeat(5_000_000)})`],
    ['colons', `a@${':1'.repeat(2_000_000)}`],
    ['an address without end', `at ${ORIGIN}/${'src/'.repeat(1_000_000)}Shop.tsx:1:1`],
  ])('no more than the beginning is read: %s', (_what, text) => {
    expect(
      writtenAt({ stack: `${text}\n    at Shop (${ORIGIN}/src/Shop.tsx:1:1)` }, ORIGIN)?.file ?? null,
    ).toBeNull();
  });

  it('a made-up frame is bounded by what a path may be', () => {
    for (const path of ['/src/../../etc/Shop.tsx', '//host/Shop.tsx', '/src/a%2fb.tsx', '/@id/Shop.tsx']) {
      const stack = `Error\n at j (${JSX}:1:1)\n at Shop (${ORIGIN}${path}:1:1)`;
      expect(writtenAt({ stack }, ORIGIN)?.file, path).toBeNull();
    }
  });
});
