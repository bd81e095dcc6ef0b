/**
 * Measures the WASM build on pages that the native run wrote: node speed.mjs <package> <folder> <how many> <runs>.
 * Prints JSON: for each page { median, best } in milliseconds, from the decoded page to the verdicts on all its
 * comments, each run on a page without an index.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packed, sought as soughtOf } from '../packed.mjs';

const [, , packageFolder, folder, count, runs] = process.argv;
const core = await import(pathToFileURL(join(packageFolder, 'opentoolbar_wasm.js')).href);
core.initSync({ module: readFileSync(join(packageFolder, 'opentoolbar_wasm_bg.wasm')) });

const results = [];
for (let at = 0; at < Number(count); at++) {
  const capture = packed(readFileSync(join(folder, `${at}.later.json`), 'utf8'));
  const targets = JSON.parse(readFileSync(join(folder, `${at}.targets.json`), 'utf8'));
  const anchors = new core.Anchors();
  const sought = soughtOf(anchors, targets);
  const times = [];
  // One run more, not counted: the engine compiles it for speed meanwhile.
  for (let run = 0; run <= Number(runs); run++) {
    const page = core.Page.decode(capture);
    const start = performance.now();
    page.judge(anchors, sought);
    times.push(performance.now() - start);
    page.free();
  }
  const counted = times.slice(1).sort((a, b) => a - b);
  results.push({ median: counted[counted.length >> 1], best: counted[0] });
}
process.stdout.write(JSON.stringify(results));
