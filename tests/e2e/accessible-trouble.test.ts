/** axe-core, contrast and the keyboard where something is in the way: of the connection, of projects, of what is kept. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { accessible } from './harness/looks.ts';
import { own } from './harness/overlay.ts';
import type { Panel } from './harness/panel.ts';
import { tabTo } from './harness/tabbed.ts';
import type { World } from './harness/world.ts';

/** Whether something of ours on the page hears the keyboard. */
const hasFocus = (world: World, testId: string) =>
  world.overlay.$eval(own(testId), (each) => each.matches(':focus'));

/** Another directory with the app, of the same name as the project's: as where it was before. */
async function elsewhere(world: World): Promise<string> {
  const folder = join(world.host.home, basename(world.project));
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  return folder;
}

/** The project of the tab, as a person who types its path. */
async function choose(world: World, panel: Panel, root: string): Promise<void> {
  await panel.click('project');
  await panel.click('project-path');
  await panel.page.keyboard.type(root);
  await panel.page.keyboard.press('Enter');
  await world.until(`the project is ${root}`, async () => {
    const title = await (await panel.find('project')).evaluate((each) => each.getAttribute('title'));
    return title?.startsWith(`${root}\n`);
  });
}

accessible('an answer that nobody saw, and other projects', {}, async (world, looks) => {
  const { overlay } = world;
  const panel = await world.panel();
  const before = await elsewhere(world);
  await panel.click('project');
  await panel.find('project-path');
  await looks.usable('choosing a project');
  await panel.click('project-path');
  await panel.page.keyboard.type('/nowhere');
  await panel.page.keyboard.press('Enter');
  await panel.page.waitForSelector('.chooser [role="alert"]');
  await looks.usable('a project that is not there');
  await panel.click('project');

  await choose(world, panel, before);
  const id = await world.comment('.save-card', 'Make it blue');
  await panel.page.waitForFunction(() => !document.querySelector('[data-testid="waiting"]'));
  await choose(world, panel, world.project);
  await panel.find('other-project');
  await looks.usable('comments of another project');

  // What is offered is looked for when a hub begins.
  await rm(before, { recursive: true });
  await world.host.killHub();
  await panel.find('offer');
  await looks.usable('the data of a project that moved');
  await panel.click('offer-accept');
  await panel.gone('offer');
  await panel.find(`comment-${id}`);

  const kept = join(world.host.state, 'projects');
  const [data = ''] = await readdir(kept);
  const planted = join(world.project, '.opentoolbar', 'opentoolbar.db');
  await cp(join(kept, data, 'opentoolbar.db'), planted);
  await world.host.killHub();
  await panel.says('offer', /somebody else’s/);
  await looks.usable('data that stands in the project');
  await panel.click('offer-decline');
  await panel.gone('offer');

  const agent = await world.agent('claude-code');
  await world.delivered(agent, id);
  await panel.page.close();
  await agent.call('reply_to_comment', { commentId: id, message: 'Which blue?' });
  await overlay.visible('answered');
  await looks.page('an answer that nobody saw');
  for (const action of ['answered-away', 'answered-show'])
    await tabTo(world.page, action, () => hasFocus(world, action));
  await world.page.keyboard.press('Enter');
  await overlay.visible('thread-replies');
});
