/** Svelte in development: `__svelte_meta.loc`. Columns count from 0; lines from 0 to version 4 and from 1 since 5. */
import type { ProbeFacts } from '../../generated/ProbeFacts';
import { get, nameOfFile, number, text } from './value';

export function fromSvelte(element: Element): ProbeFacts | null {
  const loc = get(get(element, '__svelte_meta'), 'loc');
  const file = text(get(loc, 'file'));
  if (!file) return null;
  const facts: ProbeFacts = { framework: 'svelte', file };
  const component = nameOfFile(file);
  if (component) facts.component = component;
  const line = number(get(loc, 'line'));
  const column = number(get(loc, 'column'));
  // Only versions to 4 tell the character's offset.
  if (line !== undefined) facts.line = get(loc, 'char') === undefined ? line : line + 1;
  if (facts.line && column !== undefined) facts.column = column + 1;
  return facts;
}
