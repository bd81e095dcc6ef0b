/** The toolbar button itself. Firefox offers automation no way to press it; there the panel's toggle is the way in. */
import assert from 'node:assert/strict';
import { browserUnderTest } from './harness/paths.ts';
import { pictureIfAny } from './harness/picture.ts';
import { scenario } from './harness/world.ts';

if (browserUnderTest() === 'chromium') {
  scenario('the toolbar button starts and stops picking', { registered: false }, async (world) => {
    const panel = await world.panel();
    await world.page.bringToFront();
    await world.browser.pressToolbarButton(world.page);
    await world.overlay.picking();
    // Whoever decides what the next press means has heard of it.
    await panel.knowsPicking(true);
    await world.browser.pressToolbarButton(world.page);
    await world.overlay.gone('pick-bar');
  });

  scenario(
    'the toolbar button is what lets pictures of the page be taken',
    { registered: false },
    async (world) => {
      const { page, overlay } = world;
      const without = await world.comment('#refresh', 'Without a press');
      assert.equal(await pictureIfAny(world, without), null);
      await page.bringToFront();
      await world.browser.pressToolbarButton(page);
      await overlay.picking();
      await overlay.pick('#new-order');
      const { id } = await overlay.write('After a press');
      assert.ok(await pictureIfAny(world, id), 'there is a picture');
    },
  );
}
