/** What a person has written and not saved is theirs: a reload of the page does not take it away. */
import assert from 'node:assert/strict';
import type { Page } from 'puppeteer-core';
import { hang, keptTexts } from './harness/drafts.ts';
import { own } from './harness/overlay.ts';
import { browserUnderTest } from './harness/paths.ts';
import { scenario, type World } from './harness/world.ts';

/** Reloads the page, takes what it offers, and finds these words in the box. */
async function offeredAfterReload({ page, overlay }: World, words: string): Promise<void> {
  await page.reload({ waitUntil: 'load' });
  await overlay.click('notice-action');
  await overlay.picking();
  await overlay.pick('#new-order');
  await overlay.focused('comment-input');
  assert.equal(await overlay.written(), words);
}

scenario('unsaved text survives a reload', { registered: false }, async (world) => {
  const { page, overlay } = world;
  await world.startPicking();
  await overlay.pick('#new-order');
  await overlay.type('Half a thought');
  await offeredAfterReload(world, 'Half a thought');
  await overlay.write(', now whole');
  await page.reload({ waitUntil: 'load' });
  await world.until('the pin is there', async () => (await overlay.pins()).length === 1);
  assert.equal(await overlay.$(own('notice-action')), null, 'what was saved is offered no more');
});

// Firefox's automation hands keys to the page's process, which hangs: a person's do not go there.
if (browserUnderTest() === 'chromium') {
  scenario(
    'what is typed while the page hangs is kept while it still hangs',
    { registered: false },
    async (world) => {
      const { page, overlay } = world;
      const kept = await keptTexts(world);
      await world.startPicking();
      await overlay.pick('#new-order');
      await overlay.type('Half a');
      const goOn = await hang(world);
      try {
        await page.keyboard.type(' thought');
        await world.until('all of it is kept', async () => (await kept()).includes('Half a thought'));
      } finally {
        goOn();
      }
      await offeredAfterReload(world, 'Half a thought');
    },
  );
}

/** Has the page do nothing else for two seconds. */
async function busy(page: Page): Promise<void> {
  await page.evaluate(() => {
    setTimeout(() => {
      const end = Date.now() + 2_000;
      while (Date.now() < end);
    }, 0);
  });
}

scenario('what is typed while the page is busy survives its reload', { registered: false }, async (world) => {
  const { page, overlay } = world;
  await world.startPicking();
  await overlay.pick('#new-order');
  await overlay.type('Half a');
  await busy(page);
  await page.keyboard.type(' thought');
  await offeredAfterReload(world, 'Half a thought');
});

scenario(
  'an edit that is not saved survives a reload, until it is cancelled',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('.save-card', 'Make it blue');
    await page.bringToFront();
    await overlay.openThread(id);
    await overlay.click('thread-edit');
    await overlay.focused('thread-edit-input');
    await page.keyboard.press('End');
    await page.keyboard.type(', or green');
    await world.until('it is written', async () => {
      return (await overlay.written('thread-edit-input')) === 'Make it blue, or green';
    });
    await page.reload({ waitUntil: 'load' });
    await overlay.openThread(id);
    await overlay.focused('thread-edit-input');
    assert.equal(await overlay.written('thread-edit-input'), 'Make it blue, or green');
    await overlay.click('thread-edit-cancel');
    await overlay.says('thread-text', /^Make it blue$/);
    await page.reload({ waitUntil: 'load' });
    await overlay.openThread(id);
    assert.equal(
      await world.overlay.$(own('thread-edit-input')),
      null,
      'what was cancelled is offered no more',
    );
  },
);
