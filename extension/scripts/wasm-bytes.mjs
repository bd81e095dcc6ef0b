/** As much of the binary format of WebAssembly as the build needs: its sections, the bodies of functions, and names. */

/** An unsigned number at `at`, and where it ends. */
export function number(bytes, at) {
  let value = 0;
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * shift;
    if (byte < 128) return [value, at];
  }
}

function encoded(value) {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 128);
  }
}

export const IMPORTS = 2;
export const CODE = 10;
export const DATA = 11;
const CUSTOM = 0;

/** The sections with where their contents stand. */
export function sections(bytes) {
  const found = [];
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [length, start] = number(bytes, at + 1);
    found.push({ id, whole: at, start, end: start + length });
    at = start + length;
  }
  return found;
}

/** The bodies of a module's own functions, in their order. */
export function bodies(bytes) {
  const { start } = sections(bytes).find(({ id }) => id === CODE);
  let [count, at] = number(bytes, start);
  const found = [];
  for (; count > 0; count--) {
    const [length, from] = number(bytes, at);
    found.push(bytes.subarray(from, from + length));
    at = from + length;
  }
  return found;
}

/** How many functions are imported: the module's own have the numbers after them. */
export function importedFunctions(bytes) {
  const section = sections(bytes).find(({ id }) => id === IMPORTS);
  if (!section) return 0;
  let [count, at] = number(bytes, section.start);
  let functions = 0;
  const skipNumber = () => {
    at = number(bytes, at)[1];
  };
  const skipLimits = () => {
    const flags = bytes[at++];
    skipNumber();
    if (flags & 1) skipNumber();
  };
  for (; count > 0; count--) {
    for (let name = 0; name < 2; name++) {
      const [length, from] = number(bytes, at);
      at = from + length;
    }
    const kind = bytes[at++];
    if (kind === 0) {
      functions++;
      skipNumber();
    } else if (kind === 1) {
      at++;
      skipLimits();
    } else if (kind === 2) skipLimits();
    else at += kind === 3 ? 2 : 0;
  }
  return functions;
}

/** The module with these names for its own functions, and no others. */
export function withNames(bytes, names) {
  const first = importedFunctions(bytes);
  const text = (value) => Buffer.concat([encoded(Buffer.byteLength(value)), Buffer.from(value)]);
  const map = Buffer.concat([
    encoded(names.length),
    ...names.flatMap((name, at) => [encoded(first + at), text(name)]),
  ]);
  const content = Buffer.concat([text('name'), Buffer.from([1]), encoded(map.length), map]);
  const kept = sections(bytes)
    .filter(({ id, start }) => id !== CUSTOM || !isName(bytes, start))
    .map(({ whole, end }) => bytes.subarray(whole, end));
  return Buffer.concat([
    bytes.subarray(0, 8),
    ...kept,
    Buffer.from([CUSTOM]),
    encoded(content.length),
    content,
  ]);
}

function isName(bytes, start) {
  const [length, from] = number(bytes, start);
  return Buffer.from(bytes.subarray(from, from + length)).toString() === 'name';
}
