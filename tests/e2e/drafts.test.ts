/** What a person has written and not saved is theirs: a reload of the page does not take it away. */
import assert from 'node:assert/strict';
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

/** The texts that the background keeps for tabs, as its storage has them. */
async function keptTexts({ browser }: World): Promise<() => Promise<string[]>> {
  const page = await browser.openExtensionPage('panel.html?tabId=999999');
  return () =>
    page.evaluate(async () => {
      type Api = { storage: { session: { get(all: null): Promise<Record<string, unknown>> } } };
      const { browser, chrome } = globalThis as { browser?: Api; chrome?: Api };
      const all = (await (browser ?? chrome)?.storage.session.get(null)) ?? {};
      const drafts = Object.entries(all).filter(([key]) => key.startsWith('drafts:'));
      return drafts.flatMap(([, texts]) => Object.values(texts as Record<string, string>));
    });
}

/** Has the page, and our script in it do nothing else for so long, milliseconds. Returns once it does. */
async function hang({ page }: World, milliseconds: number): Promise<{ until: number }> {
  const from = Date.now() + 100;
  const until = from + milliseconds;
  await page.evaluate(
    (from, until) => {
      setTimeout(() => {
        while (Date.now() < until);
      }, from - Date.now());
    },
    from,
    until,
  );
  while (Date.now() < from + 50) await new Promise((resolve) => setTimeout(resolve, 10));
  return { until };
}

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
      const { until } = await hang(world, 4_000);
      await page.keyboard.type(' thought');
      await world.until('all of it is kept', async () => (await kept()).includes('Half a thought'));
      assert.ok(Date.now() < until, 'our script in the page can have heard nothing of it');
      await offeredAfterReload(world, 'Half a thought');
    },
  );
}

scenario('what is typed while the page is busy survives its reload', { registered: false }, async (world) => {
  const { page, overlay } = world;
  await world.startPicking();
  await overlay.pick('#new-order');
  await overlay.type('Half a');
  await hang(world, 2_000);
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
