/**
 * Pages that do not stand still: comments keep to their elements, say why when they cannot, and tell others only what
 * holds.
 */
import assert from 'node:assert/strict';
import { countCaptures } from './harness/captures.ts';
import { inOwn } from './harness/closed.ts';
import { own } from './harness/overlay.ts';
import { drawn, pinIs, statusFor } from './harness/pins.ts';
import { Source } from './harness/source.ts';
import { until } from './harness/until.ts';
import { scenario, type World } from './harness/world.ts';

/** The source of all pages of this app. */
const PAGES = 'moving.js';
const TITLE = "'Tides')";

/** The page shows an edit of its source. */
async function shows(world: World, text: string): Promise<void> {
  await until(`the page shows ${text}`, () =>
    world.page.evaluate((words) => document.body.textContent.includes(words), text),
  );
}

const settled = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

scenario(
  'virtualised list: a pin whose row is scrolled out says so, and comes back with it',
  { app: 'moving' },
  async (world) => {
    const { page } = world;
    const id = await world.comment('.berth[data-berth="3"]', 'Which crane?');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const before = await pinIs(world, id, 'stands at its row', (pin) => pin.place === 'found');
    const revision = (await statusFor(agent, id)).revision;

    await page.evaluate(() => document.getElementById('board')?.scrollTo(0, 20_000));
    const away = await pinIs(world, id, 'is scrolled out of view', (pin) => pin.place === 'scrolled');
    assert.match(away.words, /scrolled out of view/);
    assert.match(away.label, /comes back when you scroll there/);
    // Longer than anything missing is held back for.
    await settled(7_000);
    assert.deepEqual(
      await statusFor(agent, id),
      { status: 'active', revision },
      'nobody was told of a scrolled list',
    );

    await page.evaluate(() => document.getElementById('board')?.scrollTo(0, 0));
    await pinIs(
      world,
      id,
      'is back at its row',
      (pin) => pin.place === 'found' && Math.abs(pin.y - before.y) < 4,
    );
    assert.deepEqual(await statusFor(agent, id), { status: 'active', revision });
  },
);

scenario(
  'virtualised list: a comment far down is not missed when the page is loaded anew',
  { app: 'moving' },
  async (world) => {
    const { page } = world;
    await page.evaluate(() => document.getElementById('board')?.scrollTo(0, 20_000));
    await world.until('the list draws', () => page.$('.berth[data-berth="502"]'));
    const id = await world.comment('.berth[data-berth="502"]', 'Too heavy');
    const agent = await world.agent();
    await world.delivered(agent, id);
    // Not by reloading, where some browsers scroll back by themselves.
    await page.goto(`${world.origin}/tides`);
    await page.goto(`${world.origin}/`);
    const pin = await pinIs(world, id, 'is docked', (each) => each.place === 'away');
    assert.match(pin.label, /may be further along/);
    await settled(7_000);
    assert.equal((await statusFor(agent, id)).status, 'active');
    await page.evaluate(() => document.getElementById('board')?.scrollTo(0, 20_000));
    await pinIs(world, id, 'stands at its row', (each) => each.place === 'found');
  },
);

scenario(
  'SPA route: pins of the other route leave and come back, and nothing is missed meanwhile',
  { app: 'moving' },
  async (world) => {
    const id = await world.comment('.berth[data-berth="1"]', 'On the board');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const { revision } = await statusFor(agent, id);
    for (let round = 0; round < 2; round++) {
      await world.overlay.clickPage('nav a[href="/tides"]');
      await world.until('the pin has left', async () => (await drawn(world, id)) === null);
      await world.overlay.clickPage('nav a[href="/"]');
      await pinIs(world, id, 'is back', (pin) => pin.place === 'found');
    }
    await settled(4_000);
    assert.deepEqual(await statusFor(agent, id), { status: 'active', revision });
  },
);

scenario(
  'streaming page: an element that comes late is waited for',
  { app: 'moving', path: '/stream' },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#last', 'Earlier, please');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const { revision } = await statusFor(agent, id);
    await page.goto(`${world.origin}/stream?after=2500`);
    await pinIs(world, id, 'is at its element', (pin) => pin.place === 'found');
    assert.deepEqual(await statusFor(agent, id), { status: 'active', revision });
  },
);

scenario(
  'an element that is really gone is told to be missing, and active again when it comes back',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#high', 'Which day?');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const source = new Source(world.project);
    await source.edit(
      PAGES,
      "element('p', {}, 'High water at ', element('b', { id: 'high' }, '14:20')),",
      '',
    );
    await until('the page is without it', () => page.evaluate(() => !document.getElementById('high')));
    await pinIs(
      world,
      id,
      'is looked for first',
      (pin) => pin.place === 'looking' && pin.status === 'active',
    );
    await pinIs(
      world,
      id,
      'is docked as not found',
      (pin) => pin.place === 'gone' && pin.status === 'outdated',
    );
    await world.until(
      'the agent hears of it',
      async () => (await statusFor(agent, id)).status === 'outdated',
    );
    await source.undo();
    await shows(world, 'High water at');
    await pinIs(world, id, 'is active again', (pin) => pin.place === 'found' && pin.status === 'active');
    await world.until(
      'the agent hears of that',
      async () => (await statusFor(agent, id)).status === 'active',
    );
  },
);

scenario(
  'an edit makes the comment outdated, and undoing it active again',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#tides-title', 'Say for where');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const source = new Source(world.project);
    await source.edit(PAGES, TITLE, "'Tides of the outer harbour')");
    await shows(world, 'of the outer harbour');
    await pinIs(world, id, 'is outdated', (pin) => pin.status === 'outdated');
    await world.overlay.openThread(id);
    await world.overlay.says('differences', /Text.*of the outer harbour/);
    const panel = await world.panel();
    await panel.page.bringToFront();
    await panel.says(`comment-${id}`, /of the outer harbour/);
    await panel.says(`verdict-${id}`, /Its text changed\. 99 % sure\./);
    await page.bringToFront();
    await world.until(
      'the agent hears of it',
      async () => (await statusFor(agent, id)).status === 'outdated',
    );

    await source.undo();
    await pinIs(world, id, 'is active again', (pin) => pin.status === 'active');
    await world.until(
      'the agent hears of the undo',
      async () => (await statusFor(agent, id)).status === 'active',
    );
  },
);

scenario(
  '“Still the same” and its undo',
  { app: 'moving', path: '/tides', registered: false },
  async (world) => {
    const id = await world.comment('#tides-title', 'Say for where');
    await new Source(world.project).edit(PAGES, TITLE, "'Tides of the inner harbour')");
    await shows(world, 'of the inner harbour');
    await pinIs(world, id, 'is outdated', (pin) => pin.status === 'outdated');
    await world.overlay.openThread(id);
    await world.overlay.click('thread-still-same');
    await pinIs(world, id, 'is active', (pin) => pin.status === 'active');
    await world.overlay.click('notice-action');
    await pinIs(world, id, 'is outdated again', (pin) => pin.status === 'outdated');

    // The same from the panel, undone in the panel.
    const panel = await world.panel();
    await panel.click(`still-same-${id}`);
    await panel.page.waitForSelector(`[data-testid="comment-${id}"][data-status="active"]`);
    await panel.click('undo');
    await panel.page.waitForSelector(`[data-testid="comment-${id}"][data-status="outdated"]`);
  },
);

scenario(
  '“Point at it again” pins the comment to another element, and can be undone',
  { app: 'moving', path: '/twins', registered: false },
  async (world) => {
    const id = await world.comment('.door:nth-child(1)', 'Slower');
    await new Source(world.project).edit(
      PAGES,
      "element('div', { className: 'doors' }, door(), door(), door())",
      "element('h2', { id: 'lift' }, 'Bridge lifts at noon')",
    );
    await shows(world, 'Bridge lifts at noon');
    await pinIs(world, id, 'is not found', (pin) => pin.status === 'outdated' && pin.place === 'gone');
    await world.overlay.openThread(id);
    await world.overlay.click('thread-repin');
    await world.overlay.picking();
    await world.overlay.pick('#lift');
    const middle = await world.overlay.middle('#lift');
    await pinIs(
      world,
      id,
      'stands at the new element',
      (pin) => pin.status === 'active' && Math.abs(pin.y - middle.y) < 60,
    );
    await world.overlay.click('notice-action');
    await pinIs(world, id, 'is not found again', (pin) => pin.status === 'outdated');
  },
);

scenario(
  'one of several is chosen by keyboard, each framed on the page',
  { app: 'moving', path: '/twins', registered: false },
  async (world) => {
    const { page } = world;
    const id = await world.comment('.door:nth-child(3)', 'This one only');
    // All anew, and more of them: nothing tells which is which.
    await new Source(world.project).edit(
      PAGES,
      'door(), door(), door()',
      '...Array.from({ length: 7 }, door)',
    );
    const pin = await pinIs(world, id, 'is unsure', (each) => each.place === 'unsure');
    assert.equal(pin.words, 'Active, place unsure');
    await world.overlay.openThread(id);
    await world.overlay.visible('candidate-1');
    // Each frame is where an element is.
    const tops = (all: Element[]) => all.map((each) => Math.round(each.getBoundingClientRect().y));
    await until('each frame is around a door', async () => {
      const [frames, doors] = await Promise.all([
        world.overlay.$$eval(own('outline-candidate'), tops),
        page.$$eval('.door', tops),
      ]);
      if (frames.length >= 2 && frames.every((y) => doors.includes(y))) return true;
      throw new Error(`frames at ${frames.join()}, doors at ${doors.join()}`);
    });
    await world.overlay.$eval(own('candidate-1'), (button) => (button as HTMLElement).focus());
    await world.overlay.focused('candidate-1');
    await page.keyboard.press('ArrowDown');
    // Frames are drawn anew after the key was heard.
    await until('the second is framed as the one that is meant', async () => {
      const strong = await world.overlay.$$eval('.outline.candidate', (all) =>
        all.map((frame) => frame.classList.contains('strong')),
      );
      return strong.indexOf(true) === 1;
    });
    await page.keyboard.press('Enter');
    await pinIs(
      world,
      id,
      'is at the chosen one',
      (each) => each.place === 'found' && each.status === 'active',
    );
    await world.overlay.click('notice-action');
    const undone = await pinIs(world, id, 'is unsure again', (each) => each.place === 'unsure');
    assert.equal(undone.words, pin.words);
  },
);

/** Makes the page jump; returns whether the pin glides as it is moved to where its element is then. */
async function glides(world: World, id: string): Promise<boolean> {
  const has = await inOwn(
    world.page,
    async (root, testId) => {
      const pin = root.querySelector(`[data-testid="${testId}"]`);
      const title = document.querySelector('h1');
      if (!pin || !title) throw new Error('no pin or no title');
      const glide = () =>
        pin
          .getAnimations()
          .some(
            (each) =>
              'effect' in each &&
              JSON.stringify((each.effect as KeyframeEffect).getKeyframes()).includes('translate'),
          );
      const top = () => new DOMMatrix((pin as HTMLElement).style.transform).m42;
      const before = top();
      // Asked as soon as it is moved that far: a glide is over before a late frame is drawn.
      const moved = new Promise<boolean>((resolve) => {
        const look = () => Math.abs(top() - before) > 100 && resolve(glide());
        new MutationObserver(look).observe(pin, { attributeFilter: ['style'] });
      });
      title.style.marginTop = '160px';
      return moved;
    },
    `pin-${id}`,
  );
  return has === true;
}

scenario('pins glide to a new place', { app: 'moving', path: '/tides', registered: false }, async (world) => {
  const id = await world.comment('#high', 'Glides');
  const before = await pinIs(world, id, 'stands', (pin) => pin.place === 'found');
  // What came before has come to rest.
  await settled(500);
  assert.equal(await glides(world, id), true);
  await pinIs(world, id, 'has arrived', (pin) => pin.y > before.y + 100);
});

scenario(
  'pins jump with prefers-reduced-motion',
  { app: 'moving', path: '/tides', registered: false, reducedMotion: true },
  async (world) => {
    const id = await world.comment('#high', 'Does not glide');
    const before = await pinIs(world, id, 'stands', (pin) => pin.place === 'found');
    assert.equal(await glides(world, id), false);
    await pinIs(world, id, 'has arrived', (pin) => pin.y > before.y + 100);
  },
);

scenario(
  'a page that writes itself anew all the time keeps its pins, and is captured at most once a second',
  { app: 'moving', path: '/clock' },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#order', 'Ask for the time first');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const { revision } = await statusFor(agent, id);
    const captures = await countCaptures(world);
    const began = performance.now();
    await page.evaluate(() => (globalThis as unknown as { runClock(): void }).runClock());
    await settled(6_000);
    const count = await captures();
    const took = performance.now() - began;
    // From the end of one to the beginning of the next is a second at least; one may fall on either end.
    assert.ok(count > 0 && count <= took / 1_000 + 1, `${count} captures in ${took} ms`);
    await pinIs(world, id, 'is at its element', (pin) => pin.place === 'found');
    assert.deepEqual(await statusFor(agent, id), { status: 'active', revision }, 'rewriting is no news');
    // An edit at the end is seen although the page never rests.
    await new Source(world.project).edit(PAGES, 'face, shop]', 'face]');
    await pinIs(world, id, 'is told to be missing', (pin) => pin.status === 'outdated');
  },
);

scenario(
  'a hidden tab rests, and is looked at when it comes back',
  { app: 'moving', path: '/tides', registered: false },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#tides-title', 'Say for where');
    const panel = await world.panel();
    await panel.page.bringToFront();
    await world.until('the page is hidden', () => page.evaluate(() => document.visibilityState === 'hidden'));
    const captures = await countCaptures(world);
    await new Source(world.project).edit(PAGES, TITLE, "'Tides of the old harbour')");
    await shows(world, 'of the old harbour');
    await settled(2_000);
    assert.equal(await captures(), 0, 'no capture while hidden');
    await page.bringToFront();
    await pinIs(world, id, 'is outdated', (pin) => pin.status === 'outdated');
  },
);

scenario('a reply is written in the thread on the page, and its draft is kept', {}, async (world) => {
  const { page } = world;
  const id = await world.comment('#refresh', 'Faster');
  const agent = await world.agent();
  await world.delivered(agent, id);
  await world.overlay.openThread(id);
  await world.overlay.click('thread-reply-input');
  await world.overlay.focused('thread-reply-input');
  await page.keyboard.type('Twice as fast');
  await page.keyboard.press('Escape');
  await world.overlay.gone('pin-thread');
  await world.overlay.openThread(id);
  await world.overlay.click('thread-reply-input');
  assert.equal(await world.overlay.written('thread-reply-input'), 'Twice as fast');
  await world.overlay.focused('thread-reply-input');
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
  await world.until('the agent gets the reply', async () => {
    const { comments } = await agent.feedback({ detail: 'full' });
    return JSON.stringify(comments).includes('Twice as fast');
  });
});
