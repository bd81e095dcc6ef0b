/** The panel's work on comments, and that everyone can use it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';
import { until } from './harness/until.ts';
import { scenario } from './harness/world.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of axe-core's rules within a part of a page, one line each. */
async function violations(page: Page, within: string): Promise<string[]> {
  await page.evaluate(axe);
  // Colours on their way to others are neither.
  await until('nothing changes its colour any more', () =>
    page.evaluate(() => document.getAnimations().every(({ playState }) => playState !== 'running')),
  );
  return page.evaluate(async (selector) => {
    interface Axe {
      run(
        context: unknown,
        options: object,
      ): Promise<{
        violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
      }>;
    }
    const runner = (globalThis as unknown as { axe: Axe }).axe;
    const context = selector === 'document' ? document : { include: [selector] };
    const found = await runner.run(context, { resultTypes: ['violations'] });
    return found.violations.map(
      (violation) =>
        `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`,
    );
  }, within);
}

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
  await world.overlay
    .pin(id, 'is resolved', (pin) => pin.status === 'resolved')
    .catch(async (error) => {
      // A resolved comment may have left the page; then it must be gone, not stand there as open.
      if ((await world.overlay.pins()).some((pin) => pin.id === id)) throw error;
    });
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
  await world.startPicking();
  await world.overlay.pick('#new-order');
  await world.overlay.visible('comment-box');
  assert.deepEqual(await violations(world.page, '[data-opentoolbar-root]'), [], 'comment box and pins');
});

scenario('a page that keeps removing what we show is said so, until it is reloaded', {}, async (world) => {
  const panel = await world.panel();
  await panel.says('connection-hub', /Connected/);
  await world.startPicking();
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
