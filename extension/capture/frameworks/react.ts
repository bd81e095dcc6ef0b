/** React 16 to 19: the fiber of an element. `_debugSource` exists to version 18; 19 tells the component's name only. */
import type { ProbeFacts } from '../../generated/ProbeFacts';
import { get, number, text } from './value';

const MAX_FIBERS = 200;

export function fromReact(element: Element): ProbeFacts | null {
  const key = Object.keys(element).find(
    (name) => name.startsWith('__reactFiber$') || name.startsWith('__reactInternalInstance$'),
  );
  if (!key) return null;
  const facts: ProbeFacts = { framework: 'react' };
  let fiber = get(element, key);
  for (let up = 0; fiber && up < MAX_FIBERS && !(facts.component && facts.file); up++) {
    const source = get(fiber, '_debugSource');
    const file = text(get(source, 'fileName'));
    if (file && !facts.file) {
      facts.file = file;
      const line = number(get(source, 'lineNumber'));
      const column = number(get(source, 'columnNumber'));
      if (line) facts.line = line;
      if (column) facts.column = column;
    }
    const name = facts.component ? undefined : componentName(get(fiber, 'type'));
    if (name) facts.component = name;
    // `_debugOwner` is the component that wrote this element; `return` is its parent in the tree.
    fiber =
      facts.component || !componentName(get(get(fiber, '_debugOwner'), 'type'))
        ? get(fiber, 'return')
        : get(fiber, '_debugOwner');
  }
  return facts.component || facts.file ? facts : null;
}

/** Name of a function, class, `memo` or `forwardRef` component; none for host elements such as `div`. */
function componentName(type: unknown): string | undefined {
  if (typeof type === 'function') return text(get(type, 'displayName')) ?? text(get(type, 'name'));
  if (typeof type !== 'object' || type === null) return undefined;
  return (
    text(get(type, 'displayName')) ?? componentName(get(type, 'render')) ?? componentName(get(type, 'type'))
  );
}
