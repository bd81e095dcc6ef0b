import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What runs in pages, or is shared with what does. */
const IN_PAGES = ['capture', 'page', 'verdict', 'design', 'entrypoints'];
/**
 * What browsers give to secure contexts alone; a page on plain http is none, unless its host is loopback. With `?.`
 * behind it, it is asked for where it is given.
 */
const SECURE_ONLY =
  /crypto\.(randomUUID|subtle)|navigator\.(clipboard|storage|locks|serviceWorker|credentials|wakeLock)\b(?!\?\.)|\bcaches\.|\bcookieStore\b/;

function sources(folder: string): string[] {
  return readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

test('nothing that runs in a page asks for what the browser gives to secure pages alone', () => {
  const all = [...IN_PAGES.flatMap(sources), 'new-id.ts'].filter((path) => !path.includes('background'));
  expect(all.length).toBeGreaterThan(40);
  const using = all.filter((path) =>
    readFileSync(join(import.meta.dirname, path), 'utf8')
      .split('\n')
      .some((line) => SECURE_ONLY.test(line) && !/^\s*(\*|\/[/*])/.test(line)),
  );
  expect(using).toEqual([]);
});
