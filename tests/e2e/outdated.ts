/**
 * A commented button gets another text: the comment is outdated, and page and panel show what differs. Played by the
 * demo.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inBothColours, type Moment } from './harness/colours.ts';
import { writeSource } from './harness/source.ts';
import type { World } from './harness/world.ts';

const FILE = 'components/Header.html';
const BUTTON = '#new-order';

/** `moment` is called with a name and the page that shows it, in light and in dark. */
export async function playOutdated(world: World, moment: Moment): Promise<void> {
  const { page, overlay } = world;
  const agent = await world.agent('demo-agent');
  const id = await world.comment(BUTTON, 'Make this green, as the other buttons are');
  await world.delivered(agent, id);
  const file = join(world.project, FILE);
  const source = await readFile(file, 'utf8');
  await writeSource(file, source.replace('>New order<', ' title="Opens a form">Order coffee<'));
  await overlay.pin(id, 'is outdated', ({ status }) => status === 'outdated');
  await overlay.openThread(id);
  await overlay.visible('thread-verdict');
  await page.mouse.move(4, 4);
  await inBothColours(world, page, '7-outdated', moment);
  const panel = await world.panel();
  await panel.page.bringToFront();
  await panel.says(`comment-${id}`, /Order coffee/);
  await inBothColours(world, panel.page, '8-outdated-panel', moment);
}
