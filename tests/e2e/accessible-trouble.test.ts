/**
 * axe-core, contrast and the keyboard where something is in the way: of the connection, of projects, of what is kept.
 */
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

/** A reply in an open thread. */
async function reply(world: World, text: string): Promise<void> {
  await world.overlay.click('thread-reply-input');
  const { keyboard } = world.page;
  await keyboard.type(text);
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  // While it is sent the field takes no more.
  await world.overlay.gone('thread-reply-send');
}

/** A comment that no version wrote, in the browser's own storage. */
async function damage(panel: Panel, origin: string): Promise<void> {
  await panel.page.evaluate(async (where) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('opentoolbar');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const put = database.transaction('comments', 'readwrite');
    put.objectStore('comments').put({ id: 'c_damaged', origin: where, current: { id: 'c_damaged', url: 7 } });
    await new Promise((resolve) => {
      put.oncomplete = resolve;
    });
    database.close();
  }, origin);
}

accessible('what the host refused, cannot save, and what cannot be read', {}, async (world, looks) => {
  const { overlay } = world;
  const panel = await world.panel();
  const agent = await world.agent();
  const id = await world.comment('.save-card', 'Make it blue');
  await world.delivered(agent, id);
  // Its data goes while the thread is open.
  await overlay.openThread(id);
  await overlay.visible('thread-reply-input');
  await world.host.run(['projects', 'delete', world.project, '--yes']);
  for (const text of ['And larger', 'And rounder']) await reply(world, text);
  await panel.page.bringToFront();
  await panel.find('dismiss-problems');
  await looks.usable('changes that the host refused');
  await panel.click('dismiss-problems');
  await panel.gone('problem');

  // Found with the next look at what is kept.
  await damage(panel, world.origin);
  const projects = join(world.host.state, 'projects');
  await rm(projects, { recursive: true });
  await writeFile(projects, 'in the way');
  await world.comment('#refresh', 'Say when');
  await panel.page.bringToFront();
  await panel.find('delayed');
  await panel.find('unreadable');
  await looks.usable('a change that the host cannot save, and a comment that cannot be read');
  await rm(projects);
  await panel.click('deliver-now');
  await panel.gone('delayed');
});

accessible(
  'without a shortcut, and with a background that does not answer',
  { registered: false },
  async (world, looks) => {
    const panel = await world.panel();
    await world.browser.setShortcut('toggle-picking', '');
    await world.page.bringToFront();
    await panel.page.bringToFront();
    await panel.find('no-shortcut');
    await looks.usable('no shortcut');
    if (world.browser.name === 'firefox') return;
    await world.browser.withoutBackground(async () => {
      await panel.page.bringToFront();
      await world.until('the panel says so', () => panel.page.$('[data-testid="stale"]'), 40_000);
      await looks.panel('no answer any more');
    });
  },
);

accessible('paired, and paired no more', { registered: false }, async (world, looks) => {
  const panel = await world.panel();
  const address = await world.host.serve();
  const code = await world.host.code();
  await panel.click('pair');
  await looks.usable('pairing');
  await panel.click('pairing-code');
  await panel.page.keyboard.type(code);
  await panel.click('pairing-address');
  await panel.page.keyboard.press('End');
  for (let at = 0; at < 30; at++) await panel.page.keyboard.press('Backspace');
  await panel.page.keyboard.type(address);
  await panel.page.keyboard.press('Enter');
  await panel.click('paired-button');
  await panel.find('forget-pairing');
  await looks.usable('paired');
  await world.host.run(['pair', '--forget']);
  await panel.says('connection-hub', /the pairing was taken back/);
  await looks.usable('a pairing that was taken back');
});
