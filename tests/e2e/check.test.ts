/** Comments made in a browser, checked without one: the verb and the agent's tool say what the browser says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostBinary } from './harness/paths.ts';
import { writeSource } from './harness/source.ts';
import { scenario, type World } from './harness/world.ts';

interface Target {
  verdict: string;
  diff: unknown[];
  selector?: string;
}

interface Told {
  summary: { checked: number; valid: number; mayHaveChanged: number; untold: number };
  comments: { id: string; mayHaveChanged: boolean | null; warnings: string[]; targets: Target[] }[];
}

/** What `opentoolbar check` says, and with which exit code. */
function check(world: World, page: string, ...args: string[]): Promise<{ code: number; told: Told }> {
  return new Promise((resolve, reject) => {
    const options = { env: world.host.env, cwd: world.project };
    execFile(hostBinary(), ['check', page, '--json', ...args], options, (error, stdout, stderr) => {
      if (!stdout) return reject(new Error(stderr));
      resolve({ code: Number(error?.code ?? 0), told: JSON.parse(stdout) as Told });
    });
  });
}

scenario('check says without a browser what the browser says', {}, async (world) => {
  const agent = await world.agent();
  const ids: Record<string, string> = {};
  for (const selector of ['#refresh', '.order:nth-child(4)', '#view-title', '#payment button']) {
    ids[selector] = await world.comment(selector, `About ${selector}`);
    await world.delivered(agent, ids[selector]);
  }
  const refresh = ids['#refresh'] ?? '';
  const order = ids['.order:nth-child(4)'] ?? '';

  const untouched = await check(world, `${world.origin}/`);
  assert.deepEqual(untouched.told.summary, { checked: 4, valid: 4, mayHaveChanged: 0, untold: 0 });
  assert.equal(untouched.code, 0);
  for (const { targets } of untouched.told.comments) assert.equal(targets[0]?.verdict, 'unchanged');

  const file = join(world.project, 'components/OrderList.html');
  const source = await readFile(file, 'utf8');
  await writeSource(
    file,
    source.replace('>Refresh<', '>Load again<').replace(/ *<li class="order"><b>Torget Bakeri.*\n/, ''),
  );
  const seen = await world.until('the browser says so', async () => {
    const { comments } = await agent.feedback({ detail: 'full' });
    return (
      [refresh, order].every((id) => comments.find((one) => one.id === id)?.status === 'outdated') && comments
    );
  });
  const { code, told } = await check(world, `${world.origin}/`);
  assert.equal(code, 1);
  for (const comment of told.comments) {
    const browsers = seen.find((one) => one.id === comment.id);
    const [state] = (browsers?.targets ?? []) as { verdict?: string; diff?: unknown[] }[];
    assert.equal(
      comment.mayHaveChanged,
      browsers?.status === 'outdated',
      JSON.stringify([comment, browsers]),
    );
    // What stood in a row that is gone may be in one that is merely not listed: HTML does not tell.
    const verdict = comment.id === order ? 'not_in_view' : state?.verdict;
    if (comment.mayHaveChanged)
      assert.equal(comment.targets[0]?.verdict, verdict, JSON.stringify([comment, state]));
  }
  const { value } = await agent.call('check_comment', { commentId: refresh, url: `${world.origin}/` });
  assert.equal(value.verdict, 'changed');
  assert.deepEqual(value.diff, [{ field: 'text', before: 'Refresh', after: 'Load again' }]);
  const now = await world.page.$eval(String(value.selector), (element) => element.textContent);
  assert.equal(now, 'Load again', 'its selector means the element in the browser too');
});

scenario('check does not call gone what scripts would draw', {}, async (world) => {
  const agent = await world.agent();
  const id = await world.comment('roaster-status >>> #pause', 'In a shadow root that a script makes');
  await world.delivered(agent, id);
  const { code, told } = await check(world, `${world.origin}/`);
  assert.equal(code, 4);
  assert.equal(told.comments[0]?.mayHaveChanged, null, JSON.stringify(told));
  assert.deepEqual(told.comments[0]?.warnings, ['notInHtml']);
  // The HTML after the scripts ran tells.
  const html = join(world.project, 'rendered.html');
  const rendered = await world.page.evaluate(() =>
    document.documentElement.getHTML({
      shadowRoots: [...document.querySelectorAll('roaster-status')].flatMap((host) => host.shadowRoot ?? []),
    }),
  );
  await writeFile(html, rendered);
  const after = await check(world, 'rendered.html', '--comment', id);
  assert.equal(after.code, 0, JSON.stringify(after.told));
});

scenario(
  'check of an app that React renders says that its HTML cannot tell',
  { app: 'react' },
  async (world) => {
    const agent = await world.agent();
    await world.delivered(agent, await world.comment('button', 'Drawn by a script'));
    const { code, told } = await check(world, `${world.origin}/`);
    assert.equal(code, 4);
    assert.equal(told.summary.untold, 1);
    assert.deepEqual(told.comments[0]?.warnings, ['emptyShell']);
    // As a browser's developer tools would save it.
    await writeFile(join(world.project, 'saved.html'), await world.page.content());
    const after = await check(world, 'saved.html');
    assert.equal(after.code, 0, JSON.stringify(after.told));
  },
);
