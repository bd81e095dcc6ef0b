/**
 * The background is killed while a person writes, and what was said to be saved is counted. `cargo xtask faults` starts
 * it:
 *
 *   node e2e/background-kills.ts --kills 25
 *
 * Prints one line of JSON: what was acknowledged, what an agent reads in the end, what is lost or there twice.
 */
import { parseArgs } from 'node:util';
import { write } from './conversation.ts';
import type { Agent } from './harness/agent.ts';
import { World } from './harness/world.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '25' } } });
const KILLS = Number.parseInt(values.kills, 10);
/** The most messages that one question for the history returns. */
const LIMIT = 100;

const world = await World.create('chromium');
try {
  const outcome = await play(world);
  console.log(JSON.stringify(outcome));
} catch (error) {
  console.error(`what the browser showed and everyone said is in ${await world.save('background kills')}`);
  throw error;
} finally {
  await world.close();
}

async function play(world: World) {
  // The agent makes the project known, and reads in the end.
  const agent = await world.agent('codex');
  const panel = await world.panel();
  await panel.click('tab-chat');
  const acknowledged: string[] = [];
  let hubs = 0;
  for (let round = 0; round < KILLS; round++) {
    const text = `background-${round}`;
    // From before the key is handled until after everything is delivered.
    const later = (round * 53) % 240;
    const kill = async () => {
      await new Promise((resolve) => setTimeout(resolve, later));
      // Some of them with a hub that is killed as well: the next background finds another one.
      if (round % 5 === 4) {
        await world.host.killHub();
        hubs += 1;
      }
      await world.browser.endBackground();
    };
    if (round % 2 === 0) {
      await world.startPicking();
      await world.overlay.pick('#new-order');
      await world.overlay.type(text);
      const { keyboard } = world.page;
      await keyboard.down('Control');
      await Promise.all([keyboard.press('Enter'), kill()]);
      await keyboard.up('Control');
      await world.overlay.gone('comment-box');
    } else {
      await write(world, text, kill);
      await panel.says('chat-log', new RegExp(`${text}(?!\\d)`));
    }
    acknowledged.push(text);
  }
  const isAllThere = async () => new Set(await read(agent).catch(() => [])).size >= acknowledged.length;
  // What does not come is told as lost.
  await world.until('what was saved is delivered', isAllThere, 120_000).catch(() => undefined);
  // What is sent twice comes late.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const texts = await read(agent);
  const count = (text: string) => texts.filter((other) => other === text).length;
  return {
    faults: `${KILLS} kills of the background, ${hubs} of them with the hub`,
    acknowledged: acknowledged.length,
    stored: texts.length,
    lost: acknowledged.filter((text) => count(text) === 0),
    doubled: [...new Set(texts)].filter((text) => count(text) > 1),
    broken: [],
  };
}

/** Every comment and every message of the person, as an agent reads them. */
async function read(agent: Agent): Promise<string[]> {
  const { comments } = await agent.feedback({ status: 'all', limit: LIMIT });
  const { sessionId } = (await agent.call('get_ui_context')).value;
  const { value } = await agent.call('get_conversation_history', { sessionId, limit: LIMIT });
  const messages = value.messages as { role: string; content: string }[];
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  return [...comments.map(({ text }) => text), ...said];
}
