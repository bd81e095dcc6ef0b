/**
 * Where the framework itself says which component an element belongs to, and in which file, the comment says so. The table in
 * README.md is what these scenarios show.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { scenario, scenarioOn, type World } from './harness/world.ts';

interface Told {
  id?: string;
  component?: string;
  source?: { file: string; line?: number; column?: number };
}

/** What the comments of this browser say of their elements. */
async function told(world: World): Promise<Told[]> {
  const { comments } = JSON.parse(await world.download('export-json'));
  return comments[0].targets.map(({ snapshot }: { snapshot: Told }) => snapshot);
}

for (const [app, file, hasLine] of [
  ['react', 'src/CheckoutButton.tsx', true],
  ['react19', 'src/CheckoutButton.tsx', false],
  ['vue', 'src/CheckoutButton.vue', false],
  ['svelte', 'src/CheckoutButton.svelte', true],
] as const) {
  scenario(
    `the probe names component and file in a ${app} app`,
    { app, registered: false },
    async (world) => {
      await world.page.waitForSelector('#checkout');
      await world.comment('#checkout', 'Say what it costs');
      const [{ component, source } = {}] = await told(world);
      assert.equal(component, 'CheckoutButton');
      const relative = source?.file.replace(`${world.project}/`, '');
      assert.equal(relative, file);
      assert.equal(source?.line !== undefined, hasLine, JSON.stringify(source));
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
          `${component} ${source?.file.replace(`${world.project}/`, '')} ${source?.line ? 'line' : 'no line'}`,
        ]),
      );
      const line = app === 'react' ? 'line' : 'no line';
      const wanted = Object.fromEntries(
        PLACES.map(([id, component, file]) => [id, `${component} src/places/${file} ${line}`]),
      );
      // Version 18 knows of JSX alone: the next of it around is where the component is used.
      if (app === 'react') wanted.script = 'Shop src/places/Shop.tsx line';
      assert.deepEqual(seen, wanted);
    },
  );
}

scenario(
  'react19: a bundle is no file, and its components are told by their names alone',
  { app: 'react19', registered: false },
  async (world) => {
    await bundle(world.project);
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

/** Builds the sample as webpack and its like do in development: everything in one script, with React's stacks. */
async function bundle(project: string): Promise<void> {
  process.env.NODE_ENV = 'development';
  const { build } = await import('vite');
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    base: '/dist/',
    resolve: { alias: { react: 'react19', 'react-dom': 'react-dom19' } },
    oxc: { jsx: { runtime: 'automatic', development: true } },
    build: { minify: false, rolldownOptions: { input: join(project, 'places.html') } },
  });
}
