/**
 * What a comment's picture shows: the page as it is then, nothing that must not be seen, nothing of ours, no other tab.
 */
import assert from 'node:assert/strict';
import { areaIn, coloursIn, MASKED, pictureOf } from './harness/picture.ts';
import { otherSite } from './harness/sites.ts';
import { scenario, type World } from './harness/world.ts';

const GREEN = '#008000';

/** A green area over the page, so that whatever else is in the picture of it tells. */
async function greenArea(world: World): Promise<void> {
  await world.page.evaluate(() => {
    const vault = document.createElement('section');
    vault.id = 'vault';
    vault.style.cssText =
      'position: fixed; z-index: 9; left: 0; top: 0; width: 900px; height: 700px; background: rgb(0 128 0)';
    document.body.append(vault);
  });
}

async function inVault(world: World, png: Buffer, selector: string): Promise<string[]> {
  return coloursIn(world, png, await areaIn(world, '#vault', selector, 2));
}

scenario(
  'a picture hides fields that came while the person wrote, those in closed shadow roots, and frames of other sites',
  { registered: false, everySite: true },
  async (world) => {
    const { page, overlay } = world;
    const site = await otherSite();
    try {
      await greenArea(world);
      await world.startPicking();
      await overlay.pick('#vault');
      await overlay.type('Nobody else may see this');
      await page.evaluate((other) => {
        const place = (element: HTMLElement, top: number) => {
          element.style.cssText = `position: absolute; left: 40px; top: ${top}px; width: 200px; height: 40px; background: rgb(255 0 0); color: rgb(255 255 0); font: 20px monospace`;
          document.getElementById('vault')?.append(element);
        };
        const card = Object.assign(document.createElement('input'), { name: 'card-number', id: 'late' });
        card.value = '4242 4242';
        place(card, 40);
        const shown = Object.assign(document.createElement('input'), { name: 'note', id: 'plain' });
        shown.value = 'a note';
        place(shown, 100);
        const host = Object.assign(document.createElement('div'), { id: 'closed' });
        const field = Object.assign(document.createElement('input'), { type: 'password', value: 'hunter2' });
        field.style.cssText =
          'all: initial; display: block; width: 200px; height: 40px; background: rgb(255 0 0)';
        host.attachShadow({ mode: 'closed' }).append(field);
        place(host, 160);
        place(Object.assign(document.createElement('iframe'), { id: 'frame', src: other }), 220);
      }, site.url);
      // The frame has come when it says so.
      await world.until('the frame is there', async () =>
        page.frames().some((frame) => frame.url().startsWith(site.url)),
      );
      // Cold: nothing may hang on how fast the background is.
      await world.browser.endBackground();
      await page.bringToFront();
      await overlay.focused('comment-input');
      await page.keyboard.down('Control');
      await page.keyboard.press('Enter');
      await page.keyboard.up('Control');
      const pin = await world.until('the pin', async () => (await overlay.pins())[0]);
      const png = await pictureOf(world, pin.id);
      for (const hidden of ['#late', '#closed', '#frame'])
        assert.deepEqual(await inVault(world, png, hidden), [MASKED], hidden);
      const plain = await inVault(world, png, '#plain');
      assert.ok(plain.includes('#ff0000') && !plain.includes(MASKED), 'other fields are seen');
      // The card stood over the right and the lower part of it.
      const rest = { x: 300, y: 0, width: 580, height: 680 };
      assert.deepEqual(await coloursIn(world, png, rest), [GREEN], 'nothing of ours is in the picture');

      // The person wants the frame to be seen; fields stay hidden. The choice holds for the site.
      await world.startPicking();
      await overlay.pick('#vault');
      await overlay.click('show-embedded');
      await overlay.click('comment-input');
      const again = await overlay.write('With the frame');
      const second = await pictureOf(world, again.id);
      assert.ok(!(await inVault(world, second, '#frame')).includes(MASKED));
      assert.deepEqual(await inVault(world, second, '#late'), [MASKED]);
    } finally {
      site.stop();
    }
  },
);
