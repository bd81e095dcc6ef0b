/**
 * An app under hot reload: its source is edited on disk while the page is open, and the comments keep up. React with
 * Fast Refresh, Svelte with its own replacement, each under a real Vite dev server.
 */
import assert from 'node:assert/strict';
import type { Agent, Feedback } from './harness/agent.ts';
import { inOwn } from './harness/closed.ts';
import { placeOf } from './harness/pins.ts';
import { Source } from './harness/source.ts';
import { until } from './harness/until.ts';
import { scenariosInOneWorld, type World } from './harness/world.ts';

/** Where the two samples, which show the same page, differ. */
interface Sample {
  name: string;
  app: 'react' | 'svelte';
  /** The files of the page, of one item of its list, and of its button. */
  page: string;
  item: string;
  button: string;
  /** Gives the button another generated class name, as an edit of styles does. */
  rename(source: Source): Promise<void>;
}

const SAMPLES: Sample[] = [
  {
    name: 'React',
    app: 'react',
    page: 'src/Cart.tsx',
    item: 'src/CartItem.tsx',
    button: 'src/CheckoutButton.tsx',
    // The names of a CSS module carry a hash of its content.
    rename: (source) => source.edit('src/Cart.module.css', '#1f6f43', '#1f436f'),
  },
  {
    name: 'Svelte',
    app: 'svelte',
    page: 'src/Cart.svelte',
    item: 'src/CartItem.svelte',
    button: 'src/CheckoutButton.svelte',
    // In development the class of scoped styles carries a hash of the file's name.
    async rename(source) {
      await source.write('src/PayButton.svelte', await source.read('src/CheckoutButton.svelte'));
      await source.edit('src/Cart.svelte', './CheckoutButton.svelte', './PayButton.svelte');
    },
  },
];

const CHECKOUT = '#checkout';
const GONE = 'It is not on the page any more; what is most like it is a different element.';

for (const sample of SAMPLES) {
  const played = (play: Play) => (world: World) => playAndTidy(world, play);
  scenariosInOneWorld(
    `${sample.name} under hot reload`,
    { app: sample.app, hot: true },
    {
      'a pin follows its element that moves down': played(async ({ world, source, comment }) => {
        const id = await comment(CHECKOUT, 'Make it stand out');
        const before = await standsAt(world, id, CHECKOUT);
        await source.edit(
          sample.page,
          '<h1>Cart</h1>',
          '<h1>Cart</h1>\n<p>Free delivery today.</p>\n<p>Only today.</p>',
        );
        await shows(world, 'Only today.');
        const after = await standsAt(world, id, CHECKOUT);
        assert.ok(after.y > before.y + 30, `the pin went from ${before.y} to ${after.y}`);
        await remain(world, 'active', id);
      }),

      'a pin follows its element into another part of the page': played(
        async ({ world, source, comment }) => {
          const id = await comment(CHECKOUT, 'Make it stand out');
          await source.edit(sample.page, '<CheckoutButton label="Check out" />', '');
          await source.edit(
            sample.page,
            '<h1>Cart</h1>',
            '<header><h1>Cart</h1><div><CheckoutButton label="Check out" /></div></header>',
          );
          await until('the button is in the header', () => world.page.$(`header ${CHECKOUT}`));
          await standsAt(world, id, CHECKOUT);
          await remain(world, 'active', id);
        },
      ),

      'a changed text outdates the comment and says what differs; undoing the edit makes it active again':
        played(async ({ world, source, comment, agent }) => {
          const id = await comment(CHECKOUT, 'Say what it costs');
          await source.edit(sample.page, 'label="Check out"', 'label="Pay € 24 now"');
          await shows(world, 'Pay € 24 now');

          const told = await becomes(world, agent, id, 'outdated');
          assert.match(JSON.stringify(told.targets), /text/);
          assert.match(JSON.stringify(told.targets), /Check out/, 'the agent is told what it said');
          assert.match(JSON.stringify(told.targets), /Pay € 24 now/, 'the agent is told what it says');
          await standsAt(world, id, CHECKOUT);
          await threadSays(world, id, /text.*Check out.*Pay € 24 now/is);
          const panel = await world.panel();
          await panel.says(`comment-${id}`, /text.*Check out.*Pay € 24 now/is);
          await world.page.bringToFront();

          await source.undo();
          await shows(world, 'Check out');
          const again = await becomes(world, agent, id, 'active');
          assert.doesNotMatch(JSON.stringify(again.targets), /Pay € 24 now/);
          await panel.says(`comment-${id}`, /Say what it costs/);
          assert.doesNotMatch(await panel.text(`comment-${id}`), /Pay € 24 now/);
          await world.page.bringToFront();
        }),

      'a changed attribute outdates the comment and is named': played(
        async ({ world, source, comment, agent }) => {
          const id = await comment(CHECKOUT, 'Why does this do nothing?');
          await source.edit(sample.button, 'type="button"', 'type="button" title="Opens in May"');
          await until('the attribute is there', () => world.page.$(`${CHECKOUT}[title]`));
          const told = await becomes(world, agent, id, 'outdated');
          assert.match(JSON.stringify(told.targets), /title/);
          await threadSays(world, id, /title.*Opens in May/is);
          await source.undo();
          await becomes(world, agent, id, 'active');
        },
      ),

      'an item inserted before the commented one is not taken for it': played(
        async ({ world, source, comment }) => {
          // Every item has the same button; the one of Harar becomes the third.
          const id = await comment('li:nth-child(2) button', 'Ask before removing');
          await source.edit(
            sample.page,
            "{ name: 'Sumatra'",
            "{ name: 'Nyeri', grams: 250 },\n{ name: 'Sumatra'",
          );
          await shows(world, 'Nyeri');
          assert.match(await textOf(world, 'li:nth-child(3)'), /Harar/);
          await standsAt(world, id, 'li:nth-child(3) button');
          await remain(world, 'active', id);
        },
      ),

      'items in another order carry their pins along': played(async ({ world, source, comment }) => {
        const first = await comment('li:nth-child(1) b', 'Which farm?');
        const last = await comment('li:nth-child(3) b', 'Is there more?');
        await source.edit(
          sample.page,
          'ITEMS.map',
          '[...ITEMS].reverse().map',
          'each items as',
          'each [...items].reverse() as',
        );
        await until('the order is reversed', async () =>
          /Antigua/.test(await textOf(world, 'li:nth-child(1)')),
        );
        await standsAt(world, first, 'li:nth-child(3) b');
        await standsAt(world, last, 'li:nth-child(1) b');
        await remain(world, 'active', first, last);
      }),

      'a deleted item is not mistaken for one of those that look like it': played(
        async ({ world, source, comment, agent }) => {
          const id = await comment('li:nth-child(2) b', 'Spell it Harrar');
          await source.edit(sample.page, "{ name: 'Harar', grams: 500 },", '');
          await until('the item is gone', async () => !(await textOf(world, 'ul')).includes('Harar'));
          await becomes(world, agent, id, 'outdated');
          await until('the pin says so', async () => (await placeOf(world.page, id)) === 'gone');
          await source.undo();
          await becomes(world, agent, id, 'active');
          await standsAt(world, id, 'li:nth-child(2) b');
        },
      ),

      'a deleted element is said to be gone; when it comes back its comment is active again': played(
        async ({ world, source, comment, agent }) => {
          const id = await comment(CHECKOUT, 'Make it stand out');
          await source.edit(sample.page, '<CheckoutButton label="Check out" />', '');
          await until('the button is gone', async () => (await world.page.$(CHECKOUT)) === null);
          const told = await becomes(world, agent, id, 'outdated');
          const [target] = told.targets as { verdict: string; reason: string }[];
          assert.deepEqual([target?.verdict, target?.reason], ['missing', GONE]);
          await until('the pin says so', async () => (await placeOf(world.page, id)) === 'gone');
          await threadSays(world, id, new RegExp(GONE.replaceAll('.', '\\.')));

          await source.undo();
          await until('the button is back', () => world.page.$(CHECKOUT));
          await becomes(world, agent, id, 'active');
          await standsAt(world, id, CHECKOUT);
        },
      ),

      'another generated class name is noise': played(async ({ world, source, comment, agent }) => {
        const id = await comment(CHECKOUT, 'Make it stand out');
        const before = await classOf(world, CHECKOUT);
        await sample.rename(source);
        await until('the class has another name', async () => (await classOf(world, CHECKOUT)) !== before);
        await standsAt(world, id, CHECKOUT);
        await remain(world, 'active', id);
        const { comments } = await agent.feedback();
        assert.doesNotMatch(JSON.stringify(comments), /"diff"/);
      }),

      'state that the hot update keeps stays, and so does the comment about it': played(
        async ({ world, source, comment }) => {
          await world.overlay.clickPage('main > button:nth-of-type(1)');
          await world.overlay.clickPage('main > button:nth-of-type(1)');
          await shows(world, '4 gift wraps');
          const id = await comment('main > p:nth-of-type(1)', 'Say what they cost');
          await source.edit(sample.button, '{label}', '{label} now');
          await shows(world, 'Check out now');
          assert.equal((await textOf(world, 'main > p:nth-of-type(1)')).trim(), '4 gift wraps');
          await standsAt(world, id, 'main > p:nth-of-type(1)');
          await remain(world, 'active', id);
        },
      ),

      'an edit that does not compile leaves the comments as they are': played(
        async ({ world, source, comment }) => {
          const id = await comment(CHECKOUT, 'Make it stand out');
          // A mistake in the very first edit of a page makes Vite load it anew.
          await source.edit(sample.page, '<h1>Cart</h1>', '<h1>The cart</h1>');
          await shows(world, 'The cart');
          await source.edit(sample.page, '<h1>The cart</h1>', '<h1>The cart</h2>');
          await until('Vite shows the mistake', () => world.page.$('vite-error-overlay'));
          await remain(world, 'active', id);
          await source.edit(sample.page, '<h1>The cart</h2>', '<h1>Your cart</h1>');
          await shows(world, 'Your cart');
          await until('the mistake is gone', async () => (await world.page.$('vite-error-overlay')) === null);
          await standsAt(world, id, CHECKOUT);
          await remain(world, 'active', id);
        },
      ),
    },
  );
}

/** What a play gets: the world, and what is taken away after it. */
interface Scene {
  world: World;
  source: Source;
  agent: Agent;
  /** Comments on an element; the comment is delivered to the agent when this returns. */
  comment(selector: string, text: string): Promise<string>;
}

type Play = (scene: Scene) => Promise<void>;

/** One agent for all scenarios of a world. */
const agents = new WeakMap<World, Promise<Agent>>();

async function playAndTidy(world: World, play: Play): Promise<void> {
  const agent = await (agents.get(world) ?? agents.set(world, world.agent()).get(world));
  assert.ok(agent);
  const source = new Source(world.project);
  const ids: string[] = [];
  await world.page.waitForSelector(CHECKOUT);
  const before = await drawnBy(world);
  await world.page.evaluate(() => Object.assign(window, { sinceLoad: true }));
  const comment = async (selector: string, text: string) => {
    const id = await world.comment(selector, text);
    ids.push(id);
    await world.delivered(agent, id);
    return id;
  };
  await play({ world, source, agent, comment });
  const kept = await world.page.evaluate(() => 'sinceLoad' in window);
  assert.ok(kept, 'every edit was shown without loading the page anew');

  await source.undo();
  const panel = await world.panel();
  for (const id of ids) await panel.click(`delete-${id}`);
  // What a play did to the app's state goes as well.
  await world.page.bringToFront();
  // Vite has seen that the files are as they were: the next play is not told of it.
  await until('the page is as it was', async () => {
    await world.page.reload({ waitUntil: 'load' });
    await world.page.waitForSelector(CHECKOUT, { timeout: 2_000 });
    return (await drawnBy(world)) === before;
  });
  await until('no pin is left', async () => (await world.overlay.pins()).length === 0);
}

/** What the app has drawn. */
function drawnBy(world: World): Promise<string | undefined> {
  return world.page.evaluate(() => document.querySelector('main')?.outerHTML);
}

async function shows(world: World, text: string): Promise<void> {
  await until(`the page shows ${text}`, async () => (await textOf(world, 'body')).includes(text));
}

function textOf(world: World, selector: string): Promise<string> {
  return world.page.evaluate((css) => document.querySelector(css)?.textContent ?? '', selector);
}

function classOf(world: World, selector: string): Promise<string> {
  return world.page.evaluate((css) => document.querySelector(css)?.className ?? '', selector);
}

/** Waits until a pin stands beside an element and, pointed at, frames exactly it. */
async function standsAt(world: World, id: string, selector: string): Promise<{ x: number; y: number }> {
  return until(`the pin stands at ${selector}`, async () => {
    const pin = (await world.overlay.pins()).find((each) => each.id === id);
    if (!pin) return null;
    await world.page.mouse.move(pin.x, pin.y);
    return inOwn(
      world.page,
      (root, css, testId) => {
        const [element, button, frame] = [
          document.querySelector(css),
          root.querySelector(`[data-testid="${testId}"]`),
          root.querySelector('[data-testid="outline-target"]'),
        ].map((each) => each?.getBoundingClientRect());
        if (!element || !button || !frame) return null;
        const gap = (from: number, to: number, otherFrom: number, otherTo: number) =>
          Math.max(0, otherFrom - to, from - otherTo);
        const beside =
          gap(element.left, element.right, button.left, button.right) < 8 &&
          gap(element.top, element.bottom, button.top, button.bottom) < 8;
        const framed = (['left', 'top', 'right', 'bottom'] as const).every(
          (side) => Math.abs(element[side] - frame[side]) < 2,
        );
        // As it stands now: it may have been on its way when it was pointed at.
        return beside && framed && { x: button.x + button.width / 2, y: button.y + button.height / 2 };
      },
      selector,
      `pin-${id}`,
    );
  });
}

/** Waits until page and agent say that a comment has a status; returns what the agent gets. */
async function becomes(world: World, agent: Agent, id: string, status: string): Promise<Feedback> {
  await world.overlay.pin(id, `is ${status}`, (pin) => pin.status === status);
  return until(`the agent gets ${id} as ${status}`, async () => {
    const { comments } = await agent.feedback({ status: 'all' });
    return comments.find((comment) => comment.id === id && comment.status === status);
  });
}

/**
 * The status is as it was, once the extension has had the time to look at the page again (a capture is at most a second
 * away) and to tell of a difference (which has to hold for 600 ms).
 */
async function remain(world: World, status: string, ...ids: string[]): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_900));
  const pins = await world.overlay.pins();
  for (const id of ids) assert.equal(pins.find((each) => each.id === id)?.status, status);
}

/** Opens a pin's thread by a click, waits until it says something of the element, and closes it. */
async function threadSays(world: World, id: string, wanted: RegExp): Promise<void> {
  await world.overlay.openThread(id);
  await world.overlay.says('thread-verdict', wanted);
  await world.overlay.focused('pin-thread');
  await world.page.keyboard.press('Escape');
  await world.overlay.gone('pin-thread');
}
