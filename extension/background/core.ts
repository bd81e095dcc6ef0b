/**
 * The core in WASM, loaded once per start of the background. Everything the core decides is asked here; nothing
 * else in the extension knows how it is loaded.
 */
import { browser } from 'wxt/browser';
import * as core from '../wasm/opentoolbar_wasm';

export type Core = typeof core;
export type { PackedCapture, Page, Sought } from '../wasm/opentoolbar_wasm';

let loading: Promise<Core> | undefined;

/** The core, ready for calls. A failed load is tried again at the next call. */
export function loadCore(): Promise<Core> {
  loading ??= core
    .default({ module_or_path: browser.runtime.getURL('/opentoolbar.wasm') })
    .then(() => core)
    .catch((failure: unknown) => {
      loading = undefined;
      throw failure;
    });
  return loading;
}
