/** What must never leave the content script: looked for in everything the hub keeps, and in what agents get. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { send } from './conversation.ts';
import { MASKED } from './harness/picture.ts';
import { scenario } from './harness/world.ts';

const PASSWORD = 'correct-horse-battery-staple';
const CARD = '4242424242424242';
/** Longer than people's, so that no number that happens to be there is taken for it. */
const CODE = '91748265';
const HIDDEN = 'hidden-5b1f0c77d2';
const TOKEN = 'tok_9f8e7d6c5b4a39281706f5e4d3c2b1a0';

/** Every file below a folder, as bytes. */
async function everything(folder: string): Promise<[string, Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(async (file): Promise<[string, Buffer][]> => {
    try {
      return [[file, await readFile(file)]];
    } catch (error) {
      // A file that is written beside and renamed may be gone by now; what is in it is read under its own name.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
  return (await Promise.all(read)).flat();
}

scenario(
  'secrets never reach the hub, its files or an agent',
  { path: `/?token=${TOKEN}`, everySite: true },
  async (world) => {
    const { page } = world;
    await page.type('input[name=password]', PASSWORD);
    await page.type('input[name=card]', CARD);
    await page.type('input[name=code]', CODE);
    const id = await world.comment('.payment', 'Everything in this form');
    const card = await world.comment('input[name=card]', 'The card');
    const field = await world.comment('input[name=password]', 'This field itself');
    const agent = await world.agent();
    await world.delivered(agent, id);
    await world.delivered(agent, card);
    await world.delivered(agent, field);
    await send(world, '.payment', 'What do you see there?');
    const { raw: context, value } = await world.until(
      'the agent has the message and its pictures',
      async () => {
        const answer = await agent.call('get_ui_context');
        const { userMessage, screenshotPath, viewportScreenshotPath } = answer.value;
        return userMessage && screenshotPath && viewportScreenshotPath ? answer : null;
      },
    );
    const panel = await world.panel();
    await panel.click('tab-chat');
    const chat = await panel.says('chat-log', /What do you see there\?/);
    const answers = [
      context,
      (await agent.call('get_ui_feedback', { detail: 'full', status: 'all' })).raw,
      (await agent.call('get_conversation_history', { sessionId: value.sessionId })).raw,
      (await agent.call('list_sessions')).raw,
      (await agent.call('check_comment', { commentId: id, url: `${world.origin}/` })).raw,
    ];
    for (const commentId of [id, card, field])
      answers.push((await agent.call('get_screenshot', { commentId })).raw);
    // The picture's own bytes are looked at below.
    const told = JSON.stringify(answers, (key, part) => (key === 'data' ? undefined : part));
    assert.ok(told.includes('What do you see there?') && told.includes('Everything in this form'));
    await panel.click('tab-comments');
    // The header's tooltip is the address that stands in the browser's own bar; all else is what was captured.
    const shown = (await panel.page.content()).replaceAll(page.url(), '');
    assert.ok(shown.includes('Everything in this form'));
    const exported = await world.download('export-json');
    await panel.click('copy-prompt');
    const prompt = await world.until('the prompt is copied', () => world.clipboard());
    const seen = { agent: told, chat, panel: shown, file: exported, prompt, log: agent.stderr };
    const kept = [
      ...(await everything(join(world.project, '.opentoolbar'))),
      ...(await everything(world.host.state)),
    ];
    assert.ok(kept.some(([file]) => file.endsWith('opentoolbar.db')));
    const isPicture = ([file]: [string, Buffer]) => file.endsWith('.png');
    for (const secret of [PASSWORD, CARD, CODE, HIDDEN, TOKEN]) {
      for (const [who, text] of Object.entries(seen)) assert.ok(!text.includes(secret), `${who}: ${secret}`);
      for (const [file, bytes] of kept.filter((one) => !isPicture(one))) {
        assert.ok(!bytes.includes(secret), `${file} holds ${secret}`);
        assert.ok(!bytes.includes(Buffer.from(secret, 'utf16le')), `${file} holds ${secret} in UTF-16`);
      }
    }
    // What a picture shows is no text in its file: each is looked at, where the fields are.
    const pathOf = async (commentId: string) =>
      (await agent.call('get_screenshot', { commentId })).value.path;
    const masked = [
      // What is in the middle of the form.
      { path: await pathOf(id), target: '.payment .pair', names: ['expires', 'code'] },
      { path: await pathOf(card), target: 'input[name=card]', names: ['card'] },
      { path: await pathOf(field), target: 'input[name=password]', names: ['password'] },
      { path: value.screenshotPath, target: '.payment .pair', names: ['expires', 'code'] },
      // All that is in the window.
      {
        path: value.viewportScreenshotPath,
        target: 'html',
        names: ['expires', 'code', 'card', 'password'],
      },
    ];
    const looked = new Set<string>();
    for (const { path, target, names } of masked) {
      const png = await readFile(String(path));
      looked.add(png.toString('base64'));
      for (const name of names) {
        const colours = await world.coloursInside(png, target, `input[name=${name}]`);
        assert.deepEqual(colours, [MASKED], `${name} in the picture of ${target}`);
      }
    }
    const pictures = kept.filter(isPicture);
    assert.ok(pictures.length >= looked.size);
    for (const [file, bytes] of pictures)
      assert.ok(looked.has(bytes.toString('base64')), `${file} was not looked at`);
    // The search finds what is there: the comment's own words stand in the database or its log.
    assert.ok(kept.some(([, bytes]) => bytes.includes('Everything in this form')));
  },
);
