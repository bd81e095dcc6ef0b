/** A machine on which the WASM cannot be built yet. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const extension = join(dirname(fileURLToPath(import.meta.url)), '..');
let root;
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A project of its own, as the script looks for it, in which nothing is built yet. */
function project() {
  root = mkdtempSync(join(tmpdir(), 'otb-'));
  for (const folder of ['core/src', 'wasm/src', 'extension/wasm', 'nothing'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    'Cargo.lock',
    'Cargo.toml',
    'core/Cargo.toml',
    'wasm/Cargo.toml',
    'extension/wasm/.inputs',
  ])
    writeFileSync(join(root, file), '');
  cpSync(join(extension, 'scripts'), join(root, 'extension/scripts'), { recursive: true });
  symlinkSync(join(extension, 'node_modules'), join(root, 'extension/node_modules'));
}

test('without wasm-pack it says what is missing and which command installs it, and leaves what was built', () => {
  project();
  const env = { ...process.env, PATH: join(root, 'nothing') };
  const built = spawnSync(process.execPath, [join(root, 'extension/scripts/wasm.mjs')], {
    env,
    encoding: 'utf8',
  });
  expect(built.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/wasm-pack is not on the PATH; `cargo xtask setup-tools` installs it/),
  ]);
  expect(built.status).toBe(1);
  expect(existsSync(join(root, 'extension/wasm/.inputs'))).toBe(true);
});
