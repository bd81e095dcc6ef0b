/**
 * Panics that only trap. In a browser nobody hears their sentences: there is no standard error, and no hook of ours.
 * Without them goes everything that makes them up, and where in the source they stand.
 */
import binaryen from 'binaryen';
import { DATA, number, sections } from './wasm-bytes.mjs';

/** What ends in a panic and does nothing else, by the names that the compiler writes. */
const PANICS = new RegExp(
  `^(?:core|std|alloc)\\[[0-9a-f]+\\]::(?:${[
    'panicking::(?:panic|assert_failed)',
    '(?:option|result)::(?:unwrap|expect)_failed',
    'str::slice_error_fail',
    'slice::index::slice_index_fail',
    'slice::copy_from_slice_impl::len_mismatch',
    'cell::panic',
    'raw_vec::(?:handle_error|capacity_overflow)',
    'alloc::handle_alloc_error',
  ].join('|')})`,
);
/** A compiler that names them otherwise would make them come back unseen. */
const LEAST = 10;

/** The module, which must have its names, with each of them as one instruction. */
export function trapping(bytes, features) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(features.reduce((all, feature) => all | binaryen.Features[feature], 0));
  let trapped = 0;
  for (let at = 0; at < module.getNumFunctions(); at++) {
    const one = module.getFunctionByIndex(at);
    const { name, base } = binaryen.getFunctionInfo(one);
    if (base || !PANICS.test(name)) continue;
    binaryen.Function.setBody(one, module.unreachable());
    trapped++;
  }
  if (trapped < LEAST) {
    throw new Error(
      `only ${trapped} functions that panic are known by name: adapt PANICS in wasm-panics.mjs`,
    );
  }
  binaryen.setDebugInfo(true);
  const whole = module.emitBinary();
  module.dispose();
  return Buffer.from(whole);
}

/** Bytes of a place in the source: where its file's name is, how long it is, line and column. */
const PLACE = 16;

/** The module with zeros for the places in the source that panics would have told. */
export function withoutPlaces(bytes) {
  const segments = dataOf(bytes);
  const out = Buffer.from(bytes);
  const found = (address, length) => {
    const in_ = segments.find(({ from, size }) => address >= from && address + length <= from + size);
    return in_ && in_.at + address - in_.from;
  };
  const files = new Map();
  for (const { from, at, size } of segments) {
    for (let address = (from + 3) & ~3; address + PLACE <= from + size; address += 4) {
      const place = at + address - from;
      const [pointer, length, line, column] = [0, 4, 8, 12].map((field) => bytes.readUInt32LE(place + field));
      if (length < 5 || length > 200 || line === 0 || line > 100_000 || column === 0 || column > 1_000)
        continue;
      const file = found(pointer, length);
      if (file === undefined || !/^[ -~]+\.rs$/.test(bytes.toString('latin1', file, file + length))) continue;
      out.fill(0, place, place + PLACE);
      files.set(file, length);
    }
  }
  for (const [file, length] of files) out.fill(0, file, file + length);
  return out;
}

/** The data that a module begins with: the address of each piece, and where it stands in the file. */
function dataOf(bytes) {
  const { start } = sections(bytes).find(({ id }) => id === DATA);
  let [count, at] = number(bytes, start);
  const found = [];
  for (; count > 0; count--) {
    // Active, in the first memory, at a constant: what linkers write.
    if (bytes[at] !== 0 || bytes[at + 1] !== 0x41) throw new Error('data of a kind that is not known here');
    const [from, end] = number(bytes, at + 2);
    const [size, content] = number(bytes, end + 1);
    found.push({ from, at: content, size });
    at = content + size;
  }
  return found;
}
