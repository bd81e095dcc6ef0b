/** The panel's work on comments, and that everyone can use it. */
import assert from 'node:assert/strict';
import { ownViolations, violations } from './harness/axe.ts';
import { scenario } from './harness/world.ts';

scenario('filter, edit, resolve and reopen in the panel', { registered: false }, async (world) => {
  const id = await world.comment('#refresh', 'First words');
  const panel = await world.panel();
  await panel.click(`edit-${id}`);
  await panel.type(`input-${id}`, ', and more');
  await panel.click(`save-${id}`);
  await panel.says(`comment-${id}`, /First words, and more/);

  await panel.click(`resolve-${id}`);
  await panel.click('filter-active');
  await panel.gone(`comment-${id}`);
  await panel.click('filter-resolved');
  await panel.find(`comment-${id}`);
  await world.page.bringToFront();
  // A resolved comment keeps its pin for a day.
  await world.overlay.pin(id, 'is resolved', (pin) => pin.status === 'resolved');
  await panel.click(`reopen-${id}`);
  await panel.click('filter-active');
  await panel.find(`comment-${id}`);
  await world.page.bringToFront();
  await world.overlay.pin(id, 'is active again', (pin) => pin.status === 'active');
});

scenario('delete and undo', { registered: false }, async (world) => {
  const id = await world.comment('#refresh', 'Deleted by mistake');
  const panel = await world.panel();
  await panel.click(`delete-${id}`);
  await panel.gone(`comment-${id}`);
  await panel.click('undo');
  await panel.find(`comment-${id}`);
  await world.page.bringToFront();
  await world.overlay.pin(id, 'is back');
});

scenario('an edit is kept in both places', {}, async (world) => {
  const id = await world.comment('#refresh', 'Old words');
  const agent = await world.agent();
  await world.delivered(agent, id);
  const panel = await world.panel();
  await panel.click(`edit-${id}`);
  await panel.type(`input-${id}`, ' made new');
  await panel.click(`save-${id}`);
  await world.until('the agent gets the new words', async () => {
    const { comments } = await agent.feedback();
    return comments.find((comment) => comment.id === id)?.text === 'Old words made new';
  });
});

scenario('jump goes to the element and shows it', { registered: false }, async (world) => {
  const id = await world.comment('.order:last-child', 'Far down');
  await world.page.evaluate(() => document.getElementById('order-list')?.scrollTo(0, 0));
  const panel = await world.panel();
  await panel.click(`jump-${id}`);
  // Beside the side panel the page is in sight; a tab in the back is not drawn, and scrolls when it is.
  await world.page.bringToFront();
  await world.until('the list has scrolled', () =>
    world.page.evaluate(() => (document.getElementById('order-list')?.scrollTop ?? 0) > 50),
  );
});

scenario('panel and overlay have no axe-core violations', { registered: false }, async (world) => {
  const id = await world.comment('#refresh', 'Readable for everyone');
  const panel = await world.panel();
  await panel.page.bringToFront();
  await panel.find(`comment-${id}`);
  for (const scheme of ['light', 'dark'] as const) {
    await world.colours(panel.page, scheme);
    assert.deepEqual(await violations(panel.page, 'document'), [], `panel, ${scheme}`);
  }
  await panel.click('tab-chat');
  for (const scheme of ['light', 'dark'] as const) {
    await world.colours(panel.page, scheme);
    assert.deepEqual(await violations(panel.page, 'document'), [], `chat, ${scheme}`);
  }
  await world.startPickingInPanel();
  await world.overlay.pick('#new-order');
  await world.overlay.visible('comment-box');
  assert.deepEqual(await ownViolations(world.page), [], 'comment box and pins');
});

scenario('a page that keeps removing what we show is said so, until it is reloaded', {}, async (world) => {
  const panel = await world.panel();
  await panel.says('connection-hub', /Connected/);
  await world.startPickingInPanel();
  await world.page.evaluate(() => {
    const ours = () => document.querySelector('[data-opentoolbar-root]');
    new MutationObserver(() => ours()?.remove()).observe(document, { childList: true, subtree: true });
    ours()?.remove();
  });
  await panel.says('connection-hub', /Not shown/);
  await panel.page.bringToFront();
  await (await panel.find('advice-reload_page')).$('button').then((button) => button?.click());
  await panel.says('connection-hub', /Connected/);
});
