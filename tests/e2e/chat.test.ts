/** The conversation between a page and its agents, with the real hub and the official MCP SDK. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { answerThrough, pictures, read, selectSayAnswer, write } from './conversation.ts';
import { Panel } from './harness/panel.ts';
import { ARTIFACTS } from './harness/paths.ts';
import { scenario, type World } from './harness/world.ts';

scenario('select, say, and watch the agent answer', { everySite: true }, selectSayAnswer);

scenario('a question from the panel is about the page', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await panel.find('chat-empty');
  await pictures(world, 'chat-empty');
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
  // Else the end of what was there before is taken for it, and nobody has anything to read further up.
  await panel.says('chat-log', /A line\./);
  await world.until('the end is shown', async () => (await end()) < 2);
  await view.evaluate((log) => log.parentElement?.scrollTo({ top: 0, behavior: 'instant' }));
  await agent.call('respond_to_browser', { ...about, message: 'One thing more.', isComplete: true });
  await panel.find('new-messages');
  assert.ok((await end()) > 500);
  await panel.click('new-messages');
  await panel.gone('new-messages');
  await world.until('the end is shown again', async () => (await end()) < 2);

  // Of a long conversation only what is in sight is laid out; the end of an answer that grows is followed all the same.
  await write(world, 'And now at length');
  const { about: long } = await read(world, agent, 'And now at length');
  for (let part = 0; part < 30; part++) {
    const message = part === 0 ? '```ts\n' : `const part${part} = ${part};\n`.repeat(20);
    await agent.call('respond_to_browser', { ...long, message, isComplete: part === 29 });
    if (part === 15) await world.until('the end is shown while it grows', async () => (await end()) < 2);
  }
  await panel.says('chat-log', /const part29/);
  await world.until('the end is shown', async () => (await end()) < 2);

  // What nobody waits for any more is handed to no agent.
  await write(world, 'Never mind');
  await panel.says('chat-status', /Sent/);
  await panel.click('stop-waiting');
  await panel.says('chat-log', /Taken back/);
  await world.until(
    'no agent is handed it',
    async () => (await agent.call('get_ui_context')).value.userMessage === '',
  );
});

/** The person's messages as the panel shows them: how far each has come, and what it says. */
async function own(world: World): Promise<string[]> {
  const { page } = await world.panel();
  return page.$$eval('[data-testid="chat-log"] .said.own', (all) =>
    all.map((one) => {
      const [how = ''] = (one.querySelector('.by span + span')?.textContent ?? '').split(' · ');
      return `${how}: ${one.querySelector('.text')?.textContent ?? ''}`;
    }),
  );
}

const shows = (world: World, wanted: string[]) =>
  world.until(`the messages are ${wanted}`, async () => (await own(world)).join() === wanted.join());

scenario('what is said while an agent answers waits after its answer', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await write(world, 'Make it bigger');
  const agent = await world.agent('claude-code');
  const { about } = await read(world, agent, 'Make it bigger');
  const says = (message: string, isComplete: boolean) =>
    agent.call('respond_to_browser', { ...about, message, isComplete });

  // Taken back: no agent gets it.
  await says('It is ', false);
  await panel.says('chat-status', /claude-code [\d.]+ is writing/);
  await write(world, 'And blue');
  await shows(world, ['Read: Make it bigger', 'Sent: And blue']);
  await says('bigger now.', true);
  await panel.says('chat-log', /It is bigger now\./);
  await panel.says('chat-status', /Sent\. Waiting for an agent to read it/);
  await shows(world, ['Read: Make it bigger', 'Sent: And blue']);
  await panel.click('stop-waiting');
  await shows(world, ['Read: Make it bigger', 'Taken back: And blue']);
  await panel.gone('chat-status');
  const { value: nothing } = await agent.call('get_ui_context');
  assert.equal(nothing.userMessage, '');

  // Left as it is: the agent gets it with its next call, and answers it.
  await write(world, 'Make it smaller');
  await read(world, agent, 'Make it smaller');
  await says('It is ', false);
  await panel.says('chat-status', /is writing/);
  await write(world, 'And green');
  await panel.says('chat-log', /And green/);
  await says('smaller now.', true);
  await panel.says('chat-log', /It is smaller now\./);
  await panel.says('chat-status', /Sent\. Waiting for an agent to read it/);
  const before = ['Read: Make it bigger', 'Taken back: And blue', 'Read: Make it smaller'];
  await shows(world, [...before, 'Sent: And green']);
  const { value: news } = await agent.call('wait_for_feedback', { timeoutSeconds: 30 });
  assert.deepEqual(
    (news.messages as { content: string }[]).map(({ content }) => content),
    ['And green'],
  );
  await panel.says('chat-status', /Read by an agent\. Waiting for its answer/);
  await shows(world, [...before, 'Read: And green']);
  await says('Green it is.', true);
  await panel.gone('chat-status');
});

scenario('the hub killed in the middle of an answer: the panel shows all of it, once', {}, (world) =>
  answerThrough(world, () => world.host.killHub()),
);

scenario(
  'without the hub a message waits, and goes when it is back',
  { registered: false },
  async (world) => {
    const panel = await world.panel();
    await panel.click('tab-chat');
    await panel.find('chat-offline');
    await write(world, 'Is anybody there?');
    await panel.says('chat-status', /Waits in this browser/);
    await pictures(world, 'chat-offline');
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
  await world.overlay.click('asked-point');
  await world.overlay.picking();
  await world.overlay.pick('#refresh');
  await world.overlay.type('This one');
  await world.overlay.click('chat-submit');
  const { value } = await asking;
  assert.match(JSON.stringify(value), /answered/);
  assert.match(JSON.stringify(value), /This one/);
  await world.overlay.gone('asked');
  await panel.page.bringToFront();
  await panel.says('chat-log', /This one/);

  const again = agent.call('request_annotation', { message: 'And another?' });
  await world.page.bringToFront();
  await world.overlay.click('asked-decline');
  assert.match(JSON.stringify((await again).value), /declined/);
  await world.overlay.gone('asked');
});

scenario('an agent’s question takes no text of a comment that is being written', {}, async (world) => {
  const { overlay, page } = world;
  const panel = await world.panel();
  await panel.click('tab-chat');
  await page.bringToFront();
  const agent = await world.agent('claude-code');
  await world.until('the agent sees the page', async () => {
    const { value } = await agent.call('list_sessions');
    return (value.sessions as unknown[]).length > 0;
  });
  await world.startPicking();
  await overlay.pick('#refresh');
  await overlay.type('Half a comment');
  const asking = agent.call('request_annotation', { message: 'Which button is too small?' });
  const holds = (text: string) =>
    world.until(`the box holds “${text}”`, async () => (await overlay.written()) === text);
  const pointInPanel = async () => {
    await panel.page.bringToFront();
    const point = await world.until('the panel asks', () => panel.page.$('[data-testid^="point-"]'));
    await point.evaluate((button) => (button as HTMLElement).click());
    await page.bringToFront();
  };
  await pointInPanel();
  await overlay.gone('comment-box');
  await overlay.picking();
  await overlay.says('notice', /Your text is kept for the next comment on this page/);
  await page.screenshot({ path: join(ARTIFACTS, world.browser.name, 'chat-text-kept.png') });

  // The answer's box has a text of its own, which waits for it too.
  await overlay.pick('#new-order');
  await overlay.focused('comment-input');
  assert.equal(await overlay.written(), '');
  await overlay.type('Half an answer');
  await overlay.click('notice-action');
  await holds('Half a comment');
  await pointInPanel();
  await overlay.pick('#new-order');
  await holds('Half an answer');
  await overlay.click('chat-submit');
  assert.match(JSON.stringify((await asking).value), /Half an answer/);

  // The comment's is where it was.
  await world.startPicking();
  await overlay.pick('#refresh');
  await holds('Half a comment');
});

scenario('two tabs are two conversations, and the panel shows either', {}, async (world) => {
  const panel = await world.panel();
  await panel.click('tab-chat');
  await write(world, 'In the first tab');
  const other = await world.browser.open(`${world.origin}/guide.html`);
  const second = new Panel(await world.browser.openPanel(other.url()));
  await second.says('chat-empty', /Talk to your agent/);
  await second.click('composer');
  await second.type('composer', 'In the second tab');
  await second.page.keyboard.press('Enter');
  await second.says('chat-log', /In the second tab/);
  assert.ok(!(await second.text('chat-log')).includes('In the first tab'));
  await panel.page.bringToFront();
  await panel.find('chat-sessions');
  const options = await world.until('both conversations are offered', async () => {
    const all = await panel.page.$$eval('[data-testid="chat-sessions"] option', (each) =>
      each.map((option) => (option as HTMLOptionElement).value),
    );
    return all.length === 2 && all;
  });
  await panel.page.select('[data-testid="chat-sessions"]', options[1] ?? '');
  await panel.says('chat-log', /In the second tab/);
  await pictures(world, 'chat-sessions');
});
