/** What stands in place of something that was removed. */
export const REDACTED = '[redacted]';

/** Where something begins and ends in a text, in UTF-16 units. */
export type Range = [start: number, end: number];

/**
 * Kinds of ASCII characters, as bits: looked up by code, for a regular expression for each character costs ten times as
 * much.
 */
export const LETTER = 1;
export const DIGIT = 2;
/** `_` and `-` */
export const JOINER = 4;
/** `+` and `~` */
export const BASE64 = 8;
export const SLASH = 16;
/** `.` and `=` */
export const DOT = 32;
/** Letters, digits, `_` and `-`. */
export const TOKEN = LETTER | DIGIT | JOINER;

const KINDS = new Uint8Array(128);
for (const [kind, characters] of [
  [LETTER, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'],
  [DIGIT, '0123456789'],
  [JOINER, '_-'],
  [BASE64, '+~'],
  [SLASH, '/'],
  [DOT, '.='],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/** Whether the character at `at` is of one of the kinds. */
export function isOf(text: string, at: number, kinds: number): boolean {
  return ((KINDS[text.charCodeAt(at)] ?? 0) & kinds) !== 0;
}

const ESCAPE = /(?<=%)(?:25)?[0-9A-Fa-f]{2}/y;

/** Where a run goes on that begins with the digits of a percent-encoded character, encoded once or twice. */
export function afterEscape(text: string, from: number): number {
  if (text[from - 1] !== '%') return from;
  ESCAPE.lastIndex = from;
  return ESCAPE.test(text) ? ESCAPE.lastIndex : from;
}

/** The end of the run of characters of `kinds` that begins at `from`. */
export function runEnd(text: string, from: number, kinds: number): number {
  let end = from;
  while (isOf(text, end, kinds)) end++;
  return end;
}

/** The end of the run of what `belongs` matches; it is sticky and matches nothing too. */
export function matchEnd(text: string, from: number, belongs: RegExp): number {
  belongs.lastIndex = from;
  belongs.test(text);
  return Math.max(from, belongs.lastIndex);
}
