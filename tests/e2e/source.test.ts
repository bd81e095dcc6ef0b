/**
 * Using an app makes no comment outdated; an edit of its source does. React under a real Vite dev server, in one window
 * and in two, with hot updates, reloads and pages that are closed while the source is edited.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { Agent } from './harness/agent.ts';
import { Overlay } from './harness/overlay.ts';
import { pinIs, placeOf } from './harness/pins.ts';
import { otherSite } from './harness/sites.ts';
import { writeSource } from './harness/source.ts';
import { until } from './harness/until.ts';
import { scenario, type World, type WorldOptions } from './harness/world.ts';

const SHOP: WorldOptions = { app: 'react', hot: true, path: '/shop.html' };
/** For what is alike in every browser. */
const ALIKE: WorldOptions = { ...SHOP, alike: true };
const PAGE = 'src/shop/Shop.tsx';
const FOOTER = 'src/shop/Footer.tsx';
const OPEN_CART = '#open-cart';
const BUY = '#goods li:nth-child(2) .buy';

async function edit(world: World, file: string, before: string, after: string): Promise<void> {
  const path = join(world.project, file);
  const text = await readFile(path, 'utf8');
  assert.ok(text.includes(before), `${file} has no ${before}`);
  // Two writes at once are one to a watcher of files; a person is slower.
  await pause(200);
  await writeSource(path, text.replace(before, after));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Long enough for a look, for a difference to be told, and for what was seen to be kept. */
const rest = () => pause(5_500);

async function shows(page: Page, selector: string, text: string): Promise<void> {
  await until(`${selector} shows ${text}`, () =>
    page.evaluate(
      (css, words) => document.querySelector(css)?.textContent?.includes(words) ?? false,
      selector,
      text,
    ),
  );
}

async function press(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.evaluate((css) => document.querySelector<HTMLElement>(css)?.click(), selector);
}

async function statusOf(agent: Agent, id: string): Promise<string | undefined> {
  const { comments } = await agent.feedback({ status: 'all' });
  return comments.find((comment) => comment.id === id)?.status;
}

/** For page and agent. */
async function is(world: World, agent: Agent, status: string, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await world.overlay.pin(id, `is ${status}`, (pin) => pin.status === status);
    await until(`the agent gets ${id} as ${status}`, async () => (await statusOf(agent, id)) === status);
  }
}

async function stays(agent: Agent, status: string, ...ids: string[]): Promise<void> {
  await rest();
  for (const id of ids) assert.equal(await statusOf(agent, id), status, id);
}

async function reload(page: Page): Promise<void> {
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector(OPEN_CART);
}

scenario('using an app outdates nothing, whatever it shows meanwhile', SHOP, async (world) => {
  const { page } = world;
  const agent = await world.agent();
  await press(page, OPEN_CART);
  const ids = [
    await world.comment(OPEN_CART, 'Say “Basket”'),
    await world.comment('#bought', 'Say when'),
    await world.comment('#pay', 'Make it green'),
  ];
  for (const id of ids) await world.delivered(agent, id);
  for (const good of [1, 2, 3, 1]) {
    await press(page, `#goods li:nth-child(${good}) .buy`);
    await pause(700);
  }
  await shows(page, OPEN_CART, 'Open cart (4)');
  await press(page, OPEN_CART);
  await stays(agent, 'active', ...ids);
  await reload(page);
  await shows(page, OPEN_CART, 'Open cart (0)');
  await stays(agent, 'active', ...ids);
});

scenario('an edit outdates in the open page, and is taken back there', ALIKE, async (world) => {
  const { page } = world;
  const agent = await world.agent();
  const id = await world.comment(BUY, 'Say what it costs');
  await world.delivered(agent, id);
  await press(page, '#goods li:nth-child(1) .buy');
  await rest();
  await edit(world, PAGE, '>Buy<', '>Buy for € 24<');
  await shows(page, BUY, 'Buy for € 24');
  await is(world, agent, 'outdated', id);
  await shows(page, OPEN_CART, 'Open cart (1)');
  await edit(world, PAGE, '>Buy for € 24<', '>Buy<');
  await is(world, agent, 'active', id);
});

scenario('an edit that is made and undone many times is told as soon as the first', ALIKE, async (world) => {
  const { page } = world;
  const agent = await world.agent();
  const id = await world.comment(BUY, 'Say what it costs');
  await world.delivered(agent, id);
  // One that flickers so is told of after 19 s. More often within 20 s, and what is loaded would be taken for data.
  for (let times = 1; times <= 4; times++) {
    await edit(world, PAGE, '>Buy<', '>Buy for € 24<');
    await shows(page, BUY, 'Buy for € 24');
    await is(world, agent, 'outdated', id);
    await edit(world, PAGE, '>Buy for € 24<', '>Buy<');
    await is(world, agent, 'active', id);
  }
});

scenario('an edit of another file outdates nothing while the app is used', ALIKE, async (world) => {
  const { page } = world;
  const agent = await world.agent();
  const id = await world.comment(OPEN_CART, 'Say “Basket”');
  await world.delivered(agent, id);
  for (const good of [1, 2]) {
    await press(page, `#goods li:nth-child(${good}) .buy`);
    await rest();
  }
  await edit(world, FOOTER, 'Open from nine to five', 'Closed on Mondays');
  await shows(page, 'footer', 'Closed on Mondays');
  await press(page, '#goods li:nth-child(3) .buy');
  await shows(page, OPEN_CART, 'Open cart (3)');
  await stays(agent, 'active', id);
});

scenario('an edit while the page is closed outdates, and goes on doing so', SHOP, async (world) => {
  const { page } = world;
  const agent = await world.agent();
  const edited = await world.comment(BUY, 'Say what it costs');
  const other = await world.comment(OPEN_CART, 'Say “Basket”');
  await world.delivered(agent, edited);
  await world.delivered(agent, other);
  await press(page, '#goods li:nth-child(1) .buy');
  await rest();
  const address = page.url();
  await page.goto('about:blank');
  await edit(world, PAGE, '>Buy<', '>Order<');
  await page.goto(address);
  await shows(page, BUY, 'Order');
  await is(world, agent, 'outdated', edited);
  // Once more, and nothing is new: the edit does not heal itself.
  for (let times = 0; times < 2; times++) {
    await reload(page);
    await stays(agent, 'outdated', edited);
  }
  assert.equal(await statusOf(agent, other), 'active');
});

scenario(
  'a dialog that a reload closes is not gone, also after an edit of something else',
  ALIKE,
  async (world) => {
    const { page } = world;
    const agent = await world.agent();
    await press(page, OPEN_CART);
    const id = await world.comment('#pay', 'Make it green');
    await world.delivered(agent, id);
    await rest();
    const address = page.url();
    await page.goto('about:blank');
    await edit(world, FOOTER, 'Open from nine to five', 'Closed on Mondays');
    await page.goto(address);
    await shows(page, 'footer', 'Closed on Mondays');
    await stays(agent, 'active', id);
    await press(page, OPEN_CART);
    await until('its pin is at the button', async () => (await placeOf(page, id)) === 'found');
    await is(world, agent, 'active', id);
  },
);

scenario(
  'a number that counts for the first time in the load after an edit is no edit',
  ALIKE,
  async (world) => {
    const { page } = world;
    const agent = await world.agent();
    await press(page, '#goods li:nth-child(1) .buy');
    await shows(page, OPEN_CART, 'Open cart (1)');
    const counted = await world.comment(OPEN_CART, 'Say “Basket”');
    const title = await world.comment('h1', 'Say whose');
    await world.delivered(agent, counted);
    await world.delivered(agent, title);
    await rest();
    const address = page.url();
    await page.goto('about:blank');
    await edit(world, PAGE, '<h1>Shop</h1>', '<h1>Our shop</h1>');
    await page.goto(address);
    await shows(page, OPEN_CART, 'Open cart (0)');
    await is(world, agent, 'outdated', title);
    await stays(agent, 'active', counted);
    await edit(world, PAGE, 'Open cart (', 'Open basket (');
    await is(world, agent, 'outdated', counted);
  },
);

scenario('two windows of different state do not overrule each other', ALIKE, async (world) => {
  const { page } = world;
  const agent = await world.agent();
  const id = await world.comment(OPEN_CART, 'Say “Basket”');
  await world.delivered(agent, id);
  const second = await world.browser.open(page.url(), 'window');
  assert.notEqual(await second.windowId(), await page.windowId(), 'each has a window of its own');
  await second.waitForSelector(OPEN_CART);
  const there = new Overlay(second);
  await there.pin(id, 'is there', (pin) => pin.status === 'active');
  for (const good of [1, 2]) {
    await press(second, `#goods li:nth-child(${good}) .buy`);
    await rest();
  }
  assert.equal(await statusOf(agent, id), 'active');
  await page.bringToFront();
  await edit(world, PAGE, 'Open cart (', 'Open basket (');
  await is(world, agent, 'outdated', id);
  await world.overlay.openThread(id);
  await world.overlay.click('thread-still-same');
  await is(world, agent, 'active', id);
  // The other window shows another number, and has seen the edit as well.
  await second.bringToFront();
  await shows(second, OPEN_CART, 'Open basket (2)');
  await press(second, '#goods li:nth-child(3) .buy');
  await rest();
  assert.equal(await statusOf(agent, id), 'active');
  await there.pin(id, 'is active there', (pin) => pin.status === 'active');
});

scenario(
  'a page of which nobody can tell whether its source changed says that it may have, and outdates nothing',
  { registered: false, everySite: true, alike: true },
  async (world) => {
    let tide = 'High water at 14:20';
    // No script, no style sheet, no project: what a server writes may be its data or its template.
    const site = await otherSite(
      () => `<!doctype html><title>Tides</title><h1>Tides</h1><p id="high">${tide}</p>`,
    );
    try {
      const { page, overlay } = world;
      await page.goto(site.url);
      const id = await world.comment('#high', 'Which day?');
      tide = 'Low water at 08:05';
      await page.reload();
      const pin = await pinIs(world, id, 'may have changed', ({ words }) => /may have changed/i.test(words));
      assert.deepEqual([pin.status, pin.place], ['active', 'found']);
      await overlay.openThread(id);
      await overlay.says('thread-verdict', /May have changed/i);
      const panel = await world.panel();
      await panel.says(`comment-${id}`, /May have changed.*08:05/s);
      await page.bringToFront();
      tide = 'High water at 14:20';
      await page.reload();
      const back = await pinIs(world, id, 'is as it was', ({ words }) => words === 'Active');
      assert.deepEqual([back.status, back.place], ['active', 'found']);
      await until('the panel takes it back', async () => !/May have/.test(await panel.text(`comment-${id}`)));
    } finally {
      site.stop();
    }
  },
);

scenario(
  'an edited style sheet outdates what differs with it and nothing else; where a document alone says something else, it may have changed, and a later edit is none of that',
  { registered: false, everySite: true },
  async (world) => {
    let styles = '.day { color: green }';
    let high = 'High water at 14:20';
    let low = 'Low water at 08:05';
    // No project: its style sheet is all that tells of the source.
    const site = await otherSite((path) =>
      path === '/tides.css'
        ? styles
        : `<!doctype html><title>Tides</title><link rel="stylesheet" href="/tides.css"><h1>Tides</h1>
           <p id="high" class="day">${high}</p><p id="low">${low}</p>`,
    );
    try {
      const { page, overlay } = world;
      await page.goto(site.url);
      const marked = await world.comment('#high', 'Which day?');
      const written = await world.comment('#low', 'Where?');
      await rest();
      // A template, or the data that it shows: nothing tells which.
      low = 'Ebb at noon';
      await page.reload();
      await rest();
      const mayHave = () =>
        pinIs(world, written, 'may have changed', ({ words, status }) => {
          return status === 'active' && /may have changed/i.test(words);
        });
      await mayHave();
      await overlay.openThread(written);
      await overlay.says('thread-verdict', /May have changed/i);
      await page.keyboard.press('Escape');
      // How an element looks by a style sheet alone is no part of what is compared: themes change it.
      styles = '.day { color: blue; font-size: 3em }';
      await page.reload();
      await rest();
      await pinIs(world, marked, 'stays active', ({ words }) => words === 'Active');
      // The same kind of difference as before, with an edit beside it.
      styles = '.day { color: red }';
      high = 'Flood at two';
      await page.reload();
      await pinIs(world, marked, 'is outdated', ({ status }) => status === 'outdated');
      // The edit is none of the other element, before and after it is seen again.
      await mayHave();
      await rest();
      await page.reload();
      await rest();
      await mayHave();
      low = 'Low water at 08:05';
      await page.reload();
      await pinIs(world, written, 'is as it was', ({ words }) => words === 'Active');
    } finally {
      site.stop();
    }
  },
);
