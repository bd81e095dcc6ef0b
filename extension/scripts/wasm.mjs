/**
 * Builds the core for the browser into wasm/: wasm-pack, then wasm-opt, then the size budget. With --enforce a core
 * over the budget is a failure; without, a warning, so that work on it can go on. Does nothing when no input changed
 * since the last build (a hash of all inputs is kept beside the output).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bodies, withNames } from './wasm-bytes.mjs';
import { crateTable } from './wasm-crates.mjs';
import { digestOfInputs, extension, file, out, root, stamp } from './wasm-inputs.mjs';
import { order } from './wasm-order.mjs';
import { trapping, withoutPlaces } from './wasm-panics.mjs';

// 150 before anchors were learnt and addresses had forms for tests (CSS with texts, XPath, Playwright); 165 before what
// of them is run for each candidate was compiled for speed; 173 before the names of elements were kept with the page;
// 176 before comments that are found for sure became landmarks for the others; 180 before anchors kept the rare words
// around them and the whole of a page told what became of its elements; 184 before selections that pages send were read
// by the core; 187 before secrets were told by the shape of what stands there; 192 before copies of a comment were
// merged in the browser as in the hub, losing nothing of either; 200 before redaction read names in fifteen languages
// and command lines; 206 before functions that are alike stood together and panics only trapped. 196.0 measured and 1 %
// more until the core told state from source: looks, values that vary, and what they have in common. 203.7 measured.
// 206 before anchors said which part of an element says what, and words that differ were looked up in the project's
// files. 211.6 measured. 213 before what is drawn was kept of an element: icons, pictures, colours and labels. 218.0
// measured. 219 before an element was known by its words and its name on a page that was redone, and before selectors
// were read by their grammar so that no spelling of a secret passes. 220.0 measured. 221 before each comment was looked
// at alone too, and before rows that were taken out of the source were missed. 221.9 measured. 223 before elements were
// found by what they are for on pages that were built anew: what is kept of that, the words that say the same, and 1.2
// KiB of numbers. 239.4 measured. 241 before comments that were made on one element at different times shared it, edits
// that were taken back were told from others, and other views of an address from pages that were built anew; 248 before
// what was seen while nobody could tell was kept. 248.0 measured. 250 before the node that a page holds said of which
// row an element is. 250.9 measured. 252 before it was compiled for speed instead of size (opt-level 3, not "z"): 45
// KiB for 0.55 to 0.9 of the time of every call at 10,000 and 50,000 elements; from nothing to the first answer on a
// small page 68 ms instead of 65 in Chromium, 71 instead of 75 in Firefox. 298.1 measured.
const BUDGET_GZIP = 300 * 1024;
const crates = join(out, '.crates');
const digest = digestOfInputs();

const report = () => {
  const raw = readFileSync(file);
  const gzip = gzipSync(raw, { level: 9 }).length;
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(`wasm: ${kib(raw.length)} raw, ${kib(gzip)} gzip (budget ${kib(BUDGET_GZIP)} gzip)`);
  console.log('wasm: the largest crates, code before gzip:');
  console.log(readFileSync(crates, 'utf8'));
  if (gzip > BUDGET_GZIP) {
    console.error(
      `wasm: over the budget by ${kib(gzip - BUDGET_GZIP)}. Look for new copies of generic code: sorts, maps, (de)serializers.`,
    );
    if (process.argv.includes('--enforce')) process.exit(1);
  }
};

if ([file, stamp, crates].every(existsSync) && readFileSync(stamp, 'utf8') === digest) {
  report();
  process.exit(0);
}

// Messages of the libraries name their files: without the machine's own folders, which are nobody's business.
const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
const RUSTFLAGS = [
  process.env.RUSTFLAGS,
  `--remap-path-prefix=${cargoHome}=cargo`,
  // Between what size would have (5) and speed (225): functions of a few instructions are inlined, larger ones are not.
  '-Cllvm-args=-inline-threshold=40',
]
  .filter(Boolean)
  .join(' ');
const run = (command, args) =>
  execFileSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, RUSTFLAGS } });
const isOnPath = (program) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some(
      (folder) =>
        folder !== '' && ['', '.exe', '.cmd'].some((ending) => existsSync(join(folder, program + ending))),
    );
if (!isOnPath('wasm-pack')) {
  console.error(
    'wasm: wasm-pack is not on the PATH; `cargo xtask setup-tools` installs it, and `cargo xtask build` finds it where that put it.',
  );
  process.exit(1);
}
rmSync(stamp, { force: true });
// --no-opt: wasm-pack would fetch wasm-opt from the network; ours comes from npm.
run('wasm-pack', [
  'build',
  'wasm',
  '--target',
  'web',
  '--profile',
  'wasm',
  '--no-opt',
  '--no-pack',
  '--out-dir',
  '../extension/wasm',
]);
const features = {
  BulkMemory: 'bulk-memory',
  NontrappingFPToInt: 'nontrapping-float-to-int',
  SignExt: 'sign-ext',
  MutableGlobals: 'mutable-globals',
  ReferenceTypes: 'reference-types',
  Multivalue: 'multivalue',
};
const optimise = (...passes) =>
  run(process.execPath, [
    join(extension, 'node_modules/binaryen/bin/wasm-opt'),
    ...passes,
    ...Object.values(features).map((feature) => `--enable-${feature}`),
    file,
    '-o',
    file,
  ]);
writeFileSync(file, trapping(readFileSync(file), Object.keys(features)));
optimise(
  '--debuginfo', // names, until they are given anew
  // Control flow anew from the ground: no faster and no slower, 0.9 KB less.
  '--flatten',
  '--rereloop',
  '-Oz',
  // Without inlining the code repeats itself more, which gzip likes: 12 % smaller than with it.
  '--always-inline-max-function-size=0',
  '--one-caller-inline-max-function-size=0',
  // These two make the code shorter and what gzip makes of it longer.
  '--skip-pass=local-cse',
  '--skip-pass=ssa-nomerge',
  '--converge',
  // Below the data there is the stack's far end, where no address of a value is reckoned from.
  '--low-memory-unused',
  '--strip-producers',
  '--strip-target-features',
);
// What is alike stands within the reach of gzip: 3 % less. Names are the only order that binaryen takes from outside.
const bytes = readFileSync(file);
writeFileSync(crates, crateTable(bytes).join('\n'));
const names = [];
for (const [rank, place] of order(bodies(bytes)).entries())
  names[place] = `f${String(rank).padStart(6, '0')}`;
writeFileSync(file, withNames(bytes, names));
optimise('--reorder-functions-by-name', '--strip-debug');
writeFileSync(file, withoutPlaces(readFileSync(file)));
mkdirSync(out, { recursive: true });
writeFileSync(stamp, digest);
report();
