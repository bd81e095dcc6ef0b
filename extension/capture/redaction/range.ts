/** What stands in place of something that was removed. */
export const REDACTED = '[redacted]';

/** Where something begins and ends in a text, in UTF-16 units. */
export type Range = [start: number, end: number];

const ESCAPE = /(?<=%)(?:25)?[0-9A-Fa-f]{2}/y;

/** Where a run goes on that begins with the digits of a percent-encoded character, encoded once or twice. */
export function afterEscape(text: string, from: number): number {
  ESCAPE.lastIndex = from;
  return ESCAPE.test(text) ? ESCAPE.lastIndex : from;
}

/** The end of the run of `belongs` that begins at `from`. */
export function runEnd(text: string, from: number, belongs: RegExp): number {
  let end = from;
  while (end < text.length && belongs.test(text.charAt(end))) end++;
  return end;
}
