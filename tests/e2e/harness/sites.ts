/** Sites: those that a test build of the extension is allowed on, and one that it is not. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { LOCAL_SITES, OTHER_SITES } from '../../../extension/sites.ts';

/** A copy of a test build with the permissions that people give: local sites, and others when they are asked. */
export const localSitesOnly = (extension: string, folder: string): Promise<string> =>
  copyWith(extension, folder, { host_permissions: LOCAL_SITES, optional_host_permissions: OTHER_SITES });

/**
 * A copy of a build that asks for all sites at once and has scripts on the local ones alone: a browser whose settings let automation
 * give no optional site still lets it keep sites back that are asked for so, and give them one by one.
 */
export const sitesInSettings = (extension: string, folder: string): Promise<string> =>
  copyWith(extension, folder, {
    host_permissions: [...LOCAL_SITES, ...OTHER_SITES],
    optional_host_permissions: [],
  });

async function copyWith(extension: string, folder: string, permissions: object): Promise<string> {
  const copy = join(folder, 'extension');
  await cp(extension, copy, { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as {
    content_scripts: { matches: string[] }[];
    [field: string]: unknown;
  };
  for (const script of manifest.content_scripts) script.matches = LOCAL_SITES;
  await writeFile(file, JSON.stringify({ ...manifest, ...permissions }));
  return copy;
}

/** A page on a site that is none of the local ones by its name, although it is served here; at 127.0.0.1 it is one of them. */
export async function otherSite(
  html: string | (() => string) = '<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>',
  address = '127.0.0.2',
  headers: Record<string, string> = {},
): Promise<{ url: string; stop(): void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(typeof html === 'string' ? html : html());
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
