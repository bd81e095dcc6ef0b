/** What a person has written and not saved is theirs: a reload of the page does not take it away. */
import assert from 'node:assert/strict';
import { own } from './harness/overlay.ts';
import { scenario } from './harness/world.ts';

scenario('unsaved text survives a reload', { registered: false }, async (world) => {
  const { page, overlay } = world;
  await world.startPicking();
  await overlay.pick('#new-order');
  await overlay.type('Half a thought');
  await page.reload({ waitUntil: 'load' });
  await overlay.click('notice-action');
  await overlay.picking();
  await overlay.pick('#new-order');
  await overlay.focused('comment-input');
  assert.equal(await overlay.written(), 'Half a thought');
  await overlay.write(', now whole');
  await page.reload({ waitUntil: 'load' });
  await world.until('the pin is there', async () => (await overlay.pins()).length === 1);
  assert.equal(await page.$(own('notice-action')), null, 'what was saved is offered no more');
});
