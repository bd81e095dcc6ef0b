/**
 * Where the framework itself says which component an element belongs to, and in which file, the comment says so. The table in
 * README.md is what these scenarios show.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, preview } from 'vite';
import type { Framework } from '../apps/folders.ts';
import { ALIASES, PLUGINS } from '../apps/frameworks.ts';
import { scenario, scenarioOn, type World } from './harness/world.ts';

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

/** As in README.md: how a file is told, whether with its line, and which file uses the component. */
const FRAMEWORKS = [
  { app: 'react', file: 'src/CheckoutButton.tsx', tells: 'absolute', line: true, usedIn: 'Cart.tsx' },
  { app: 'react19', file: 'src/CheckoutButton.tsx', tells: 'relative', line: false, usedIn: 'Cart.tsx' },
  { app: 'vue', file: 'src/CheckoutButton.vue', tells: 'absolute', line: false, usedIn: 'CartPage.vue' },
  { app: 'svelte', file: 'src/CheckoutButton.svelte', tells: 'relative', line: true, usedIn: 'Cart.svelte' },
] as const;

for (const { app, file, tells, line, usedIn } of FRAMEWORKS) {
  scenario(
    `the probe names component and file in a ${app} app`,
    { app, registered: false },
    async (world) => {
      await world.page.waitForSelector('#checkout');
      await world.comment('#checkout', 'Say what it costs');
      const [snapshot] = await told(world);
      assert.equal(snapshot?.component, 'CheckoutButton');
      const { reason: _reason, confidence: _confidence, ...place } = snapshot.source ?? {};
      assert.deepEqual(place, {
        file: tells === 'absolute' ? join(world.project, file) : file,
        ...(line ? await placeIn(world, file, 'id="checkout"') : {}),
      });
      // Where the component is used is told by none of them.
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
        const { component, source } = snapshot ?? {};
        assert.deepEqual({ component, source }, { component: undefined, source: undefined });
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
    const [{ component, source } = {}] = await told(world);
    assert.deepEqual({ component, source }, { component: undefined, source: undefined });
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

for (const app of ['react', 'react19'] as const) {
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
    const [{ component, source } = {}] = await told(world);
    assert.deepEqual({ component, source }, { component: 'Card', source: undefined });
  },
);

/** Of `PLACES` in a build for production, which knows no owners: the nearest component around each in the tree, a library's as well. */
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

for (const app of ['react', 'react19'] as const) {
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
          const isTold = (id: string) => keepNames || NAMED.includes(id);
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

/** Builds the sample into `dist`: for production, or as webpack and its like do in development, everything in one script with React's stacks. */
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
