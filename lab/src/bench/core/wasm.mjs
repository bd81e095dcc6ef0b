/**
 * Measures the WASM build on captures that the native run wrote: node wasm.mjs <package> <captures> <how many>.
 * Prints JSON: for each capture, a list of { what, median, worst } in milliseconds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packed, sought as soughtOf } from '../packed.mjs';

const [, , packageFolder, folder, count] = process.argv;
const core = await import(pathToFileURL(join(packageFolder, 'opentoolbar_wasm.js')).href);
core.initSync({ module: readFileSync(join(packageFolder, 'opentoolbar_wasm_bg.wasm')) });

const RUNS = 15;
const timed = (run) => {
  const start = performance.now();
  run();
  return performance.now() - start;
};
const summed = (what, times) => {
  times.sort((a, b) => a - b);
  return { what, median: times[times.length >> 1], worst: times[times.length - 1] };
};
const repeated = (what, run) => summed(what, Array.from({ length: RUNS }, () => timed(run)));

const results = [];
for (let at = 0; at < Number(count); at++) {
  const json = readFileSync(join(folder, `page-${at}.json`), 'utf8');
  const sample = JSON.parse(readFileSync(join(folder, `page-${at}.sample.json`), 'utf8'));
  const capture = packed(json);
  const figures = [
    repeated('decode', () => core.Page.decode(capture).free()),
    repeated('decode: baseline JSON.parse', () => JSON.parse(json)),
  ];
  const page = core.Page.decode(capture);
  const each = (what, run) => {
    run(sample[0]);
    figures.push(
      summed(
        what,
        sample.map((node) => Math.min(timed(() => run(node)), timed(() => run(node)), timed(() => run(node)))),
      ),
    );
  };
  /** A page indexes itself at the first call that needs it, so each run takes a fresh one. */
  const first = (what, capture, run) => {
    const fresh = Array.from({ length: 5 }, () => core.Page.decode(capture));
    figures.push(summed(what, fresh.map((one) => timed(() => run(one)))));
    for (const one of fresh) one.free();
  };
  first('target, the first of a page', capture, (one) => one.target(sample[0], undefined));
  each('target (all of an element)', (node) => page.target(node, undefined));
  const targets = sample.map((node) => page.target(node, undefined));
  const anchors = new core.Anchors();
  const sought = soughtOf(anchors, targets);
  figures.push(repeated('keep 100 anchors, decoded once', () => soughtOf(new core.Anchors(), targets)));
  const later = packed(readFileSync(join(folder, `page-${at}.later.json`), 'utf8'));
  first('judge, the first on an edited page', later, (one) => one.judge(anchors, sought.slice(0, 1)));
  const edited = core.Page.decode(later);
  figures.push(repeated('judge, 100 anchors, edited page', () => edited.judge(anchors, sought)));
  edited.free();
  figures.push(repeated('judge, 100 anchors, same page', () => page.judge(anchors, sought)));
  page.free();
  results.push(figures);
}
process.stdout.write(JSON.stringify(results));
