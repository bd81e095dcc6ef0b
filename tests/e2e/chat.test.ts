/** The conversation between a page and its agents, with the real hub and the official MCP SDK. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTIFACTS } from './harness/paths.ts';
import { scenario, type World } from './harness/world.ts';

/** Pictures of the panel for people to look at, light and dark, next to what failing tests leave. */
async function pictures(world: World, name: string): Promise<void> {
  const { page } = await world.panel();
  await mkdir(join(ARTIFACTS, world.browser.name), { recursive: true });
  await page.setViewport({ width: 380, height: 800 });
  for (const scheme of ['light', 'dark'] as const) {
    await world.colours(page, scheme);
    await page.screenshot({ path: join(ARTIFACTS, world.browser.name, `chat-${name}-${scheme}.png`) });
  }
}

async function write(world: World, text: string): Promise<void> {
  const panel = await world.panel();
  await panel.click('composer');
  await panel.page.keyboard.type(text);
  await panel.page.keyboard.press('Enter');
}

scenario('a question from the panel is answered while it is being written', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await panel.find('chat-empty');
  await pictures(world, 'empty');
  const agent = await world.agent('claude-code');
  await write(world, 'Why is this page so blue?');
  await panel.says('chat-log', /Sent/);
  const { value } = await agent.call('get_ui_context');
  assert.equal(value.userMessage, 'Why is this page so blue?');
  await panel.says('chat-log', /Read/);
  const about = { sessionId: value.sessionId, contextId: value.contextId };
  await agent.call('update_status', { sessionId: value.sessionId, status: 'searching', detail: 'Looking at styles.css' });
  await panel.says('chat-status', /claude-code [\d.]+ is searching: Looking at styles.css/);
  await pictures(world, 'searching');
  await agent.call('respond_to_browser', { ...about, message: 'It is **blue** because\n\n', isComplete: false });
  await panel.says('chat-log', /It is blue because/);
  const code = '```css\n.header { color: blue; }\n```\n\n- one\n- two `code`\n';
  await agent.call('respond_to_browser', { ...about, message: code, isComplete: true });
  await panel.says('code', /color: blue/);
  await pictures(world, 'answered');
});
