/** Attributes that inspector plugins of build tools leave on elements: a file, often with line and column. */
import type { ProbeFacts } from '../../generated/ProbeFacts';
import { number } from './value';

/** Hold `path`, `path:line`, `path:line:column` or `path:line:column:tag`. */
const PATHS = [
  'data-source',
  'data-v-inspector',
  'data-insp-path',
  'data-component-file',
  'data-loc',
  'data-source-loc',
  'data-source-file',
  'data-tsd-source',
  'data-sentry-source-file',
];
const NAMES = ['data-component', 'data-component-name', 'data-sentry-component'];

export function fromAttributes(element: Element): ProbeFacts | null {
  const facts: ProbeFacts = { framework: 'attribute' };
  for (const name of PATHS) {
    const place = parsePlace(element.getAttribute(name));
    if (place) {
      Object.assign(facts, place);
      break;
    }
  }
  const relative = element.getAttribute('data-inspector-relative-path');
  if (!facts.file && relative) {
    facts.file = relative;
    const line = number(element.getAttribute('data-inspector-line'));
    const column = number(element.getAttribute('data-inspector-column'));
    if (line) facts.line = line;
    if (line && column) facts.column = column;
  }
  const component = NAMES.map((name) => element.getAttribute(name)).find(
    (name) => name && /^[A-Z][\w.$]*$/.test(name),
  );
  if (component) facts.component = component;
  return facts.file || facts.component ? facts : null;
}

/** Only what looks like a file: these attribute names are used for other things as well. */
export function parsePlace(value: string | null): Pick<ProbeFacts, 'file' | 'line' | 'column'> | null {
  if (!value || value.length > 1_024) return null;
  const parts = /^(.*?\.[A-Za-z]{1,8})(?::(\d{1,8})(?::(\d{1,8}))?(?::[\w-]+)?)?$/.exec(value.trim());
  const file = parts?.[1];
  if (!file || /^[a-z]+:\/\//i.test(file)) return null;
  const place: Pick<ProbeFacts, 'file' | 'line' | 'column'> = { file };
  const line = number(parts?.[2]);
  const column = number(parts?.[3]);
  if (line) place.line = line;
  if (line && column) place.column = column;
  return place;
}
