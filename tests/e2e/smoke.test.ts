/** The harness itself: extension in, page open, panel open, tab known. When this fails, look here first. */
import assert from 'node:assert/strict';
import { scenario } from './harness/world.ts';

scenario('the extension loads and knows the tab', { registered: false }, async (world) => {
  assert.equal(await world.page.title(), 'Nordlys Roasters');
  assert.ok((await world.browser.tabId(world.page.url())) > 0);
  const panel = await world.panel();
  assert.match(panel.page.url() + (await panel.page.evaluate(() => location.href)), /panel\.html\?tabId=\d+/);
});
