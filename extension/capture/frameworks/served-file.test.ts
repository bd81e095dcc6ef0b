import { describe, expect, it } from 'vitest';
import { servedFile, serverOf } from './served-file';

const ORIGIN = 'http://localhost:5173';
const VITE = serverOf(ORIGIN, [`${ORIGIN}/node_modules/.vite/deps/react_jsx-dev-runtime.js?v=1f2e3d4c`]);
const BUNDLER = serverOf(ORIGIN, [`${ORIGIN}/static/js/vendors.js`]);

describe('a path of the app is its file', () => {
  it.each([
    ['/src/pages/Shop.tsx', 'src/pages/Shop.tsx'],
    ['/src/pages/Shop.tsx?t=1732384000000', 'src/pages/Shop.tsx'],
    ['/src/pages/Shop.tsx?t=1#top', 'src/pages/Shop.tsx'],
    ['/app/routes/$id.jsx', 'app/routes/$id.jsx'],
    ['/app/(shop)/page.tsx', 'app/(shop)/page.tsx'],
    ['/src/pages/%5Bid%5D%20x.mdx', 'src/pages/[id] x.mdx'],
    ['/App.jsx', 'App.jsx'],
    // From outside of the served folder: absolute.
    ['/@fs/home/me/shop/ui/src/Card.tsx', '/home/me/shop/ui/src/Card.tsx'],
    ['/@fs/C:/shop/ui/src/Card.tsx?t=3', 'C:/shop/ui/src/Card.tsx'],
  ])('%s', (path, file) => {
    expect(servedFile(ORIGIN + path, VITE)).toBe(file);
    expect(servedFile(ORIGIN + path, BUNDLER)).toBe(file);
  });

  it('a script is one only where the server serves module by module', () => {
    for (const path of ['src/Card.js', 'src/list-item.mjs', 'Card.js']) {
      expect(servedFile(`${ORIGIN}/${path}`, VITE), path).toBe(path);
      expect(servedFile(`${ORIGIN}/${path}`, BUNDLER), path).toBeNull();
    }
  });

  it('a version that the app gives its own scripts is not what Vite gives what it prepared', () => {
    const own = serverOf(ORIGIN, [`${ORIGIN}/js/react-bundle.js?v=3`]);
    expect(own.isUnbundled).toBe(false);
    expect(servedFile(`${ORIGIN}/js/app.js?v=1.4.2`, own)).toBeNull();
    for (const version of ['3', '1.4.2', '1f2e3d4c5', '1F2E3D4C']) {
      expect(servedFile(`${ORIGIN}/src/Card.js?v=${version}`, VITE), version).toBe('src/Card.js');
      expect(servedFile(`${ORIGIN}/src/Card.tsx?v=${version}`, BUNDLER), version).toBe('src/Card.tsx');
    }
    // One that looks like Vite's still says nothing of how the server serves.
    expect(serverOf(ORIGIN, [`${ORIGIN}/js/react-bundle.js?v=1f2e3d4c`]).isUnbundled).toBe(false);
    expect(servedFile(`${ORIGIN}/cache/deps/ui.js?import&v=1f2e3d4c&t=1`, VITE)).toBeNull();
  });

  it('the base under which Vite mounts an app is no folder', () => {
    for (const dependency of [
      '/shop/node_modules/.vite/deps/react.js?v=1',
      '/shop/@fs/w/node_modules/r.js',
    ]) {
      const server = serverOf(ORIGIN, [ORIGIN + dependency]);
      expect(servedFile(`${ORIGIN}/shop/src/App.tsx`, server)).toBe('src/App.tsx');
      expect(servedFile(`${ORIGIN}/shop/@fs/w/ui/Card.tsx`, server)).toBe('/w/ui/Card.tsx');
    }
  });
});

describe('no file', () => {
  it.each([
    // Another site, another server, another scheme.
    'http://other-host/src/App.tsx',
    'http://localhost:5174/src/App.tsx',
    'http://localhost:51730/src/App.tsx',
    'http://localhost:5173.evil.example/src/App.tsx',
    'https://localhost:5173/src/App.tsx',
    'file:///src/App.tsx',
    'webpack-internal:///./src/App.tsx',
    'webpack-internal:///(app-pages-browser)/./app/page.tsx',
    'rsc://React/Server/file:///app/page.tsx',
    'about://React/Server/webpack-internal:///(rsc)/./app/page.tsx',
    `blob:${ORIGIN}/src/App.tsx`,
    'data:text/javascript,src/App.tsx',
    `eval at Shop (${ORIGIN}/src/App.tsx:1:1), <anonymous>`,
    `${ORIGIN}/src/App.tsx line 3 > eval`,
    '<anonymous>',
    '',
    // Libraries.
    `${ORIGIN}/node_modules/react-router/dist/Link.js`,
    `${ORIGIN}/node_modules/ui/src/Card.tsx`,
    `${ORIGIN}/@fs/home/me/node_modules/ui/src/Card.tsx`,
    `${ORIGIN}/node%5Fmodules/ui/Card.tsx`,
    `${ORIGIN}/.vite/deps/chunk-ABCDEFGH.js?v=1f2e3d4c`,
    `${ORIGIN}/cache/deps/ui.js?v=1f2e3d4c`,
    // Modules that no file holds.
    `${ORIGIN}/@vite/client`,
    `${ORIGIN}/@react-refresh`,
    `${ORIGIN}/@id/__x00__virtual:routes.tsx`,
    `${ORIGIN}/`,
    `${ORIGIN}/index.html?html-proxy&index=0.js`,
    `${ORIGIN}/src/icon.svg?react`,
    // Bundles and chunks.
    `${ORIGIN}/_next/static/chunks/app/page.js`,
    `${ORIGIN}/_next/static/chunks/app_page_tsx_1a2b3c._.js`,
    `${ORIGIN}/_next/static/chunks/page.tsx`,
    `${ORIGIN}/assets/index-AbC123.js`,
    `${ORIGIN}/assets/main.3f2a1b9c.js`,
    `${ORIGIN}/static/js/main.chunk.js`,
    `${ORIGIN}/static/js/bundle.js`,
    `${ORIGIN}/src/chunk-list.js`,
    `${ORIGIN}/packages/ui/dist/Card.js`,
    // What climbs, or hides where it goes.
    `${ORIGIN}/src/../../etc/App.tsx`,
    `${ORIGIN}/%2e%2e/App.tsx`,
    `${ORIGIN}/src/..%2f..%2fApp.tsx`,
    `${ORIGIN}//evil/App.tsx`,
    `${ORIGIN}/src/%zz.tsx`,
    `${ORIGIN}/${'a/'.repeat(2_000)}App.tsx`,
  ])('%s', (address) => {
    expect(servedFile(address, VITE)).toBeNull();
    expect(servedFile(address, BUNDLER)).toBeNull();
  });
});
