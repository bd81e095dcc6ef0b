/** README.md's table of what a comment says of an element's source: `probe.test.ts` takes from it what to expect. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './harness/paths.ts';

const HEAD = '| framework | component | file | line | where the component is used |';

/** What the cells say, in the words of README.md, and what that means to a scenario. */
const WORDS = {
  component: {
    yes: 'told',
    'yes, the file’s name': 'the file’s name',
    'React alone, where its name is not shortened': 'whole names of React',
    'where they tell it': 'as told',
    no: 'none',
  },
  file: {
    'yes, absolute': 'absolute',
    'yes, relative': 'relative',
    'yes, relative to the served folder': 'relative',
    'yes, as they tell it': 'as told',
    no: 'none',
  },
  line: { yes: 'told', 'where they tell it': 'as told', 'not yet': 'none', no: 'none' },
  use: { 'for libraries’ components, in place of their own file': 'of libraries', no: 'none' },
} as const;

type Words = typeof WORDS;
type Meaning<Column extends keyof Words> = Words[Column][keyof Words[Column]];

/** One row. */
export interface Promised {
  framework: string;
  component: Meaning<'component'>;
  file: Meaning<'file'>;
  line: Meaning<'line'>;
  /** Whether the place where the component is used is told. */
  use: Meaning<'use'>;
}

function meaning<Column extends keyof Words>(
  framework: string,
  column: Column,
  said: string,
): Meaning<Column> {
  const words: Readonly<Record<string, string>> = WORDS[column];
  const means = words[said.replaceAll("'", '’')] as Meaning<Column> | undefined;
  if (means === undefined)
    throw new Error(`README.md says “${said}” of the ${column} with ${framework}: no scenario shows that`);
  return means;
}

function read(readme: string): Promised[] {
  const [, table] = readme.split(`\n${HEAD}\n`);
  if (table === undefined) throw new Error(`README.md has no table with the head ${HEAD}`);
  const lines = table.split('\n').slice(1);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) => {
    const [framework = '', component = '', file = '', tells = '', use = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return {
      framework,
      component: meaning(framework, 'component', component),
      file: meaning(framework, 'file', file),
      line: meaning(framework, 'line', tells),
      use: meaning(framework, 'use', use),
    };
  });
}

const ROWS = read(await readFile(join(ROOT, 'README.md'), 'utf8'));
const shown = new Set<string>();

/** The row whose framework begins so; whoever asks shows it. */
export function promised(framework: string): Promised {
  const rows = ROWS.filter((row) => row.framework.startsWith(framework));
  const [row] = rows;
  if (!row || rows.length > 1) throw new Error(`README.md has ${rows.length} rows of ${framework}`);
  shown.add(row.framework);
  return row;
}

/** Rows that no scenario asked for. */
export const unshown = (): string[] =>
  ROWS.map(({ framework }) => framework).filter((framework) => !shown.has(framework));
