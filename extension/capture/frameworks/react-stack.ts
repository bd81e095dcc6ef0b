/**
 * React 19 keeps no `_debugSource`: in development it keeps the stack of the JSX call, `_debugStack`, whose addresses
 * are those of modules as they were served. That tells the file where the element is written; lines and columns are
 * those of the compiled module and are told to nobody.
 *
 *     Error: react-stack-top-frame
 *         at exports.jsxDEV (http://localhost:5173/node_modules/.vite/deps/react_jsx-dev-runtime.js?v=1:193:33)
 *         at Shop (http://localhost:5173/src/pages/Shop.tsx:8:24)
 *         at Object.react_stack_bottom_frame (http://localhost:5173/node_modules/.vite/deps/react-dom_client.js?v=1:1:1)
 *         at renderWithHooks (...)
 *
 * Firefox writes `Shop@http://localhost:5173/src/pages/Shop.tsx:8:24`.
 */
import { isDependency, servedFile, serverOf } from './served-file';
import { get } from './value';

/** What a stack says of the place where an element was written. */
export interface Written {
  /** Of the nearest function of the app itself. */
  file: string | null;
  /** Whether the component that returned the element is a library's: it then has the app's function called back. */
  isByLibrary: boolean;
  /** React gives up telling stacks after many elements in a second, and says so. */
  isUntold: boolean;
}

/** React itself asks for ten frames; Firefox may give many more. */
const MAX_FRAMES = 40;
const MAX_STACK = 16_384;

/** What JSX is compiled to: an app may have its own, which is not where the element is written. */
const JSX = /(?:^|\.)(?:jsxDEV|jsxs?|createElement)$/;

interface Frame {
  name: string;
  /** Without line and column. */
  address: string;
}

/** Reads a fiber's `_debugStack`, which the page may have put anything into. Null when there is no stack. */
export function writtenAt(debugStack: unknown, origin: string): Written | null {
  const text = stackText(debugStack);
  if (text === null) return null;
  const all = framesOf(text);
  const bottom = all.findIndex(({ name }) => /react[-_]stack[-_]bottom[-_]frame/.test(name));
  const top = all[0];
  if (!top) return null;
  const ends = [top, ...(bottom > 0 ? [all[bottom] as Frame] : [])].map(({ address }) => address);
  const server = serverOf(origin, ends);
  // What called React says nothing of where the element is written.
  const own = bottom === -1 ? all : all.slice(0, bottom);
  // A module that holds React's own functions too is a bundle, whatever its name.
  const fileOf = ({ name, address }: Frame) =>
    ends.includes(address) || JSX.test(name) ? null : servedFile(address, server);
  let file: string | null = null;
  for (const frame of own) file ??= fileOf(frame);
  const outermost = bottom > 0 ? own.at(-1) : undefined;
  return {
    file,
    isByLibrary: outermost !== undefined && isDependency(outermost.address, origin),
    isUntold: file === null && own.some(({ name }) => name === 'UnknownOwner'),
  };
}

/** The beginning of a stack; an older React 19 leaves the text in place of the error. */
function stackText(debugStack: unknown): string | null {
  try {
    const text = typeof debugStack === 'string' ? debugStack : get(debugStack, 'stack');
    return typeof text === 'string' && text.length > 0 ? text.slice(0, MAX_STACK) : null;
  } catch {
    return null;
  }
}

function framesOf(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of text.split('\n', 2 * MAX_FRAMES)) {
    const frame = frameOf(line.trim());
    if (frame && frames.push(frame) === MAX_FRAMES) break;
  }
  return frames;
}

/**
 * One line of Chromium's (`at Shop (http://...:8:24)`) or Firefox's (`Shop@http://...:8:24`); null for any other line.
 */
function frameOf(line: string): Frame | null {
  if (line.startsWith('at ')) {
    const open = line.endsWith(')') ? line.indexOf(' (') : -1;
    if (open === -1) return { name: '', address: withoutPosition(line.slice(3)) };
    return { name: line.slice(3, open), address: withoutPosition(line.slice(open + 2, -1)) };
  }
  // A path may hold an `@` too.
  const at = line.indexOf('@');
  return at === -1 ? null : { name: line.slice(0, at), address: withoutPosition(line.slice(at + 1)) };
}

function withoutPosition(address: string): string {
  let bare = address;
  for (let numbers = 0; numbers < 2; numbers++) {
    const colon = bare.lastIndexOf(':');
    const tail = bare.slice(colon + 1);
    if (colon === -1 || tail.length > 10 || !/^\d+$/.test(tail)) break;
    bare = bare.slice(0, colon);
  }
  return bare;
}
