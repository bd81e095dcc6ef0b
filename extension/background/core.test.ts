import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { version } from '../package.json';
import * as core from '../wasm/opentoolbar_wasm';

test('the core is of the same version as the extension', () => {
  core.initSync({ module: readFileSync(new URL('../wasm/opentoolbar_wasm_bg.wasm', import.meta.url)) });
  expect(core.version()).toBe(version);
});
