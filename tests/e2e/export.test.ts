/** Prompt and JSON, through the panel's own buttons. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSource } from './harness/source.ts';
import { scenario, type World } from './harness/world.ts';

const OUTDATED = 'This element has been modified since the comment was created.';

/**
 * Two active comments and one whose element was edited under it: the hub, which an agent told of the project, sees the
 * edit.
 */
async function threeComments(world: World): Promise<{ outdated: string }> {
  const agent = await world.agent();
  const outdated = await world.comment('#new-order', 'The outdated one');
  await world.delivered(agent, outdated);
  await world.comment('.stat:nth-of-type(2) .figure', 'The first active one');
  await world.comment('#refresh', 'The second active one');
  const file = join(world.project, 'components/Header.html');
  const source = await readFile(file, 'utf8');
  await writeSource(
    file,
    source.replace(
      /<button class="button" type="button" id="new-order".*<\/button>/,
      '<a class="plain" href="/orders/new">Write it down</a>',
    ),
  );
  await world.overlay.outdated(world, outdated);
  return { outdated };
}

async function prompt(world: World): Promise<string> {
  const panel = await world.panel();
  await panel.click('copy-prompt');
  return world.until('the prompt in the clipboard', () => world.clipboard());
}

scenario('export active comments', {}, async (world) => {
  await threeComments(world);
  const text = await prompt(world);
  const places = ['The first active one', 'The second active one', 'The outdated one'].map((words) =>
    text.indexOf(words),
  );
  assert.ok(
    places.every((place) => place >= 0),
    text,
  );
  assert.deepEqual(
    [...places].sort((a, b) => a - b),
    places,
    'active first, then outdated',
  );
  for (const wanted of [
    'Stats',
    'components/Stats.html',
    'OrderList',
    'components/OrderList.html',
    '#refresh',
    '214 kg',
  ]) {
    assert.ok(text.includes(wanted), `the prompt names ${wanted}:\n${text}`);
  }
});

scenario('outdated comment annotation', {}, async (world) => {
  await threeComments(world);
  const text = await prompt(world);
  assert.equal(text.split(OUTDATED).length - 1, 1, text);
  assert.ok(text.indexOf(OUTDATED) > text.indexOf('The second active one'));
});

scenario('export all comments as JSON', { registered: false }, async (world) => {
  const id = await world.comment('#refresh', 'Say when it was last done');
  const json = await world.download('export-json');
  const value = JSON.parse(json) as { version: unknown; exportedAt: unknown; comments: { id: string }[] };
  assert.equal(value.version, 1);
  assert.match(String(value.exportedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(
    value.comments.map((comment) => comment.id),
    [id],
  );

  // What was exported comes back by the panel's import, after it was gone.
  const panel = await world.panel();
  await panel.click(`delete-${id}`);
  await panel.gone(`comment-${id}`);
  const other = json.replaceAll(id, `${id}copy`);
  const file = join(world.project, 'import.json');
  await writeFile(file, other);
  const input = await panel.page.$('[data-testid="import-file"]');
  assert.ok(input);
  await (input as import('puppeteer-core').ElementHandle<HTMLInputElement>).uploadFile(file);
  await panel.find(`comment-${id}copy`);
});
