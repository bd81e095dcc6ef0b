/** Using an app makes none of its comments outdated: only an edit of its source does. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inBothColours } from './harness/colours.ts';
import { ARTIFACTS } from './harness/paths.ts';
import { pinIs, statusFor } from './harness/pins.ts';
import { Source } from './harness/source.ts';
import { scenario, type World } from './harness/world.ts';

const CART = { app: 'moving', path: '/cart' } as const;
/** Longer than anything is held back for before it is told. */
const told = () => new Promise((resolve) => setTimeout(resolve, 7_000));

async function picture(world: World, name: string): Promise<void> {
  const folder = join(ARTIFACTS, 'state', world.browser.name);
  await mkdir(folder, { recursive: true });
  await inBothColours(world, world.page, name, async (title, page) => {
    await page.screenshot({ path: join(folder, `${title}.png`) });
  });
}

scenario(
  'a counter that counts looks different in its thread, and outdates nothing, over a reload either; an edit of its words does',
  CART,
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('#open', 'Say what is in it');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const before = await statusFor(agent, id);
    await told();
    await overlay.clickPage('#add');
    await told();
    const pin = await pinIs(
      world,
      id,
      'is as it was',
      ({ place, status }) => place === 'found' && status === 'active',
    );
    assert.equal(pin.words, 'Active');
    assert.deepEqual(await statusFor(agent, id), before, 'nobody is told');
    await overlay.openThread(id);
    await overlay.says('thread-verdict', /Looks different now: .* No change of the source was seen\./s);
    await overlay.says('differences', /0.*1/s);
    await picture(world, 'different');
    await page.reload();
    await told();
    assert.deepEqual(await statusFor(agent, id), before, 'a reload is no change of the source');
    await new Source(world.project).edit('moving.js', "'Open cart (0)')", "'Show the basket (0)')");
    await pinIs(world, id, 'is outdated', ({ status }) => status === 'outdated');
  },
);

scenario(
  'what stands in a dialog that is closed is not in view, and comes back with it',
  CART,
  async (world) => {
    const { page, overlay } = world;
    await overlay.clickPage('#open');
    const id = await world.comment('#send', 'Say when it comes');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const before = await statusFor(agent, id);
    await told();
    await overlay.clickPage('#close');
    const away = await pinIs(world, id, 'is not in view', ({ place }) => place === 'away');
    assert.match(away.label, /It is in a closed dialog\./);
    assert.doesNotMatch(away.label, /not found|missing/i);
    await told();
    assert.deepEqual(await statusFor(agent, id), before);
    await picture(world, 'away');
    await page.reload();
    await told();
    await pinIs(world, id, 'is not in view after a reload', ({ place }) => place === 'away');
    assert.deepEqual(await statusFor(agent, id), before);
    await overlay.clickPage('#open');
    await pinIs(world, id, 'is back', ({ place, status }) => place === 'found' && status === 'active');
    assert.deepEqual(await statusFor(agent, id), before);
  },
);

scenario(
  'what is shown at another query of the page is hidden, not missing, and comes back with its query',
  { registered: false, path: '/?filter=open' },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#refresh', 'Say what it does');
    await world.overlay.pin(id, 'stands');
    await page.evaluate(() => {
      const button = document.getElementById('refresh');
      Object.assign(globalThis, { button, header: button?.parentElement });
      button?.remove();
      history.pushState({}, '', '/');
    });
    const away = await pinIs(world, id, 'is hidden', ({ place }) => place === 'away');
    assert.match(away.label, /The comment was made at \/\?filter=open\./);
    assert.doesNotMatch(away.label, /not found|sure/);
    await world.overlay.openThread(id);
    await world.overlay.says('thread-verdict', /^It is not shown here\. .*filter=open\.\s*$/);
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const { button, header } = globalThis as unknown as { button: Element; header: Element };
      header.append(button);
      history.back();
    });
    await pinIs(world, id, 'is back', ({ place, status }) => place === 'found' && status === 'active');
  },
);

scenario(
  'what a script takes out of the page is not missing as long as the source is the same',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const id = await world.comment('#high', 'Which day?');
    const agent = await world.agent();
    await world.delivered(agent, id);
    const before = await statusFor(agent, id);
    await told();
    await world.page.evaluate(() => document.getElementById('high')?.parentElement?.remove());
    await told();
    await pinIs(world, id, 'is not in view', ({ place, status }) => place === 'away' && status === 'active');
    assert.deepEqual(await statusFor(agent, id), before);
  },
);
