/**
 * Browsers end an extension's background when they like: nothing is lost or told twice, and everything that is open
 * goes on by itself.
 */
import assert from 'node:assert/strict';
import { write } from './conversation.ts';
import type { Agent } from './harness/agent.ts';
import { browserUnderTest } from './harness/paths.ts';
import { scenario } from './harness/world.ts';

/** What people said, as an agent reads it in the history. */
async function said(agent: Agent): Promise<string[]> {
  const { sessionId } = (await agent.call('get_ui_context')).value;
  const { value } = await agent.call('get_conversation_history', { sessionId, limit: 100 });
  return (value.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content);
}

scenario('the background ends: the panel and the page go on by themselves', {}, async (world) => {
  const panel = await world.panel();
  const first = await world.comment('#new-order', 'Make it green');
  const agent = await world.agent('codex');
  await world.until('the agent has the comment', async () => (await agent.feedback()).comments.length === 1);

  await world.browser.endBackground();
  // Nobody touches anything: what the agent does is seen in the panel and on the page.
  await agent.call('reply_to_comment', { commentId: first, message: 'Which green?' });
  await panel.says(`comment-${first}`, /Which green\?/);
  await agent.call('resolve_comment', { commentId: first, summary: 'Done' });
  await world.overlay.pin(first, 'is resolved', ({ status }) => status === 'resolved');

  await world.browser.endBackground();
  const second = await world.comment('.payment', 'Align these');
  await world.until(
    'the agent has both',
    async () => (await agent.feedback({ status: 'all' })).comments.length === 2,
  );
  assert.notEqual(first, second);
});

scenario('what is said in the chat while the background ends arrives once', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  const agent = await world.agent('codex');
  const texts = ['One', 'Two', 'Three'];
  const isOpen = async () => ((await agent.call('list_sessions')).value.sessions as unknown[]).length === 1;
  for (const text of texts) {
    await write(world, text, () => world.browser.endBackground());
    await panel.says('chat-log', new RegExp(text));
    // On a busy machine the background is back later than the hub waits for it.
    await world.until('the page is open again', isOpen);
    await world.until(`the agent has “${text}”`, async () => (await said(agent)).includes(text));
  }
  assert.deepEqual(await said(agent), texts);
});

scenario('a comment that is saved while the background ends is there once', {}, async (world) => {
  const agent = await world.agent('codex');
  const texts = ['One', 'Two', 'Three'];
  for (const text of texts) {
    await world.startPicking();
    await world.overlay.pick('#new-order');
    await world.overlay.type(text);
    const { keyboard } = world.page;
    await keyboard.down('Control');
    await Promise.all([keyboard.press('Enter'), world.browser.endBackground()]);
    await keyboard.up('Control');
    await world.overlay.gone('comment-box');
  }
  // A background that ended between the answer and the delivery delivers when the browser next starts it: here for the
  // panel.
  await world.panel();
  await world.until(
    'the agent has all',
    async () => (await agent.feedback()).comments.length >= texts.length,
  );
  assert.deepEqual((await agent.feedback()).comments.map(({ text }) => text).sort(), [...texts].sort());
});

scenario(
  'what could not be delivered goes by itself, though its background ended and nobody opens anything',
  { registered: false },
  async (world) => {
    const id = await world.comment('#new-order', 'Make it green');
    const panel = await world.panel();
    await panel.page.close();
    // The host comes, and nothing tells the browser of it.
    await world.host.register();
    const agent = await world.agent('codex');
    await world.browser.endBackground();
    // Half a minute is the shortest alarm of both browsers; each that found no host doubles the pause.
    await world.until(
      'the alarm has it delivered',
      async () => (await agent.feedback()).comments[0]?.id === id,
      110_000,
    );
  },
);

if (browserUnderTest() === 'chromium') {
  scenario(
    'the browser takes the database away: the next comment is kept and delivered',
    {},
    async (world) => {
      const agent = await world.agent('codex');
      const first = await world.comment('#new-order', 'Before');
      await world.delivered(agent, first);
      const panel = await world.panel();
      const devtools = await panel.page.createCDPSession();
      const cleared = { origin: world.browser.extensionOrigin, storageTypes: 'indexeddb' };
      await devtools.send('Storage.clearDataForOrigin', cleared);
      const second = await world.comment('.payment', 'After');
      await world.delivered(agent, second);
    },
  );
}
