/** The names of all tools as docs/tools.md lists them, sorted: every client must be told the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../e2e/harness/paths.ts';

export const TOOLS = [...readFileSync(join(ROOT, 'docs/tools.md'), 'utf8').matchAll(/^## ([a-z_]+)$/gm)].map(
  ([, name]) => name as string,
);
