/** Pages that are laid out unlike most, and pages where there is nothing to show. */
import assert from 'node:assert/strict';
import { scenario } from './harness/world.ts';

scenario(
  'pins stand at their elements on zoomed and right-to-left pages',
  { registered: false },
  async (world) => {
    const id = await world.comment('#refresh', 'Here, whatever the layout');
    await world.page.evaluate(() => {
      document.documentElement.dir = 'rtl';
      document.documentElement.style.zoom = '1.5';
    });
    const corner = await world.page.$eval('#refresh', (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.right, y: box.top };
    });
    await world.overlay.pin(
      id,
      'stands at the corner',
      (pin) => Math.hypot(pin.x - corner.x, pin.y - corner.y) < 40,
    );
    // And a click on it opens its thread, which is where it is drawn.
    const pin = (await world.overlay.pins())[0];
    assert.ok(pin);
    await world.page.mouse.click(pin.x, pin.y);
    await world.overlay.visible('pin-thread');
  },
);

scenario('a page without comments gets nothing of ours', { registered: false }, async (world) => {
  const panel = await world.panel();
  await panel.find('empty');
  assert.equal(await world.page.$('opentoolbar-root'), null);
  const id = await world.comment('#refresh', 'Now there is something');
  await world.overlay.pin(id, 'is there');
  const other = await world.browser.open(`${world.origin}/customers`);
  await panel.page.bringToFront();
  await panel.find(`comment-${id}`);
  assert.equal(await other.$('opentoolbar-root'), null, 'comments of another page bring nothing either');
});
