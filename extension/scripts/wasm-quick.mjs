/**
 * The WASM as cargo compiled it, unoptimised, with its JavaScript: for the demo, which does not wait minutes for what
 * ships. `wasm.mjs` takes it for none and builds its own.
 *
 *   node scripts/wasm-quick.mjs           ends with 0 if there is a WASM of these sources, quick or not, else with 3
 *   node scripts/wasm-quick.mjs FILE      makes it of what cargo compiled; wasm-bindgen is on the PATH
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { digestOfInputs, file, out, stamp } from './wasm-inputs.mjs';

const digest = digestOfInputs();
const quick = `quick ${digest}`;
const [compiled] = process.argv.slice(2);
if (compiled === undefined) {
  const isThere = [file, stamp].every(existsSync) && [digest, quick].includes(readFileSync(stamp, 'utf8'));
  process.exit(isThere ? 0 : 3);
}
rmSync(stamp, { force: true });
execFileSync('wasm-bindgen', [compiled, '--target', 'web', '--omit-default-module-path', '--out-dir', out], {
  stdio: 'inherit',
});
writeFileSync(stamp, quick);
