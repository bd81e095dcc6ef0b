/** The real core for unit tests: its WASM from the file that the build made. */
import { readFileSync } from 'node:fs';
import * as core from '../wasm/opentoolbar_wasm';

export function loadCoreForTest(): typeof core {
  core.initSync({ module: readFileSync(new URL('../wasm/opentoolbar_wasm_bg.wasm', import.meta.url)) });
  return core;
}
