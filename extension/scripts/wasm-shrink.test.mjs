/** What the build does to the WASM changes its size and nothing else. */
import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import { bodies, importedFunctions, withNames } from './wasm-bytes.mjs';
import { crateOf, crateTable } from './wasm-crates.mjs';
import { order } from './wasm-order.mjs';
import { trapping, withoutPlaces } from './wasm-panics.mjs';

const name = (at) => `core[0]::panicking::panic_${at}`;

/**
 * Two imports, functions that answer with their number, some that panic, and data with a place in the source and a
 * table that is none.
 */
function sample() {
  const module = new binaryen.Module();
  module.addFunctionImport('log', 'env', 'log', binaryen.none, binaryen.none);
  module.addGlobalImport('base', 'env', 'base', binaryen.i32, false);
  for (let at = 0; at < 12; at++) {
    module.addFunction(name(at), binaryen.none, binaryen.i32, [], module.i32.const(at));
    module.addFunction(`f${at}`, binaryen.none, binaryen.i32, [], module.i32.const(100 + at));
    module.addFunctionExport(`f${at}`, `f${at}`);
  }
  const data = Buffer.alloc(64);
  data.write('src/a.rs', 0, 'latin1');
  for (const [at, value] of [1024, 8, 7, 9].entries()) data.writeUInt32LE(value, 16 + 4 * at);
  for (const [at, value] of [1024, 8, 0, 9].entries()) data.writeUInt32LE(value, 32 + 4 * at);
  module.setMemory(1, 1, 'memory', [{ offset: module.i32.const(1024), data }]);
  binaryen.setDebugInfo(true);
  const bytes = Buffer.from(module.emitBinary());
  module.dispose();
  return bytes;
}

const run = (bytes) =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { log: () => {}, base: 0 } }).exports;

test('every function stands in the order once, beside those that are like it', () => {
  const like = (letter, at) => Buffer.from(`${letter.repeat(8)}${at}${[...'qwertyuiop'].join(letter)}`);
  const mixed = Array.from({ length: 40 }, (_, at) => like(at % 2 ? 'a' : 'b', at));
  const placed = order(mixed);
  expect([...placed].sort((one, other) => one - other)).toEqual([...mixed.keys()]);
  const kinds = placed.map((place) => place % 2).join('');
  expect(kinds).toMatch(/^(?:0+1+|1+0+)$/);
});

test('a module with other names does the same', () => {
  const bytes = sample();
  expect(importedFunctions(bytes)).toBe(1);
  const named = withNames(
    bytes,
    bodies(bytes).map((_, at) => `g${at}`),
  );
  expect(run(named).f7()).toBe(107);
  expect(bodies(named)).toEqual(bodies(bytes));
});

test('what panics is one trap, by its name; the rest stays', () => {
  const whole = trapping(sample(), ['BulkMemory']);
  expect(run(whole).f3()).toBe(103);
  const trap = Buffer.from([0, 0, 0x0b]);
  expect(bodies(whole).filter((body) => body.equals(trap)).length).toBe(12);
  expect(() => trapping(withNames(sample(), []), ['BulkMemory'])).toThrow('adapt PANICS');
});

test('places in the source are gone, and what only looks like one is not', () => {
  const memory = new Uint8Array(run(withoutPlaces(sample())).memory.buffer, 1024, 64);
  expect([...memory.subarray(0, 32)].every((byte) => byte === 0)).toBe(true);
  expect([...memory.subarray(32, 48)]).toEqual([0, 4, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0]);
});

test('a function counts for the crate that it is written in', () => {
  expect(crateOf('opentoolbar_core::anchor::judge::verdict::he43ac6db669cb957')).toBe('opentoolbar_core');
  expect(crateOf('core[0123456789abcdef]::fmt::write')).toBe('core');
  expect(crateOf('<base64ct::Alphabet as core::fmt::Debug>::fmt')).toBe('base64ct');
  expect(crateOf('page_judge externref shim')).toBe('none (glue)');
});

test('the largest crates are told with their bytes', () => {
  const module = new binaryen.Module();
  const body = (values) =>
    module.block(
      null,
      values.map((at) => module.drop(module.i32.const(at))),
    );
  module.addFunction('small::one', binaryen.none, binaryen.none, [], body([1]));
  module.addFunction('large::one', binaryen.none, binaryen.none, [], body([1, 2, 3, 4, 5, 6, 7, 8]));
  module.addFunction('large::two', binaryen.none, binaryen.none, [], body([1, 2, 3]));
  binaryen.setDebugInfo(true);
  const table = crateTable(Buffer.from(module.emitBinary()));
  expect(table.map((line) => line.split(/\s+/)[1])).toEqual(['large', 'small']);
});
