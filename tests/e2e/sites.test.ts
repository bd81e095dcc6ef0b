/**
 * The build that scenarios with `everySite` use in Chromium: what people install, but for the sites that it asks for.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { extension } from './harness/paths.ts';
import { askingAtOnce } from './harness/sites.ts';

const MANIFEST = 'manifest.json';

/** The files of a build by their paths in it. */
async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, Buffer]> => [path, await readFile(join(folder, path))]),
    ),
  );
}

function read(manifest: Buffer | undefined): Record<string, unknown> {
  assert.ok(manifest);
  return JSON.parse(manifest.toString());
}

for (const browser of ['chromium', 'firefox'] as const) {
  test(`the copy of the build for ${browser} that asks for every site differs in the sites it asks for alone`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'otb-'));
    try {
      const built = extension(browser);
      const before = await filesOf(built);
      const copy = await filesOf(
        await askingAtOnce(built, folder, { everySite: true, notifications: false }),
      );
      assert.deepEqual(await filesOf(built), before, 'what people install is as it was');

      const sites = ['host_permissions', 'optional_host_permissions'];
      const [ours, theirs] = [read(before.get(MANIFEST)), read(copy.get(MANIFEST))];
      const rest = (manifest: Record<string, unknown>) =>
        Object.entries(manifest).filter(([name]) => !sites.includes(name));
      assert.deepEqual(rest(theirs), rest(ours));
      for (const name of sites) assert.notDeepEqual(theirs[name], ours[name], name);
      assert.deepEqual([theirs.host_permissions, theirs.optional_host_permissions], [['<all_urls>'], []]);

      assert.deepEqual([...copy.keys()], [...before.keys()]);
      const differ = [...copy].filter(([path, content]) => before.get(path)?.equals(content) !== true);
      assert.deepEqual(
        differ.map(([path]) => path),
        [MANIFEST],
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
