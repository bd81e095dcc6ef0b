/** Where something begins and ends in a text, in UTF-16 units. */
export type Range = [start: number, end: number];

/** The end of the run of `belongs` that begins at `from`. */
export function runEnd(text: string, from: number, belongs: RegExp): number {
  let end = from;
  while (end < text.length && belongs.test(text.charAt(end))) end++;
  return end;
}
