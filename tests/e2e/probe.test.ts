/**
 * Where the framework itself says which component an element belongs to, and in which file, the comment says so. The
 * table in README.md says what they expect.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { test } from 'node:test';
import { build, preview } from 'vite';
import type { Framework } from '../apps/folders.ts';
import { ALIASES, PLUGINS } from '../apps/frameworks.ts';
import { scenario, scenarioOn, type World } from './harness/world.ts';
import { type Promised, promised, unshown } from './promised.ts';

interface Told {
  id?: string;
  component?: string;
  source?: { file?: string; line?: number; column?: number; reason?: string; confidence?: number };
}

/** What the comments of this browser say of their elements. */
async function told(world: World): Promise<Told[]> {
  const { comments } = JSON.parse(await world.download('export-json'));
  return comments[0].targets.map(({ snapshot }: { snapshot: Told }) => snapshot);
}

/** Where the tag with an id begins in a file of the project; lines and columns from 1. */
async function placeIn(world: World, file: string, id: string): Promise<{ line: number; column: number }> {
  const lines = (await readFile(join(world.project, file), 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(id));
  assert.ok(at >= 0, `${file} has no ${id}`);
  return { line: at + 1, column: (lines[at]?.indexOf('<') ?? 0) + 1 };
}

/** Which file has the component, and which one uses it. */
const FRAMEWORKS = [
  { app: 'react', row: promised('React 18'), file: 'src/CheckoutButton.tsx', usedIn: 'Cart.tsx' },
  { app: 'react19', row: promised('React 19, modules'), file: 'src/CheckoutButton.tsx', usedIn: 'Cart.tsx' },
  { app: 'vue', row: promised('Vue 3'), file: 'src/CheckoutButton.vue', usedIn: 'CartPage.vue' },
  { app: 'svelte', row: promised('Svelte 5'), file: 'src/CheckoutButton.svelte', usedIn: 'Cart.svelte' },
] as const;
const NONE = promised('none');
const BUNDLE = promised('React 19 in a bundle');
const PRODUCTION = promised('React, Vue, Svelte, built for production');
const ATTRIBUTES = promised('any, with an inspector');
/** Apps with a page for every way in which an element comes into it, a library's component among them. */
const WITH_PLACES = ['react', 'react19'] as const;

test('what README.md promises of each framework is shown', () => {
  assert.deepEqual(unshown(), []);
  const ofLibraries = FRAMEWORKS.filter(({ row }) => row.use === 'of libraries').map(({ app }) => app);
  assert.deepEqual(ofLibraries, WITH_PLACES);
});

/** What is told of an element of which all could be told, as far as README.md promises it. */
async function byPromise(world: World, { component, file, line }: Promised, path: string, id: string) {
  assert.ok(component === 'told' || component === 'the file’s name', component);
  assert.ok(file === 'absolute' || file === 'relative', file);
  return {
    component: component === 'told' ? 'CheckoutButton' : parse(path).name,
    place: {
      file: file === 'absolute' ? join(world.project, path) : path,
      ...(line === 'told' ? await placeIn(world, path, id) : {}),
    },
  };
}

/** Which of the columns of README.md's table a comment has. */
const has = ({ component, source }: Told) => ({
  component: component !== undefined,
  file: source?.file !== undefined,
  line: source?.line !== undefined,
});
const isPromised = ({ component, file, line }: Promised) => ({
  component: component !== 'none',
  file: file !== 'none',
  line: line !== 'none',
});

for (const { app, row, file, usedIn } of FRAMEWORKS) {
  scenario(
    `the probe names component and file in a ${app} app`,
    { app, registered: false },
    async (world) => {
      await world.page.waitForSelector('#checkout');
      await world.comment('#checkout', 'Say what it costs');
      const [snapshot] = await told(world);
      const { reason: _reason, confidence: _confidence, ...place } = snapshot?.source ?? {};
      const wanted = await byPromise(world, row, file, 'id="checkout"');
      assert.deepEqual({ component: snapshot?.component, place }, wanted);
      // Where a component of the app's own is used is told by none of them.
      assert.ok(!JSON.stringify(snapshot).includes(usedIn), JSON.stringify(snapshot));
    },
  );

  scenario(
    `a ${app} app that is built for production has neither a component nor a source`,
    { app, registered: false },
    async (world) => {
      await bundle(world, app, 'production', 'index.html');
      const site = await preview({ root: world.project, configFile: false, preview: { port: 0 } });
      try {
        await world.page.goto(site.resolvedUrls?.local[0] ?? '', { waitUntil: 'load' });
        await world.page.waitForSelector('#checkout');
        await world.comment('#checkout', 'Say what it costs');
        const [snapshot] = await told(world);
        // The minifier shortened the name of the component.
        assert.deepEqual(has(snapshot ?? {}), { ...isPromised(PRODUCTION), component: false });
        for (const name of [file, usedIn, world.project])
          assert.ok(!JSON.stringify(snapshot).includes(name), JSON.stringify(snapshot));
      } finally {
        await site.close();
      }
    },
  );
}

scenarioOn(
  '<button id="save">Save</button>',
  {},
  'a page without a framework has no source',
  async (world) => {
    await world.comment('#save', 'Say what is saved');
    const [snapshot] = await told(world);
    assert.deepEqual(has(snapshot ?? {}), isPromised(NONE));
    assert.equal(snapshot?.source, undefined);
  },
);

scenarioOn(
  '<button id="save" data-source="src/A.tsx:3:7">Save</button> <button id="open" data-component="Open" data-loc="src/B.vue">Open</button>',
  {},
  'an inspector’s attributes are told as they stand there',
  async (world) => {
    const { framework: _framework, ...row } = ATTRIBUTES;
    assert.deepEqual(row, { component: 'as told', file: 'as told', line: 'as told', use: 'none' });
    await world.startPicking();
    for (const id of ['save', 'open']) await world.overlay.pick(`#${id}`, { shift: true });
    await world.overlay.click('pick-done');
    await world.overlay.write('Say what these do');
    const seen = (await told(world)).map(({ component, source }) => {
      const { reason: _reason, confidence: _confidence, ...place } = source ?? {};
      return { component, place };
    });
    assert.deepEqual(seen, [
      { component: undefined, place: { file: 'src/A.tsx', line: 3, column: 7 } },
      { component: 'Open', place: { file: 'src/B.vue' } },
    ]);
  },
);

/** The elements of `places.html` by their ids: the component in whose source each is written, and that source. */
const PLACES: [id: string, component: string, file: string][] = [
  ['own', 'Card', 'Card.tsx'],
  // Passed through another component as its child.
  ['child', 'Shop', 'Shop.tsx'],
  // One of a list: of a component, and of a callback.
  ['item-harar', 'Roast', 'Roast.tsx'],
  ['order-harar', 'Shop', 'Shop.tsx'],
  // The library's element is where the app uses the library.
  ['library', 'Shop', 'Shop.tsx'],
  ['memo', 'Badge', 'Badge.tsx'],
  ['forward-ref', 'Field', 'Field.tsx'],
  ['class', 'Clock', 'Clock.tsx'],
  ['script', 'Note', 'Note.js'],
  ['constant', 'Shop', 'Shop.tsx'],
  ['portal', 'Dialog', 'Dialog.tsx'],
  ['portal-child', 'Shop', 'Shop.tsx'],
];

for (const app of WITH_PLACES) {
  scenario(
    `${app}: every way in which an element comes into the page has its component and file`,
    { app, registered: false, path: '/places.html' },
    async (world) => {
      await world.page.waitForSelector('#portal-child');
      await world.startPicking();
      for (const [id] of PLACES) await world.overlay.pick(`#${id}`, { shift: true });
      await world.overlay.click('pick-done');
      await world.overlay.write('Where does each come from?');
      const seen = Object.fromEntries(
        (await told(world)).map(({ id, component, source }) => [
          id,
          `${component} ${source?.file} ${source?.line ?? 'no line'}`,
        ]),
      );
      const wanted: Record<string, string> = {};
      for (const [id, component, name] of PLACES) {
        // Version 18 knows of JSX alone: the next of it around is where the component is used.
        const isUsed = app === 'react' && id === 'script';
        const file = `src/places/${isUsed ? 'Shop.tsx' : name}`;
        const written = id.endsWith('harar') ? id.replace('harar', '$') : `id="${id}"`;
        const line =
          app === 'react19' ? 'no line' : (await placeIn(world, file, isUsed ? '<Note />' : written)).line;
        const told = app === 'react19' ? file : join(world.project, file);
        wanted[id] = `${isUsed ? 'Shop' : component} ${told} ${line}`;
      }
      assert.deepEqual(seen, wanted);
    },
  );
}

scenario(
  'react19: a bundle is no file, and its components are told by their names alone',
  { app: 'react19', registered: false },
  async (world) => {
    await bundle(world, 'react19', 'development', 'places.html');
    await world.page.goto(`${world.origin}/dist/places.html`, { waitUntil: 'load' });
    await world.page.waitForSelector('#portal-child');
    const script = await world.page.$eval('script[src*="assets/"]', (element) => element.getAttribute('src'));
    assert.match(script ?? '', /assets\/places-[\w-]+\.js/);
    const stacks = await world.page.$eval('#own', (element) => {
      const key = Object.keys(element).find((name) => name.startsWith('__reactFiber$')) ?? '';
      return (element as unknown as Record<string, { _debugStack?: Error }>)[key]?._debugStack?.stack;
    });
    assert.match(stacks ?? '', /assets\/places-[\w-]+\.js/, 'the bundle is one of development');
    await world.comment('#own', 'Where does it come from?');
    const [snapshot] = await told(world);
    assert.deepEqual(has(snapshot ?? {}), isPromised(BUNDLE));
    assert.deepEqual([snapshot?.component, snapshot?.source], ['Card', undefined]);
  },
);

/**
 * Of `PLACES` in a build for production, which knows no owners: the nearest component around each in the tree, a
 * library's as well.
 */
const NEAREST: Record<string, string> = {
  own: 'Card',
  child: 'Card',
  'item-harar': 'Roast',
  'order-harar': 'Card',
  library: 'Link',
  memo: 'Badge',
  'forward-ref': 'Field',
  class: 'Clock',
  script: 'Note',
  constant: 'Card',
  portal: 'Dialog',
  'portal-child': 'Dialog',
};
/** Those whose component says its name itself (`displayName`), which no minifier shortens. */
const NAMED = ['library'];

for (const app of WITH_PLACES) {
  scenario(
    `a ${app} app that is built for production: a name that is not shortened is told, another is not, and never a file`,
    { app, registered: false },
    async (world) => {
      for (const keepNames of [true, false]) {
        await bundle(world, app, 'production', 'places.html', { keepNames });
        const site = await preview({ root: world.project, configFile: false, preview: { port: 0 } });
        try {
          await world.page.goto(new URL('places.html', site.resolvedUrls?.local[0]).href, {
            waitUntil: 'load',
          });
          await world.page.waitForSelector('#portal-child');
          await world.startPicking();
          for (const [id] of PLACES) await world.overlay.pick(`#${id}`, { shift: true });
          await world.overlay.click('pick-done');
          await world.overlay.write('Where does each come from?');
          const seen = await told(world);
          const isTold = (id: string) =>
            PRODUCTION.component === 'whole names of React' && (keepNames || NAMED.includes(id));
          assert.deepEqual(
            Object.fromEntries(seen.map(({ id, component }) => [id, component])),
            Object.fromEntries(PLACES.map(([id]) => [id, isTold(id) ? NEAREST[id] : undefined])),
          );
          for (const { source } of seen) assert.equal(source, undefined);
          assert.doesNotMatch(JSON.stringify(seen), /assets|\.[jt]sx?\b/);
        } finally {
          await site.close();
        }
      }
    },
  );
}

/**
 * Builds the sample into `dist`: for production, or as webpack and its like do in development, everything in one script
 * with React's stacks.
 */
async function bundle(
  { project }: World,
  app: Framework,
  mode: 'development' | 'production',
  page: string,
  output: { keepNames?: boolean } = {},
): Promise<void> {
  process.env.NODE_ENV = mode;
  const isDevelopment = mode === 'development';
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    mode,
    ...(isDevelopment ? { base: '/dist/' } : {}),
    plugins: isDevelopment ? [] : [PLUGINS[app]()],
    resolve: { alias: ALIASES[app] ?? {} },
    ...(isDevelopment ? { oxc: { jsx: { runtime: 'automatic', development: true } } } : {}),
    build: {
      ...(isDevelopment ? { minify: false } : {}),
      rolldownOptions: { input: join(project, page), output },
    },
  });
}
