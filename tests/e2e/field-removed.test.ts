/** A page takes our element out while a person writes: what was written is kept, and the person is told. */
import assert from 'node:assert/strict';
import type { Page } from 'puppeteer-core';
import { isFramed, openBox, PLAIN, saveByKeys } from './field-play.ts';
import { ownViolations } from './harness/axe.ts';
import { scenarioOn, type World } from './harness/world.ts';

scenarioOn(
  PLAIN,
  {},
  'a page that takes our element out while something is written has the text in the field again',
  async (world) => {
    const { page, overlay } = world;
    await openBox(world);
    await page.keyboard.type('Not lost');
    await takeOut(page);
    await world.until('the text is there again', async () => (await overlay.written()) === 'Not lost');
    // The field has the focus again: what is typed now is not for the page.
    await overlay.focused('comment-input');
    await page.keyboard.press('End');
    await page.keyboard.type(' at all');
    assert.equal(await saveByKeys(world), 'Not lost at all');
  },
);

/** The page takes our element out, once. */
async function takeOut(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('[data-opentoolbar-root]')?.remove());
}

/** From now on the page takes our element out whenever it sees it; `false`: no more. */
async function removing(world: World, removes: boolean): Promise<void> {
  await world.page.evaluate((removes) => {
    const scope = globalThis as unknown as { removals: number; guard?: MutationObserver };
    scope.guard?.disconnect();
    if (!removes) return;
    scope.removals = 0;
    const remove = () => {
      for (const root of document.querySelectorAll('[data-opentoolbar-root]')) {
        root.remove();
        scope.removals++;
      }
    };
    scope.guard = new MutationObserver(remove);
    scope.guard.observe(document.documentElement, { childList: true });
    remove();
  }, removes);
}

scenarioOn(
  PLAIN,
  {},
  'a page that keeps taking our element out keeps nothing of what was written, which the panel says, and the text comes back',
  async (world) => {
    const { page, overlay } = world;
    const panel = await world.panel();
    // Once it has asked the page it is told of what comes, though it stands behind.
    await panel.says('connection-hub', /Stored in this browser/);
    await openBox(world);
    await page.keyboard.type('Not lost');
    await removing(world, true);
    await panel.says('connection-hub', /Not shown/);
    await removing(world, false);
    await openBox(world);
    await world.until('the text is there again', async () => (await overlay.written()) === 'Not lost');
    await removing(world, true);
    await panel.says('connection-hub', /Not shown/);
    await page.reload({ waitUntil: 'load' });
    await openBox(world);
    await world.until('the text is there again', async () => (await overlay.written()) === 'Not lost');
    await page.keyboard.press('End');
    await page.keyboard.type(' at all');
    assert.equal(await saveByKeys(world), 'Not lost at all');
  },
);

scenarioOn(
  PLAIN,
  {},
  'a page that takes our element out and keeps the field from loading again puts nothing of what was written into itself, and the person is asked',
  async (world) => {
    const { page, overlay } = world;
    await openBox(world);
    await page.keyboard.type('Mine');
    await page.evaluate(() => {
      // By messages, as a timer is too slow for a frame that loads at once.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        window.stop();
        port2.postMessage(0);
      };
      port2.postMessage(0);
      Object.assign(globalThis, { stops: port1 });
    });
    await takeOut(page);
    const question = async () => {
      if (await overlay.shows('field-asks')) return true;
      // On a busy machine the field may load between two of the page's messages: then the page tries once more.
      if ((await overlay.written()) === 'Mine') await takeOut(page);
      return false;
    };
    await world.until('the person is asked', question, 60_000);
    assert.doesNotMatch(await page.content(), /Mine/);
    for (const scheme of ['light', 'dark'] as const) {
      await world.colours(page, scheme);
      assert.deepEqual(await ownViolations(page), [], scheme);
    }
    await page.evaluate(() => (globalThis as unknown as { stops: MessagePort }).stops.close());
    // By keys: the close button comes before the question, and after it the rest of the box.
    await page.keyboard.press('Tab');
    await overlay.focused('field-again');
    await page.keyboard.press('Tab');
    await overlay.focused('field-in-page');
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    await page.keyboard.up('Shift');
    await overlay.focused('field-again');
    await page.keyboard.press('Enter');
    await overlay.focused('comment-input');
    assert.equal(await isFramed(world), true);
    assert.equal(await saveByKeys(world), 'Mine');
  },
);
