import preact from '@preact/preset-vite';
import { defineConfig } from 'wxt';
import identity from './identity.json' with { type: 'json' };
import { LOCAL_SITES, OTHER_SITES } from './sites';

export default defineConfig({
  outDirTemplate: '{{browser}}-mv{{manifestVersion}}',
  manifestVersion: 3,
  targetBrowsers: ['chrome', 'firefox'],
  // Every import is written out, so that a reader sees where a name comes from.
  imports: false,
  vite: () => ({
    plugins: [preact()],
  }),
  manifest: ({ browser }) => ({
    name: 'opentoolbar',
    description: 'Point at anything in your running app and say what you want: your coding agent gets it.',
    action: { default_title: 'opentoolbar: comment on this page' },
    // The text field that stands in a frame on pages (`field/`). Elsewhere than on local sites by an address that no
    // page can guess.
    web_accessible_resources: [
      { resources: ['field.html'], matches: LOCAL_SITES },
      {
        resources: ['field.html'],
        matches: OTHER_SITES,
        ...(browser === 'firefox' ? {} : { use_dynamic_url: true }),
      },
    ],
    permissions: [
      'alarms', // another try when the hub is away and the background has gone to sleep
      'activeTab', // the page the person clicks the button on, and its screenshot
      'nativeMessaging', // the link to the hub
      'scripting', // sites that the person allows one by one
      'storage', // sessions of tabs, across restarts of the background
      'unlimitedStorage', // comments and screenshots wait here while no hub answers
      ...(browser === 'firefox' ? [] : (['sidePanel'] as const)),
    ],
    host_permissions: LOCAL_SITES,
    optional_host_permissions: OTHER_SITES,
    // The system's notes of what waits for a yes or no; asked for by a button of the panel alone.
    optional_permissions: ['notifications'],
    commands: {
      'toggle-picking': {
        // Chromium keeps Alt+Shift+C for itself; Firefox says that it gave Alt+Shift+E, and does not.
        suggested_key: { default: 'Alt+Shift+K' },
        description: 'Pick an element to comment on, or stop picking',
      },
      'open-panel': {
        suggested_key: { default: 'Alt+Shift+O' },
        description: "Open the panel with the page's comments",
      },
      'toggle-pins': {
        // Firefox's own menus take the letters of their names, H among them.
        suggested_key: { default: 'Alt+Shift+U' },
        description: 'Hide the pins on the page, or show them',
      },
    },
    content_security_policy: {
      // WASM needs its own keyword; `data:` lets a captured screenshot be decoded; the gateway listens on 127.0.0.1 and
      // any port. An explicit policy also keeps Firefox from rewriting loopback addresses.
      extension_pages:
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' data: ws://127.0.0.1:* http://127.0.0.1:*; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; object-src 'none'",
    },
    ...(browser === 'firefox'
      ? {
          sidebar_action: {
            default_panel: 'panel.html',
            default_title: 'opentoolbar',
            open_at_install: false,
          },
          browser_specific_settings: {
            gecko: {
              id: identity.firefoxId,
              strict_min_version: '142.0',
              // Everything stays on this machine: in the browser, or with the person's own hub.
              data_collection_permissions: { required: ['none' as const] },
            },
          },
        }
      : {
          key: identity.chromeKey,
          side_panel: { default_path: 'panel.html' },
          minimum_chrome_version: '123' /* light-dark() in design/tokens.css */,
        }),
  }),
  hooks: {
    'prepare:publicPaths': (_wxt, paths) => {
      paths.push('opentoolbar.wasm');
    },
    // The core travels as one file that the background and the panel load by its address.
    'build:publicAssets': (wxt, files) => {
      files.push({
        absoluteSrc: `${wxt.config.root}/wasm/opentoolbar_wasm_bg.wasm`,
        relativeDest: 'opentoolbar.wasm',
      });
    },
  },
});
