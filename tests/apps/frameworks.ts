/** The framework samples, each under its own Vite dev server: only a dev build tells where a component comes from. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { createServer, type PluginOption } from 'vite';
import { type Framework, folderOf } from './folders.ts';
import type { App } from './serve.ts';

export const PLUGINS: Record<Framework, () => PluginOption> = {
  react: () => react(),
  react19: () => react(),
  vue: () => vue(),
  svelte: () => svelte(),
};

/** What a sample that says `react` gets, libraries included. */
export const ALIASES: Partial<Record<Framework, Record<string, string>>> = {
  react19: { react: 'react19', 'react-dom': 'react-dom19' },
};

/**
 * Serves the sample in a folder until stopped. `hot`: an edit of a source file is shown without loading the page anew.
 */
export async function serveFramework(framework: Framework, folder: string, hot = false): Promise<App> {
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'error',
    cacheDir: join(folder, '.vite'),
    plugins: [PLUGINS[framework]()],
    resolve: { alias: ALIASES[framework] ?? {} },
    // The packages may be linked into the folder from elsewhere.
    server: { host: '127.0.0.1', port: 0, ...(hot ? {} : { hmr: false }), fs: { strict: false } },
  });
  await server.listen();
  const address = server.httpServer?.address();
  if (!address || typeof address === 'string') throw new Error(`${framework}: Vite does not listen`);
  return { origin: `http://localhost:${address.port}`, stop: () => server.close() };
}

const isFramework = (name: string | undefined): name is Framework => name !== undefined && name in PLUGINS;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { hot: { type: 'boolean', default: false } },
  });
  const [framework, folder] = positionals;
  if (!isFramework(framework)) {
    throw new Error(`usage: node apps/frameworks.ts ${Object.keys(PLUGINS).join('|')} [folder] [--hot]`);
  }
  const own = fileURLToPath(new URL(folderOf(framework), import.meta.url));
  const app = await serveFramework(framework, folder ?? own, values.hot);
  console.log(`${framework} on ${app.origin}`);
}
