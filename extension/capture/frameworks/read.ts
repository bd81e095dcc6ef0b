/**
 * What frameworks keep on their elements in development builds. Runs in the page's main world, on objects that belong
 * to the page: any property may be missing, wrong, or a getter that throws. Reads only.
 */
import type { ProbeFacts } from '../../generated/ProbeFacts';
import { fromAttributes } from './attributes';
import { fromReact } from './react';
import { fromSvelte } from './svelte';
import { fromVue } from './vue';

const READERS = [fromAttributes, fromReact, fromVue, fromSvelte];

/** How far up the tree a nearer element may borrow from its ancestors. */
const MAX_UP = 12;

/** Facts about the element or, where it has none, about its nearest ancestor that has. */
export function readFramework(element: Element): ProbeFacts | null {
  const facts: ProbeFacts = {};
  let at: Element | null = element;
  let react = false;
  for (let up = 0; at && up < MAX_UP && !(facts.component && facts.file); up++) {
    for (const reader of READERS) {
      // React has looked around the element by itself: what is told of an ancestor is another place.
      if (react && reader === fromReact) continue;
      const found = attempt(reader, at);
      if (found) merge(facts, found);
      if (found && reader === fromReact) react = true;
    }
    const parent: Node | null = at.parentNode;
    // Told by node type: nodes of a frame are no instances of this window's classes.
    at = at.parentElement ?? (parent?.nodeType === 11 ? ((parent as ShadowRoot).host ?? null) : null);
  }
  return facts.component || facts.file ? facts : null;
}

/** The nearest answer of each kind wins; a file and its line always come from the same place. */
function merge(into: ProbeFacts, found: ProbeFacts): void {
  if (!into.component && found.component) into.component = found.component;
  if (!into.file && found.file) {
    into.file = found.file;
    if (found.line) into.line = found.line;
    if (found.column) into.column = found.column;
    if (found.framework) into.framework = found.framework;
  }
  if (!into.framework && found.framework) into.framework = found.framework;
}

function attempt(reader: (element: Element) => ProbeFacts | null, element: Element): ProbeFacts | null {
  try {
    return reader(element);
  } catch {
    return null;
  }
}
