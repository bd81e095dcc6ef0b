/** A hash of what a script or a style sheet contains, taken in parts. Pure. */
import { TextHash } from '../../text-hash';

/** Characters that are taken at one time: less than a millisecond. */
const PART = 64 * 1024;
const QUESTION = 63;
const AND = 38;
const EQUALS = 61;
const T = 116;
const V = 118;

/**
 * Yields after each part, and returns the hash. `?t=…` and `?v=…` are left out wherever they stand: a dev server writes
 * them into the imports of a file whose own source is as it was.
 */
export function* hashInParts(text: string): Generator<void, string> {
  const hash = new TextHash();
  let part = PART;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const name = text.charCodeAt(at + 1);
    if (
      (code === QUESTION || code === AND) &&
      (name === T || name === V) &&
      text.charCodeAt(at + 2) === EQUALS
    ) {
      at += 3;
      while (at < text.length && isOfValue(text.charCodeAt(at))) at++;
      at--;
    } else hash.add(code);
    if (at < part) continue;
    part = at + PART;
    yield;
  }
  return hash.value;
}

/** A letter, a digit, `-`, `.` or `_`. */
function isOfValue(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 45 ||
    code === 46 ||
    code === 95
  );
}

/**
 * The text of an answer; null when it has more than `most` UTF-16 code units, or when there is no more room for as many
 * as came: no more is read than that. `onBytes` hears how many bytes came.
 */
export async function textOf(
  response: Response,
  most: number,
  hasRoom: (more: number) => boolean,
  onBytes: (more: number) => void = () => {},
): Promise<string | null> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    onBytes(value?.length ?? 0);
    const more = decoder.decode(value, { stream: !done });
    text += more;
    if (text.length > most || (more && !hasRoom(more.length))) {
      await reader.cancel();
      return null;
    }
    if (done) return text;
  }
}
