/** Where the WASM stands, and what it is made of: a hash of all inputs is kept beside it. Needs no package of npm. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const extension = join(dirname(fileURLToPath(import.meta.url)), '..');
export const root = join(extension, '..');
export const out = join(extension, 'wasm');
export const file = join(out, 'opentoolbar_wasm_bg.wasm');
export const stamp = join(out, '.inputs');

const INPUTS = [
  'Cargo.lock',
  'Cargo.toml',
  'core/Cargo.toml',
  'core/src',
  'wasm/Cargo.toml',
  'wasm/src',
  ...['wasm', 'wasm-bytes', 'wasm-crates', 'wasm-inputs', 'wasm-order', 'wasm-panics'].map(
    (name) => `extension/scripts/${name}.mjs`,
  ),
];

/** Paths of every file below `path`, sorted. */
const filesBelow = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesBelow(join(path, name)))
    : [path];

/** A hash, in hex, of all that the WASM is made of. */
export const digestOfInputs = () => {
  const hash = createHash('sha256');
  for (const path of INPUTS.flatMap((input) => filesBelow(join(root, input)))) {
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
};
