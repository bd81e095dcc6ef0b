/** How many bytes of a module's code come from which crate, by the names that the compiler writes. */
import binaryen from 'binaryen';
import { bodies } from './wasm-bytes.mjs';

/** How many crates are listed. */
const MOST = 10;

/** The module, which must have its names, as a table: the largest crates first. */
export function crateTable(bytes) {
  const sizes = new Map();
  const names = functionNames(bytes);
  const code = bodies(bytes);
  for (const [at, { length }] of code.entries()) {
    const crate = crateOf(names[at]);
    sizes.set(crate, (sizes.get(crate) ?? 0) + length);
  }
  const all = code.reduce((sum, { length }) => sum + length, 0);
  return [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([crate, size]) => {
      const [kib, percent] = [(size / 1024).toFixed(1), ((size * 100) / all).toFixed(1)];
      return `wasm:   ${crate.padEnd(22)}${kib.padStart(7)} KiB${percent.padStart(6)} %`;
    });
}

/** The crate where a function is written: of a generic one that is where it is declared. */
export function crateOf(name) {
  return /\b([a-z_][a-z0-9_]*)(?:\[[0-9a-f]+\])?::/.exec(name)?.[1] ?? 'none (glue)';
}

function functionNames(bytes) {
  const module = binaryen.readBinary(bytes);
  const all = Array.from({ length: module.getNumFunctions() }, (_, at) =>
    binaryen.getFunctionInfo(module.getFunctionByIndex(at)),
  );
  module.dispose();
  return all.filter(({ base }) => !base).map(({ name }) => name);
}
