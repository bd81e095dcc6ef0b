/** Sites: those that the extension is allowed on, and those that it is not. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/**
 * A copy of the build whose manifest asks for all sites, or for notifications, at once, and differs in nothing else.
 * For Chromium alone: its settings let automation give nothing that is optional, and let it keep back sites that are
 * asked for so, and give them one by one.
 */
export async function askingAtOnce(
  extension: string,
  folder: string,
  wanted: { everySite: boolean; notifications: boolean },
): Promise<string> {
  const copy = join(folder, 'extension');
  await cp(extension, copy, { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { permissions: string[] };
  const sites = { host_permissions: ['<all_urls>'], optional_host_permissions: [] };
  const notes = { permissions: [...manifest.permissions, 'notifications'], optional_permissions: [] };
  const asked = { ...(wanted.everySite ? sites : {}), ...(wanted.notifications ? notes : {}) };
  await writeFile(file, JSON.stringify({ ...manifest, ...asked }));
  return copy;
}

/**
 * A page on a site that is none of the local ones by its name, although it is served here; at 127.0.0.1 it is one of
 * them. `html`: what is at a path; a path that ends in `.css` is a style sheet.
 */
export async function otherSite(
  html: string | ((path: string) => string) = '<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>',
  address = '127.0.0.2',
  headers: Record<string, string> = {},
): Promise<{ url: string; stop(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.css') ? 'css' : 'html';
    response.writeHead(200, { 'content-type': `text/${type}; charset=utf-8`, ...headers });
    response.end(typeof html === 'string' ? html : html(url));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
