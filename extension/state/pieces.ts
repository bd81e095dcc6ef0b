/**
 * A capture's lists on their way from the content script into the core. Between them there are messages, which some
 * browsers write as JSON: numbers travel as base64 of 32-bit integers, and the core takes them as typed arrays, in one
 * copy.
 */

/** The lists of a `Capture`, or a part of each. */
interface Lists {
  strings: readonly string[];
  nodes: readonly number[];
  attributes: readonly number[];
  drawings: readonly number[];
}

/** A part of a capture's lists on its way: they go on where the piece before ended. Empty: nothing. */
export interface CapturePiece {
  /** Each string followed by U+0000. */
  strings: string;
  /** This and what follows: 32-bit integers in base64. */
  nodes: string;
  attributes: string;
  drawings: string;
}

/** The same as the core takes them. `strings`: each followed by U+0000, which none contains. */
export interface PackedLists {
  strings: string;
  nodes: Int32Array;
  attributes: Uint32Array;
  drawings: Uint32Array;
}

export function pieceOf({ strings, nodes, attributes, drawings }: Lists): CapturePiece {
  return {
    strings: strings.length === 0 ? '' : `${strings.join('\0')}\0`,
    nodes: toBase64(nodes),
    attributes: toBase64(attributes),
    drawings: toBase64(drawings),
  };
}

/** Joins pieces in their order. Throws an Error when one is not what `pieceOf` makes. */
export function joinPieces(pieces: readonly CapturePiece[]): PackedLists {
  const numbers = (list: Exclude<keyof CapturePiece, 'strings'>) =>
    joinBytes(pieces.map((piece) => fromBase64(piece[list])));
  return {
    strings: pieces.map((piece) => piece.strings).join(''),
    nodes: new Int32Array(numbers('nodes')),
    attributes: new Uint32Array(numbers('attributes')),
    drawings: new Uint32Array(numbers('drawings')),
  };
}

/** Newer than some browsers that we run in: Chrome has them since 140. */
type WithBase64 = Uint8Array & { toBase64?: () => string };
const decoder = Uint8Array as typeof Uint8Array & { fromBase64?: (text: string) => Uint8Array };
/** As many arguments as every browser takes in one call. */
const MOST_ARGUMENTS = 8_192;

function toBase64(numbers: readonly number[]): string {
  const bytes: WithBase64 = new Uint8Array(new Int32Array(numbers).buffer);
  if (bytes.toBase64) return bytes.toBase64();
  let binary = '';
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS)
    // The types want an array; any list will do, and spreading one takes four times as long.
    binary += String.fromCharCode.apply(null, bytes.subarray(at, at + MOST_ARGUMENTS) as unknown as number[]);
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  if (decoder.fromBase64) return decoder.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

function joinBytes(parts: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes.buffer;
}
