/** The harness where the extension is not built: a scenario fails at once, and says what builds it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostBinary, ROOT, TESTS } from './harness/paths.ts';

const SCENARIO = `import { scenario } from './harness/world.ts';
scenario('not built', { registered: false }, async () => {});
`;

/** A project like this one, of which nothing is built but the host. */
async function unbuilt(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'otb-'));
  await mkdir(join(root, 'extension'));
  for (const name of ['identity.json', 'sites.ts'])
    await cp(join(ROOT, 'extension', name), join(root, 'extension', name));
  for (const name of ['e2e/harness', 'apps', 'package.json'])
    await cp(join(TESTS, name), join(root, 'tests', name), { recursive: true });
  await symlink(join(TESTS, 'node_modules'), join(root, 'tests/node_modules'));
  await writeFile(join(root, 'tests/e2e/unbuilt.test.ts'), SCENARIO);
  return root;
}

test('a scenario whose extension is not built ends at once and says which command builds it', async () => {
  const root = await unbuilt();
  try {
    const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
    const env = { ...rest, OPENTOOLBAR_HOST: hostBinary() };
    const file = join(root, 'tests/e2e/unbuilt.test.ts');
    const play = spawn(process.execPath, ['--test', file], { env });
    let said = '';
    play.stdout.on('data', (part) => {
      said += part;
    });
    let hangs = false;
    // A browser that it started is ended with it.
    const late = setTimeout(() => {
      hangs = true;
      play.kill();
    }, 60_000);
    const code = await new Promise((resolve) => play.on('close', resolve));
    clearTimeout(late);
    assert.equal(hangs, false, said);
    assert.equal(code, 1, said);
    assert.match(said, /extension\/\.output\/\w+-mv3 is not there; run `cargo xtask build`/);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
