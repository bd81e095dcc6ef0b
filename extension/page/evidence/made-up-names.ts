/**
 * Names in scripts and style sheets that a server made up for one load: `map_3f9ab2c1d4`, `slider_65f1a2b3c4d5e`. Pure.
 */

/**
 * Eight hexadecimal digits and more in a row, two of them decimal, wherever in a name; and the rest of a UUID written
 * with `_`.
 */
const HEX_RUN = /(?<![\da-f])(?=[a-f]*\d[a-f]*\d)[\da-f]{8,}(?:_[\da-f]{4,12}(?![^\W_]))*/gi;
const PART = /[^\W_]{6,}/g;
const HEX = /^[\da-f]+$/i;

/**
 * The name with `mark` for what is made up in it. It errs on the side of names that a person chose, since these are
 * told apart by it: `base64Encode`, `sha256`.
 */
export function withoutMadeUp(name: string, mark: string): string {
  if (!/\d/.test(name)) return name;
  return name.replace(HEX_RUN, mark).replace(PART, (part) => (isMadeUp(part) ? mark : part));
}

/** A part of a name between signs. Short hexadecimal ones need digits in two places, others in three. */
function isMadeUp(part: string): boolean {
  const runs = part.match(/\d+/g) ?? [];
  const changes = part.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0;
  return HEX.test(part) ? runs.length >= 2 : changes >= 4 && runs.length >= 3;
}
