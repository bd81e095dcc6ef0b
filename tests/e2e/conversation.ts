/** What a person and an agent say to one another, step by step, whatever carries it. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from './harness/agent.ts';
import { ARTIFACTS } from './harness/paths.ts';
import type { World } from './harness/world.ts';

/** Pictures of the panel for people to look at, light and dark, next to what failing tests leave. */
export async function pictures(world: World, name: string): Promise<void> {
  const { page } = await world.panel();
  await mkdir(join(ARTIFACTS, world.browser.name), { recursive: true });
  await page.setViewport({ width: 380, height: 800 });
  for (const scheme of ['light', 'dark'] as const) {
    await world.colours(page, scheme);
    await page.screenshot({ path: join(ARTIFACTS, world.browser.name, `${name}-${scheme}.png`) });
  }
}

/**
 * Writes into the composer, once what was sent before has left it, and sends; something else may happen at that moment.
 */
export async function write(world: World, text: string, meanwhile?: () => Promise<void>): Promise<void> {
  const panel = await world.panel();
  await world.until('the composer is empty', () =>
    panel.page.$('[data-testid="composer"]:placeholder-shown'),
  );
  await panel.click('composer');
  await panel.type('composer', text);
  await Promise.all([panel.page.keyboard.press('Enter'), meanwhile?.()]);
}

/** Points at an element of the page, says something about it, and sends both to the chat by the keyboard. */
export async function send(world: World, selector: string, text: string): Promise<void> {
  await world.startPickingInPanel();
  await world.overlay.pick(selector);
  await world.overlay.type(text);
  const { keyboard } = world.page;
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

export interface Selected {
  sessionId: string;
  contextId: string;
  about: { sessionId: string; contextId: string };
  [field: string]: unknown;
}

/** What the agent gets once a message is there. */
export async function read(world: World, agent: Agent, text: string): Promise<Selected> {
  const value = await world.until(`the agent reads “${text}”`, async () => {
    const { value } = await agent
      .call('get_ui_context')
      .catch(() => ({ value: {} as Record<string, unknown> }));
    return value.userMessage === text ? value : null;
  });
  const { sessionId, contextId } = value as { sessionId: string; contextId: string };
  return { ...value, sessionId, contextId, about: { sessionId, contextId } };
}

/** Select, say, the agent reads, its status is seen, its answer streams in, and its history tells all of it. */
export async function selectSayAnswer(world: World): Promise<void> {
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
  assert.equal((context.element as { tagName: string }).tagName, 'DIV');
  await isPng(context.screenshotPath);

  const { about, sessionId } = context;
  await agent.call('update_status', { sessionId, status: 'editing', detail: 'PaymentForm.css' });
  await panel.says('chat-status', /claude-code [\d.]+ is editing: PaymentForm.css/);
  await pictures(world, 'chat-editing');
  await agent.call('respond_to_browser', { ...about, message: 'They share a grid ', isComplete: false });
  await panel.says('chat-log', /They share a grid/);
  await agent.call('respond_to_browser', { ...about, message: 'now:\n\n', isComplete: false });
  const code = '```css\n.payment {\n  display: grid;\n}\n```\n\n- one\n- two `code`\n';
  await agent.call('respond_to_browser', { ...about, message: code, isComplete: true });
  await panel.says('code', /display: grid/);
  await panel.gone('chat-status');
  await pictures(world, 'chat-answered');
  await panel.click('copy-code');
  await world.until(
    'the code is in the clipboard',
    async () => (await world.clipboard()) === '.payment {\n  display: grid;\n}\n',
  );
  // What a screen reader was told: the whole answer, once it was whole.
  await panel.says('announcement', /claude-code [\d.]+ answered: They share a grid now:/);

  const { value } = await agent.call('get_conversation_history', { sessionId });
  const said = (value.messages as { role: string; content: string }[]).map(({ role, content }) => [
    role,
    content,
  ]);
  assert.deepEqual(said, [
    ['user', 'Align these fields'],
    ['assistant', `They share a grid now:\n\n${code}`],
  ]);
}

/** An agent answers in 21 parts; in the middle of them something happens to the link or to the hub. */
export async function answerThrough(world: World, interrupt: () => Promise<unknown>): Promise<void> {
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
    if (at === 10) await interrupt();
    await say(`word${at} `, false);
  }
  await say('and no more.', true);
  const words = Array.from({ length: 20 }, (_, at) => `word${at + 1} `).join('');
  await panel.says('chat-log', /and no more\./);
  const log = await panel.text('chat-log');
  assert.equal(log.split('and no more.').length, 2);
  assert.ok(log.includes(`${words}and no more.`), log);
  assert.equal(log.split('Count, please').length, 2);
}
