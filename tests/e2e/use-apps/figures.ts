/** What a run came to, as lines of text, and whether it is as wanted. */

export interface Figures {
  app: string;
  comments: number;
  steps: number;
  /** Names of the comments that were outdated at any time while the app was used. */
  byUse: string[];
  /** Names of the comments whose element was not at its pin when it was shown after that. */
  lost: string[];
  edits: number;
  /** Names of the comments that no edit of their element outdated, or that were active again after a reload. */
  missed: string[];
  /** Names of the comments that the edit of another element outdated: `price (by heading)`. */
  byMistake: string[];
  seconds: number;
}

export const isAsWanted = (figures: Figures) =>
  figures.byUse.length + figures.lost.length + figures.missed.length + figures.byMistake.length === 0;

const COLUMNS: [title: string, cell: (figures: Figures) => string | number][] = [
  ['app', ({ app }) => app],
  ['comments', ({ comments }) => comments],
  ['steps', ({ steps }) => steps],
  ['outdated by use', ({ byUse }) => byUse.length],
  ['not at its element', ({ lost }) => lost.length],
  ['outdated by its edit', ({ edits, missed }) => `${edits - missed.length} of ${edits}`],
  ["outdated by another's", ({ byMistake }) => byMistake.length],
  ['seconds', ({ seconds }) => Math.round(seconds)],
];

/** A row for each app, as Markdown, and below it what is not as wanted. */
export function table(all: Figures[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    COLUMNS.map(() => '---'),
    ...all.map((figures) => COLUMNS.map(([, cell]) => cell(figures))),
  ];
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  for (const figures of all) {
    const { app, byUse, lost, missed, byMistake } = figures;
    if (byUse.length > 0) lines.push(`${app}: outdated by use: ${byUse.join(', ')}`);
    if (lost.length > 0) lines.push(`${app}: not at its element: ${lost.join(', ')}`);
    if (missed.length > 0) lines.push(`${app}: not outdated by its edit: ${missed.join(', ')}`);
    if (byMistake.length > 0) lines.push(`${app}: outdated by another's edit: ${byMistake.join(', ')}`);
  }
  return lines.join('\n');
}
