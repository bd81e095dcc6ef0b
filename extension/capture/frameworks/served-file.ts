/**
 * Which source file an address in a stack stands for. The address comes from the page: it is read as text, never
 * fetched. A dev server that serves each module by itself serves a file under its path; every other address (a bundle,
 * a chunk, a library, another site, code without an address) stands for no file.
 */

/** What the addresses of React's own modules tell of the server. */
export interface Server {
  /** Of the page: `http://localhost:5173`. */
  origin: string;
  /** Where the app is mounted: `/`, or `/shop/` with Vite's `base`. */
  base: string;
  /** Whether libraries are served by themselves, so that a script that is none of them is no bundle. */
  isUnbundled: boolean;
}

/** The longest path that core takes. */
const MAX_PATH = 500;
/** Folders of libraries; each module of theirs that is served under its own path is served by itself. */
const LIBRARIES = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'web_modules',
  '.vite',
  '.yarn',
  '.pnpm',
]);
/** Folders of what Next.js built: chunks, whatever they are called. */
const CHUNKS = new Set(['.next', '_next']);
/** Folders of what build tools write, by names that source folders bear as well: they count for scripts alone. */
const BUILT = new Set(['dist', 'build', 'out', 'chunks', '_chunks']);
/** The version that Vite gives what it prepared, 8 hex digits; apps give their own scripts versions of other shapes. */
const PREPARED = /[?&]v=[0-9a-f]{8}(?:&|$)/;
/** Needs to be compiled, so that a server that serves it under this name serves it file by file. */
const SOURCE = /\.(?:[cm]?tsx?|jsx|mdx)$/i;
/** May be a source file as well as a bundle. */
const SCRIPT = /\.[cm]?js$/i;

/** What is known of a server by the addresses of modules that React itself or its bundle stands in. */
export function serverOf(origin: string, react: string[]): Server {
  const server = { origin, base: '/', isUnbundled: false };
  for (const address of react) {
    if (!isDependency(address, origin)) continue;
    const path = pathOf(address, origin) ?? '';
    // By its folder alone: a bundle may be given a version that looks like Vite's.
    if (isInLibrary(path)) server.isUnbundled = true;
    for (const mark of ['/@fs/', '/node_modules/.vite/', '/.vite/']) {
      const at = path.indexOf(mark);
      if (at === -1) continue;
      server.base = path.slice(0, at + 1);
      break;
    }
  }
  return server;
}

/** Whether an address of the page's own server is that of a library's module. */
export function isDependency(address: string, origin: string): boolean {
  const path = pathOf(address, origin);
  if (path === null) return false;
  return PREPARED.test(address.slice(origin.length)) || isInLibrary(path);
}

function isInLibrary(path: string): boolean {
  return path.split('/').some((folder) => LIBRARIES.has(folder));
}

/**
 * `src/pages/Shop.tsx` for `http://localhost:5173/src/pages/Shop.tsx?t=17`: relative to the folder that the server
 * serves. A file from outside that folder, which Vite serves under `/@fs/`, is told with its absolute path.
 */
export function servedFile(address: string, server: Server): string | null {
  const raw = pathOf(address, server.origin);
  if (raw === null || raw.length > 3 * MAX_PATH || isDependency(address, server.origin)) return null;
  const below = raw.startsWith(server.base) ? raw.slice(server.base.length - 1) : raw;
  const path = decoded(below);
  if (path === null || path.length > MAX_PATH) return null;
  const isAbsolute = path.startsWith('/@fs/');
  // `/@vite/client`, `/@react-refresh`, `/@id/`: modules that no file holds.
  if (!isAbsolute && path.startsWith('/@')) return null;
  const parts = (isAbsolute ? path.slice('/@fs/'.length) : path.slice(1)).split('/');
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  if (parts.some((part) => LIBRARIES.has(part) || CHUNKS.has(part))) return null;
  if (!SOURCE.test(name) && !(server.isUnbundled && isPlainScript(parts, name))) return null;
  const file = parts.join('/');
  return isAbsolute && !/^[A-Za-z]:\//.test(file) ? `/${file}` : file;
}

/** Whether a script could be a person's own file: neither its folder nor its name is one that a build tool gives. */
function isPlainScript(folders: string[], name: string): boolean {
  if (!SCRIPT.test(name) || folders.some((folder) => BUILT.has(folder))) return false;
  if (/(?:^|[-._])(?:chunk|bundle)s?[-._]/i.test(name)) return false;
  // `index-AbC123.js`, `main.3f2a1b9c.js`: the hash of what is in it.
  const hash = /[-.]([A-Za-z0-9_]{6,})\.[cm]?js$/.exec(name)?.[1];
  return hash === undefined || !(/\d/.test(hash) || (/[a-z]/.test(hash) && /[A-Z]/.test(hash)));
}

/** The path of an address of this very server, without query and hash; null for every other address. */
function pathOf(address: string, origin: string): string | null {
  if (!address.startsWith(`${origin}/`)) return null;
  return address.slice(origin.length).split(/[?#]/, 1)[0] ?? null;
}

/** A path as it is on the disk; null where its escapes hide a separator or are none. */
function decoded(path: string): string | null {
  try {
    const parts = path.split('/').map(decodeURIComponent);
    return parts.some((part) => /[/\\]/.test(part)) ? null : parts.join('/');
  } catch {
    return null;
  }
}
