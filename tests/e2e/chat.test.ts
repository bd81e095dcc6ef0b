/** The conversation between a page and its agents, with the real hub and the official MCP SDK. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from './harness/agent.ts';
import { Panel } from './harness/panel.ts';
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

/** Writes into the composer and sends. */
async function write(world: World, text: string): Promise<void> {
  const panel = await world.panel();
  await panel.click('composer');
  await panel.page.keyboard.type(text);
  await panel.page.keyboard.press('Enter');
}

/** Points at an element of the page, says something about it, and sends both to the chat by the keyboard. */
async function send(world: World, selector: string, text: string): Promise<void> {
  await world.startPicking();
  await world.overlay.pick(selector);
  await world.overlay.visible('comment-input');
  const { keyboard } = world.page;
  await keyboard.type(text);
  await keyboard.down('Control');
  await keyboard.down('Shift');
  await keyboard.press('Enter');
  await keyboard.up('Shift');
  await keyboard.up('Control');
  await world.overlay.gone('comment-box');
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

async function isPng(path: unknown): Promise<void> {
  const bytes = await readFile(String(path));
  assert.deepEqual([...bytes.subarray(0, 8)], PNG);
}

interface Selected {
  sessionId: string;
  contextId: string;
  about: { sessionId: string; contextId: string };
  [field: string]: unknown;
}

/** What the agent gets once a message is there. */
async function read(world: World, agent: Agent, text: string): Promise<Selected> {
  const value = await world.until(`the agent reads “${text}”`, async () => {
    const { value } = await agent
      .call('get_ui_context')
      .catch(() => ({ value: {} as Record<string, unknown> }));
    return value.userMessage === text ? value : null;
  });
  const { sessionId, contextId } = value as { sessionId: string; contextId: string };
  return { ...value, sessionId, contextId, about: { sessionId, contextId } };
}

scenario('select, say, and watch the agent answer', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await world.page.type('input[name=password]', 'correct horse battery');
  await send(world, '.payment', 'Align these fields');
  await panel.page.bringToFront();
  await panel.says('chat-log', /Align these fields/);
  await panel.says('chat-log', /PaymentForm/);

  const agent = await world.agent('claude-code');
  const context = await read(world, agent, 'Align these fields');
  const told = JSON.stringify(context);
  assert.match(told, /components\/PaymentForm\.html/);
  assert.ok(!told.includes('correct horse'), 'what was typed into the password field stays in the page');
  assert.match(String((context.element as { tagName: string }).tagName), /form|section|div/i);
  await isPng(context.screenshotPath);
  // As in a comment's picture: the password field has no glyphs left in it.
  const bytes = await readFile(String(context.screenshotPath));
  assert.equal(await world.coloursInside(bytes, '.payment', 'input[name=password]'), 1);

  const { about, sessionId } = context;
  await agent.call('update_status', { sessionId, status: 'editing', detail: 'PaymentForm.css' });
  await panel.says('chat-status', /claude-code [\d.]+ is editing: PaymentForm.css/);
  await pictures(world, 'editing');
  await agent.call('respond_to_browser', { ...about, message: 'They share a grid ', isComplete: false });
  await panel.says('chat-log', /They share a grid/);
  await agent.call('respond_to_browser', { ...about, message: 'now:\n\n', isComplete: false });
  const code = '```css\n.payment {\n  display: grid;\n}\n```\n\n- one\n- two `code`\n';
  await agent.call('respond_to_browser', { ...about, message: code, isComplete: true });
  await panel.says('code', /display: grid/);
  await panel.gone('chat-status');
  await pictures(world, 'answered');
  await panel.click('copy-code');
  assert.equal(await world.clipboard(), '.payment {\n  display: grid;\n}\n');
  // What a screen reader was told: the whole answer, once it was whole.
  assert.match(await panel.text('announcement'), /claude-code [\d.]+ answered: They share a grid now:/);

  const { value } = await agent.call('get_conversation_history', { sessionId });
  const said = (value.messages as { role: string; content: string }[]).map(({ role, content }) => [
    role,
    content,
  ]);
  assert.deepEqual(said, [
    ['user', 'Align these fields'],
    ['assistant', `They share a grid now:\n\n${code}`],
  ]);
});

scenario('a question from the panel is about the page', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await panel.find('chat-empty');
  await pictures(world, 'empty');
  await write(world, 'Why is this page so blue?');
  await panel.says('chat-log', /Sent/);
  const agent = await world.agent('claude-code');
  const { about } = await read(world, agent, 'Why is this page so blue?');
  await panel.says('chat-log', /Read/);
  // Nobody looks at the chat: its tab says that there is something to read.
  await panel.click('tab-comments');
  await agent.call('respond_to_browser', { ...about, message: 'It is **blue**.', isComplete: true });
  await panel.says('marks-chat', /1/);
  await panel.click('tab-chat');
  await panel.says('chat-log', /It is blue\./);
  await panel.gone('marks-chat');

  // Who reads further up stays there, and is told of what comes.
  await agent.call('respond_to_browser', { ...about, message: 'A line.\n\n'.repeat(80), isComplete: true });
  const view = await panel.find('chat-log');
  const end = () =>
    view.evaluate((log) => {
      const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = log.parentElement ?? {};
      return scrollHeight - scrollTop - clientHeight;
    });
  await world.until('the end is shown', async () => (await end()) < 2);
  await view.evaluate((log) => log.parentElement?.scrollTo({ top: 0, behavior: 'instant' }));
  await agent.call('respond_to_browser', { ...about, message: 'One thing more.', isComplete: true });
  await panel.find('new-messages');
  assert.ok((await end()) > 500);
  await panel.click('new-messages');
  await panel.gone('new-messages');
  assert.ok((await end()) < 2);

  // What nobody waits for any more is handed to no agent.
  await write(world, 'Never mind');
  await panel.says('chat-status', /Sent/);
  await panel.click('stop-waiting');
  await panel.says('chat-log', /Taken back/);
  assert.equal((await agent.call('get_ui_context')).value.userMessage, '');
});

scenario('the hub killed in the middle of an answer: the panel shows all of it, once', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await write(world, 'Count, please');
  const agent = await world.agent('claude-code');
  const { about } = await read(world, agent, 'Count, please');
  const say = (message: string, isComplete: boolean) =>
    world.until(`the agent says ${message}`, async () => {
      try {
        return await agent.call('respond_to_browser', { ...about, message, isComplete });
      } catch (error) {
        // The hub is being started again, or does not know the agent yet.
        if (/conflict|complete/i.test(String(error))) throw error;
        return null;
      }
    });
  for (let at = 1; at <= 20; at++) {
    if (at === 5) await panel.says('chat-status', /claude-code [\d.]+ is writing/);
    if (at === 10) await world.host.killHub();
    await say(`word${at} `, false);
  }
  await say('and no more.', true);
  const words = Array.from({ length: 20 }, (_, at) => `word${at + 1} `).join('');
  await panel.says('chat-log', /and no more\./);
  const log = await panel.text('chat-log');
  assert.equal(log.split('and no more.').length, 2);
  assert.ok(log.includes(`${words}and no more.`), log);
  assert.equal(log.split('Count, please').length, 2);
});

scenario(
  'without the hub a message waits, and goes when it is back',
  { registered: false },
  async (world) => {
    const panel = await world.panel();
    await panel.click('tab-chat');
    await panel.find('chat-offline');
    await write(world, 'Is anybody there?');
    await panel.says('chat-status', /Waits in this browser/);
    await pictures(world, 'offline');
    // The person installs the host; the browser goes on running.
    await world.host.register();
    const agent = await world.agent('claude-code');
    await world.until('the message is sent', async () => {
      await world.page.reload();
      return /Sent|Read/.test(await panel.text('chat-log'));
    });
    await read(world, agent, 'Is anybody there?');
  },
);

scenario('an agent asks the person to point at something', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await world.page.bringToFront();
  const agent = await world.agent('claude-code');
  await world.until('the agent sees the page', async () => {
    const { value } = await agent.call('list_sessions');
    return (value.sessions as unknown[]).length > 0;
  });
  const asking = agent.call('request_annotation', { message: 'Which button is too small?' });
  await world.overlay.visible('asked');
  await world.page.screenshot({ path: join(ARTIFACTS, world.browser.name, 'chat-asked.png') });
  await (await world.overlay.visible('asked-point')).click();
  await world.overlay.picking();
  await world.overlay.pick('#refresh');
  await world.overlay.visible('comment-input');
  await world.page.keyboard.type('This one');
  await (await world.overlay.visible('chat-submit')).click();
  const { value } = await asking;
  assert.match(JSON.stringify(value), /answered/);
  assert.match(JSON.stringify(value), /This one/);
  await world.overlay.gone('asked');
  await panel.page.bringToFront();
  await panel.says('chat-log', /This one/);

  const again = agent.call('request_annotation', { message: 'And another?' });
  await world.page.bringToFront();
  await (await world.overlay.visible('asked-decline')).click();
  assert.match(JSON.stringify((await again).value), /declined/);
  await world.overlay.gone('asked');
});

scenario('two tabs are two conversations, and the panel shows either', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await write(world, 'In the first tab');
  const other = await world.browser.open(`${world.origin}/guide.html`);
  const tabId = await world.browser.tabId(other.url());
  const second = new Panel(await world.browser.openExtensionPage(`panel.html?tabId=${tabId}`));
  await second.says('chat-empty', /Talk to your agent/);
  await second.click('composer');
  await second.page.keyboard.type('In the second tab');
  await second.page.keyboard.press('Enter');
  await second.says('chat-log', /In the second tab/);
  assert.ok(!(await second.text('chat-log')).includes('In the first tab'));
  await panel.page.bringToFront();
  await panel.find('chat-sessions');
  const options = await panel.page.$$eval('[data-testid="chat-sessions"] option', (all) =>
    all.map((option) => (option as HTMLOptionElement).value),
  );
  assert.equal(options.length, 2);
  await panel.page.select('[data-testid="chat-sessions"]', options[1] ?? '');
  await panel.says('chat-log', /In the second tab/);
  await pictures(world, 'sessions');
});
