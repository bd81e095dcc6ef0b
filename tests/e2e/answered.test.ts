/** An agent answers while no panel shows it: the page, the pin and the button say so, until the person has looked. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { read, send } from './conversation.ts';
import { askBackground } from './harness/ask-background.ts';
import { own } from './harness/overlay.ts';
import { Panel } from './harness/panel.ts';
import { ARTIFACTS } from './harness/paths.ts';
import { scenario, type World } from './harness/world.ts';

interface Api {
  action: { getBadgeText(of: { tabId: number }): Promise<string> };
  tabs: { query(of: object): Promise<{ url?: string }[]> };
}
type Scope = { browser?: Api; chrome?: Api };

/**
 * What the toolbar button says of a tab, and how its panel is closed; asked from a page of the extension's that shows
 * no tab.
 */
async function watch(world: World, tabId: number) {
  const page = await world.browser.openExtensionPage('panel.html?tabId=999999');
  const badge = () =>
    page.evaluate(async (id) => {
      const { browser, chrome } = globalThis as Scope;
      return (await (browser ?? chrome)?.action.getBadgeText({ tabId: id })) ?? '';
    }, tabId);
  /**
   * Returns when the background has heard that the panel is gone: what an agent says before that counts as seen there.
   */
  const isThere = () =>
    page.evaluate(async (id) => {
      const { browser, chrome } = globalThis as Scope;
      const tabs = (await (browser ?? chrome)?.tabs.query({})) ?? [];
      return tabs.some(({ url }) => url?.endsWith(`/panel.html?tabId=${id}`));
    }, tabId);
  const close = async (panel: Panel) => {
    assert.ok(await isThere());
    await panel.page.close();
    await world.until('the panel is gone', async () => !(await isThere()));
    // An answer from the background, the page and the host: what was on its way before has come.
    await askBackground(page, { type: 'check_connection', payload: { tabId, isByPerson: true } });
    await world.page.bringToFront();
  };
  return { badge, close };
}

const isMarked = (world: World, id: string) =>
  world.overlay.$eval(own(`pin-${id}`), (pin) => (pin as HTMLElement).dataset.answered !== undefined);

scenario('an answer to a comment is shown without a panel, until its thread is opened', {}, async (world) => {
  const panel = await world.panel();
  const tabId = await world.browser.tabId(world.page.url());
  const { badge, close } = await watch(world, tabId);
  const id = await world.comment('.save-card', 'Make it blue');
  const agent = await world.agent('claude-code');
  await world.delivered(agent, id);

  // Who looks at the panel sees it there.
  await panel.page.bringToFront();
  await agent.call('reply_to_comment', { commentId: id, message: 'I am on it.' });
  await panel.says(`comment-${id}`, /I am on it\./);
  await world.until('the button is as before', async () => (await badge()) === '');

  await close(panel);
  await agent.call('reply_to_comment', { commentId: id, message: 'Which blue?' });
  await world.overlay.visible('answered');
  await world.overlay.says('answered', /claude-code [\d.]+ answered comment 1\./);
  assert.ok(await isMarked(world, id), 'the pin says so');
  await world.until('the button says so', async () => (await badge()) === '1');
  await mkdir(join(ARTIFACTS, world.browser.name), { recursive: true });
  await world.page.screenshot({ path: join(ARTIFACTS, world.browser.name, 'answered.png') });

  // Put away by keys, the focus goes back to where it was; another answer to the same comment is shown again.
  await world.page.focus('#new-order');
  await world.overlay.$eval(own('answered-away'), (button) => (button as HTMLElement).focus());
  await world.page.keyboard.press('Enter');
  await world.overlay.gone('answered');
  await world.until('the focus is back', () =>
    world.page.evaluate(() => document.activeElement?.id === 'new-order'),
  );
  await agent.call('reply_to_comment', { commentId: id, message: 'Navy?' });
  await world.overlay.visible('answered');

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

scenario('an answer below the fold of the panel is seen once it was scrolled to', {}, async (world) => {
  const panel = await world.panel();
  const { badge } = await watch(world, await world.browser.tabId(world.page.url()));
  await world.comment('.save-card', 'Make it blue');
  const id = await world.comment('#new-order', 'Make it green');
  const agent = await world.agent('claude-code');
  await world.delivered(agent, id);
  // As high as what stands around the list, and the beginning of the first comment.
  await panel.page.setViewport({ width: 380, height: 420 });
  await panel.page.bringToFront();
  await agent.call('reply_to_comment', { commentId: id, message: 'Which green?' });
  await panel.says(`comment-${id}`, /Which green\?/);
  await world.until('the button says so', async () => (await badge()) === '1');
  await panel.page.$eval(`[data-testid="comment-${id}"]`, (card) => card.scrollIntoView({ block: 'end' }));
  await world.until('the button is as before', async () => (await badge()) === '');
});

scenario('an answer in the conversation is shown without a panel, until it is read', {}, async (world) => {
  const panel = await world.panel();
  const tabId = await world.browser.tabId(world.page.url());
  const { badge, close } = await watch(world, tabId);
  await send(world, '.payment', 'Align these fields');
  const agent = await world.agent('claude-code');
  const { about } = await read(world, agent, 'Align these fields');
  await close(panel);
  await agent.call('respond_to_browser', { ...about, message: 'They share a grid now.', isComplete: true });
  await world.overlay.visible('answered');
  await world.overlay.says('answered', /Your agent answered in the conversation\./);
  await world.until('the button says so', async () => (await badge()) === '1');

  // Put away, it is not shown again; the button still says it.
  await world.overlay.click('answered-away');
  await world.overlay.gone('answered');
  assert.equal(await badge(), '1');

  const again = new Panel(await world.browser.openPanel(world.page.url()));
  await again.click('tab-chat');
  await again.says('chat-log', /They share a grid now\./);
  await world.until('the button is as before', async () => (await badge()) === '');
});
