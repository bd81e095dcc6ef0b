/**
 * The demo. `cargo xtask demo` builds what it needs and starts it:
 *
 *   node e2e/demo.ts --browser chromium|firefox [--headless [--pictures]]
 *
 * Headless it plays the main job and prints what came of it; with a window it opens the sample page, ready to try.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import { playApprovals } from './approvals-play.ts';
import { playChat } from './chat-play.ts';
import { ARTIFACTS, type BrowserName, hostBinary } from './harness/paths.ts';
import { World } from './harness/world.ts';
import { playMainJob } from './main-job.ts';
import { playOutdated } from './outdated.ts';

/** Where the documents find their pictures; `--pictures` renews them. */
const PICTURES = join(import.meta.dirname, '../../docs/pictures');

const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    headless: { type: 'boolean', default: false },
    pictures: { type: 'boolean', default: false },
  },
});
if (values.browser !== 'chromium' && values.browser !== 'firefox')
  throw new Error('--browser chromium or firefox');
await (values.headless ? play(values.browser) : invite(values.browser));

async function play(browser: BrowserName): Promise<void> {
  const folder = join(ARTIFACTS, 'demo', browser);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const began = Date.now();
  const picture = async (name: string, page: Page, inPanel: boolean) => {
    // As wide as a side panel is.
    if (inPanel) await page.setViewport({ width: 420, height: 800 });
    // Overlay and pins move into place; a picture in between shows neither state.
    await new Promise((resolve) => setTimeout(resolve, 250));
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path });
    console.log(`==> ${name} ... ${((Date.now() - began) / 1000).toFixed(1)} s, ${path}`);
  };
  await inWorld(browser, async (world) => {
    const told = await playMainJob(world, async (name) => {
      const inPanel = name === '4-panel';
      // That the comment was saved was news two steps ago.
      if (name === '5-edited') await world.overlay.gone('notice');
      await picture(name, inPanel ? (await world.panel()).page : world.page, inPanel);
    });
    console.log(`\n----- the prompt, as copied with the panel's button -----\n${told.prompt.trimEnd()}`);
    console.log(`\n----- get_ui_feedback answered -----\n${JSON.stringify(told.feedback, null, 2)}`);
    console.log(`\n----- resolve_comment answered -----\n${JSON.stringify(told.resolved, null, 2)}`);
    console.log(
      `\nThe pin showed "resolved" ${told.pinAfterMs.toFixed(1)} ms after resolve_comment was sent.`,
    );
    console.log(`Screenshots of each step: ${folder}`);
  });
  if (!values.pictures) return;
  for (const play of [playOutdated, playChat, playApprovals]) {
    await inWorld(browser, (world) => play(world, (name, page) => picture(name, page, page !== world.page)));
  }
  await cp(folder, PICTURES, { recursive: true });
}

async function inWorld(browser: BrowserName, act: (world: World) => Promise<void>): Promise<void> {
  const world = await World.create(browser);
  try {
    await act(world);
  } catch (error) {
    console.error(`What the browser showed and everyone said: ${await world.save('demo-failed')}`);
    throw error;
  } finally {
    await world.close();
  }
}

async function invite(browser: BrowserName): Promise<void> {
  const world = await World.create(browser, { headless: false });
  const stop = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  const { OPENTOOLBAR_HOME } = world.host.env;
  console.log(`
The sample app is on ${world.origin}; its source, a copy you may edit: ${world.project}

Try it:
  1. Press the toolbar button (it may hide under the puzzle piece; it names its shortcut), and point at something.
  2. Click it, say what should change, press Ctrl+Enter (Cmd+Enter on a Mac).
  3. Open the panel by the bar that picking shows: filter, edit, resolve, copy as a prompt.

Connect your agent, for example Claude Code, in another terminal:
  cd ${world.project}
  claude mcp add opentoolbar --env OPENTOOLBAR_HOME=${OPENTOOLBAR_HOME} -- ${hostBinary()} mcp
  claude "Fix the comments I left in the app"
Any other MCP client: start \`${hostBinary()} mcp\` there, with the same OPENTOOLBAR_HOME.

Ctrl+C here, or closing the browser, ends the demo and takes everything away again.`);
  await Promise.race([stop, world.browser.closed()]);
  console.log('Ending the demo ...');
  await world.close();
}
