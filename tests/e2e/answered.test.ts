/** An agent answers while no panel shows it: the page, the pin and the button say so, until the person has looked. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { read, send } from './conversation.ts';
import { own } from './harness/overlay.ts';
import { Panel } from './harness/panel.ts';
import { ARTIFACTS } from './harness/paths.ts';
import { scenario, type World } from './harness/world.ts';

type Action = { action: { getBadgeText(of: { tabId: number }): Promise<string> } };

/** What the toolbar button says of a tab; asked from a page of the extension's that shows no tab. */
async function badgeOf(world: World, tabId: number): Promise<() => Promise<string>> {
  const page = await world.browser.openExtensionPage('panel.html?tabId=999999');
  return () =>
    page.evaluate(async (id) => {
      const scope = globalThis as unknown as { browser?: Action; chrome?: Action };
      return (await (scope.browser ?? scope.chrome)?.action.getBadgeText({ tabId: id })) ?? '';
    }, tabId);
}

const isMarked = (world: World, id: string) =>
  world.page.$eval(own(`pin-${id}`), (pin) => (pin as HTMLElement).dataset.answered !== undefined);

scenario('an answer to a comment is shown without a panel, until its thread is opened', {}, async (world) => {
  const panel = await world.panel();
  const tabId = await world.browser.tabId(world.page.url());
  const badge = await badgeOf(world, tabId);
  const id = await world.comment('.save-card', 'Make it blue');
  const agent = await world.agent('claude-code');
  await world.delivered(agent, id);

  // Who looks at the panel sees it there.
  await panel.page.bringToFront();
  await agent.call('reply_to_comment', { commentId: id, message: 'I am on it.' });
  await panel.says(`comment-${id}`, /I am on it\./);
  await world.until('the button is as before', async () => (await badge()) === '');

  await panel.page.close();
  await world.page.bringToFront();
  await agent.call('reply_to_comment', { commentId: id, message: 'Which blue?' });
  await world.overlay.visible('answered');
  await world.overlay.says('answered', /claude-code [\d.]+ answered comment 1\./);
  assert.ok(await isMarked(world, id), 'the pin says so');
  await world.until('the button says so', async () => (await badge()) === '1');
  await mkdir(join(ARTIFACTS, world.browser.name), { recursive: true });
  await world.page.screenshot({ path: join(ARTIFACTS, world.browser.name, 'answered.png') });

  // Also of a page that was loaded again meanwhile.
  await world.page.reload();
  await world.overlay.visible('answered');
  await world.until('the button says so again', async () => (await badge()) === '1');

  await world.overlay.click('answered-show');
  await world.overlay.visible('pin-thread');
  await world.overlay.says('thread-replies', /Which blue\?/);
  await world.until('the pin is as before', async () => !(await isMarked(world, id)));
  await world.until('the button is as before', async () => (await badge()) === '');
  await world.overlay.gone('answered');
});

scenario('an answer in the conversation is shown without a panel, until it is read', {}, async (world) => {
  const panel = await world.panel();
  const tabId = await world.browser.tabId(world.page.url());
  const badge = await badgeOf(world, tabId);
  await send(world, '.payment', 'Align these fields');
  const agent = await world.agent('claude-code');
  const { about } = await read(world, agent, 'Align these fields');
  await panel.page.close();
  await world.page.bringToFront();
  await agent.call('respond_to_browser', { ...about, message: 'They share a grid now.', isComplete: true });
  await world.overlay.visible('answered');
  await world.overlay.says('answered', /Your agent answered in the conversation\./);
  await world.until('the button says so', async () => (await badge()) === '1');

  // Put away, it is not shown again; the button still says it.
  await world.overlay.click('answered-away');
  await world.overlay.gone('answered');
  assert.equal(await badge(), '1');

  const again = new Panel(await world.browser.openExtensionPage(`panel.html?tabId=${tabId}`));
  await again.click('tab-chat');
  await again.says('chat-log', /They share a grid now\./);
  await world.until('the button is as before', async () => (await badge()) === '');
});
