/**
 * The dashboard's dev server: puts the page together from its components, says on every element where it comes from (as
 * the inspectors' build plugins do), and shows an edit at once. Plain Node, loopback only.
 *
 *   node apps/serve.ts [folder] [--port N] [--strict-csp]
 */
import { existsSync, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface App {
  /** `http://localhost:5173` */
  origin: string;
  stop(): Promise<void>;
}

export interface Options {
  /** 0: any free one. */
  port?: number;
  /** Serve with a policy that forbids everything from elsewhere, and everything inline. */
  strictCsp?: boolean;
}

const STRICT_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves a folder laid out like `dashboard/` until stopped. */
export async function serve(folder: string, options: Options = {}): Promise<App> {
  const listeners = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    });
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    if (path === '/__live') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(': hello\n\n');
      listeners.add(response);
      request.on('close', () => listeners.delete(response));
      return;
    }
    // A path without an extension is a route of the page, not a file.
    const name = extname(path) === '' ? 'index.html' : path.split(sep).filter(Boolean).join('/');
    const headers: Record<string, string> = { 'cache-control': 'no-store' };
    if (options.strictCsp) headers['content-security-policy'] = STRICT_CSP;
    let body: string;
    try {
      body = name.endsWith('.html') ? await page(folder, name) : await readFile(join(folder, name), 'utf8');
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end(`there is no ${name}`);
      return;
    }
    headers['content-type'] = TYPES[extname(name)] ?? 'text/plain';
    response.writeHead(200, headers).end(body);
  }

  const recent = new Map<string, NodeJS.Timeout>();
  const onChange = (file: string) => {
    // Editors write a file in several steps; tell of it once.
    clearTimeout(recent.get(file));
    const data = JSON.stringify({ file: file.split(sep).join('/') });
    recent.set(
      file,
      setTimeout(() => {
        for (const listener of listeners) listener.write(`event: change\ndata: ${data}\n\n`);
      }, 30),
    );
  };
  // Directory by directory: on Linux Node's recursive watch loses a file that is replaced, which is how editors save.
  const watchers = ['.', ...(await directoriesOf(folder))].map((directory) =>
    watch(join(folder, directory), (_kind, name) => {
      if (name !== null && !name.startsWith('.')) onChange(join(directory, name));
    }),
  );

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      for (const watcher of watchers) watcher.close();
      for (const timer of recent.values()) clearTimeout(timer);
      for (const listener of listeners) listener.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The directories below a folder that hold its source, relative to it. */
async function directoriesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split(sep).some((part) => part.startsWith('.') || part === 'node_modules'));
}

/**
 * A page with its components in place, every element of the body marked with its source, and the live script if there
 * is one.
 */
async function page(folder: string, name: string): Promise<string> {
  const text = await annotated(folder, name);
  if (!existsSync(join(folder, 'live.js'))) return text;
  return text.replace('</head>', '<script type="module" src="/live.js"></script></head>');
}

async function annotated(folder: string, name: string): Promise<string> {
  const marked = mark(await readFile(join(folder, name), 'utf8'), name);
  const parts = marked.split(/<!-- include (\S+) -->/);
  const filled = await Promise.all(parts.map((part, at) => (at % 2 === 1 ? annotated(folder, part) : part)));
  return filled.join('');
}

/** Adds file, line, column and component to every start tag, in the inspectors' notation. */
export function mark(html: string, name: string): string {
  const component = /components\/(\w+)\.html$/.exec(name)?.[1];
  const lines = html.split('\n');
  return lines
    .map((line, row) =>
      line.replace(/<([a-z][a-z0-9-]*)(?=[\s>/])/g, (tag, element: string, column: number) => {
        if (['html', 'head', 'meta', 'title', 'link', 'script'].includes(element)) return tag;
        const facts = [
          `data-inspector-relative-path="${name}"`,
          `data-inspector-line="${row + 1}"`,
          `data-inspector-column="${column + 1}"`,
          ...(component ? [`data-component="${component}"`] : []),
        ];
        return `${tag} ${facts.join(' ')}`;
      }),
    )
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '5173' }, 'strict-csp': { type: 'boolean', default: false } },
  });
  const folder = positionals[0] ?? fileURLToPath(new URL('dashboard', import.meta.url));
  const app = await serve(folder, { port: Number(values.port), strictCsp: values['strict-csp'] });
  console.log(`${folder} on ${app.origin}`);
}
