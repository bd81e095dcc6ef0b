/**
 * Runs files of tests as `node --test` does, but those first that wait longest: `node --test` takes them by their
 * names, and while one that waits is the last, the cores do nothing.
 *
 *   node run.ts --at-once 3 --junit FILE 'e2e/*.test.ts'
 */
import { createWriteStream, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { junit, spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';

/** In this order before all others: they take longest, and most of it they wait. Heavy ones at once come too late. */
const WAITING = ['document', 'source', 'hot-reload', 'live'];

const { values, positionals } = parseArgs({
  options: { 'at-once': { type: 'string', default: '2' }, junit: { type: 'string' } },
  allowPositionals: true,
});
const rank = (file: string) => {
  const place = WAITING.indexOf(basename(file, '.test.ts'));
  return place < 0 ? WAITING.length : place;
};
const cwd = dirname(import.meta.filename);
const files = globSync(positionals, { cwd }).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
if (files.length === 0) throw new Error(`there is no file ${positionals.join(', ')} in ${cwd}`);

const events = run({ files, concurrency: Number(values['at-once']), cwd });
events.on('test:fail', () => {
  process.exitCode = 1;
});
const written: Promise<void>[] = [];
if (values.junit !== undefined) {
  written.push(finished(events.compose(junit).pipe(createWriteStream(values.junit))));
}
events.compose(spec).pipe(process.stdout);
await Promise.all(written);
