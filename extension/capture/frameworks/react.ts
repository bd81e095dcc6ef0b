/**
 * React 16 to 19: the fiber of an element. `_debugSource` exists to version 18 and tells file and line; 19 has the
 * stack of the JSX call in its place, which tells the file alone.
 */
import type { ProbeFacts } from '../../generated/ProbeFacts';
import { writtenAt } from './react-stack';
import { get, number, text } from './value';

const MAX_FIBERS = 200;
/** A stack is text of the page, and costs to be read. */
const MAX_STACKS = 40;

type Place = Pick<ProbeFacts, 'file' | 'line' | 'column'>;

/**
 * File and component are of the same place: where the app itself writes the element or, when a library does, where the
 * app uses the library's component. Without a file the nearest component is told.
 */
export function fromReact(element: Element): ProbeFacts | null {
  const key = Object.keys(element).find(
    (name) => name.startsWith('__reactFiber$') || name.startsWith('__reactInternalInstance$'),
  );
  if (!key) return null;
  const fiber = get(element, key);
  const found = placeOf(fiber);
  const component = found ? componentAt(found.fiber) : nearestName(fiber);
  if (!component && !found) return null;
  return { framework: 'react', ...(component ? { component } : {}), ...found?.place };
}

/** The fiber whose element the app's own source holds, and where: the element's, or that of a component around it. */
function placeOf(start: unknown): { fiber: unknown; place: Place } | null {
  let fiber = start;
  let stacks = 0;
  for (let up = 0; fiber && up < MAX_FIBERS; up++) {
    const source = sourceOf(fiber);
    if (source) return { fiber, place: source };
    const written = stacks < MAX_STACKS ? stackOf(fiber) : null;
    if (written) stacks++;
    if (written?.file) return { fiber, place: { file: written.file } };
    const owner = get(fiber, '_debugOwner');
    // Where their component is used would be taken for where they are written.
    if (written?.isUntold || isServerComponent(owner)) return null;
    fiber = owner ?? get(fiber, 'return');
  }
  return null;
}

function sourceOf(fiber: unknown): Place | null {
  const source = get(fiber, '_debugSource');
  const file = text(get(source, 'fileName'));
  if (!file) return null;
  const place: Place = { file };
  const line = number(get(source, 'lineNumber'));
  const column = number(get(source, 'columnNumber'));
  if (line) place.line = line;
  if (line && column) place.column = column;
  return place;
}

const stackOf = (fiber: unknown) => writtenAt(get(fiber, '_debugStack'), location.origin);

/**
 * The component in whose source a fiber's element stands; a function of it may have been called back by a library's.
 */
function componentAt(start: unknown): string | undefined {
  let fiber = start;
  for (let up = 0; up < MAX_STACKS; up++) {
    const owner = get(fiber, '_debugOwner');
    // Written outside of every component, such as in a constant: the one around it in the tree has to do.
    if (!owner) return nearestName(get(fiber, 'return'));
    if (!stackOf(fiber)?.isByLibrary) return ownName(owner);
    fiber = owner;
  }
  return undefined;
}

function nearestName(start: unknown): string | undefined {
  const isTold = get(start, '_debugOwner') === undefined ? isWrittenByPeople : () => true;
  let fiber = start;
  for (let up = 0; fiber && up < MAX_FIBERS; up++) {
    // `_debugOwner` is the component that wrote this element; `return` is its parent in the tree.
    const name = ownName(fiber) ?? ownName(get(fiber, '_debugOwner'));
    if (name) return isTold(name) ? name : undefined;
    fiber = get(fiber, 'return');
  }
  return undefined;
}

/**
 * A build for production has `_debugOwner` on no fiber, and names as a minifier shortened them: `m`, `Xe`. Another
 * component's would be as untrue, and a short one that a person wrote cannot be told from these.
 */
const isWrittenByPeople = (name: string) => /^[A-Z].{3}/.test(name);

/** React 19 describes a component that ran on the server by its name. */
const isServerComponent = (owner: unknown) =>
  text(get(owner, 'name')) !== undefined && get(owner, 'type') === undefined;

const ownName = (owner: unknown) =>
  isServerComponent(owner) ? text(get(owner, 'name')) : componentName(get(owner, 'type'));

/** Name of a function, class, `memo` or `forwardRef` component; none for host elements such as `div`. */
function componentName(type: unknown): string | undefined {
  if (typeof type === 'function') return text(get(type, 'displayName')) ?? writtenName(get(type, 'name'));
  if (typeof type !== 'object' || type === null) return undefined;
  return (
    text(get(type, 'displayName')) ?? componentName(get(type, 'render')) ?? componentName(get(type, 'type'))
  );
}

/** A function without a name gets one from React's hot reload: `_c`, `_c2`. */
function writtenName(name: unknown): string | undefined {
  const known = text(name);
  return known && !/^_c\d*$/.test(known) ? known : undefined;
}
