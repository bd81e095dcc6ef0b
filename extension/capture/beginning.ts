/** How much of a page's texts is looked at. Apart from the steps of redaction: the background has those in the core. */
import { folded } from './redaction/fold';
import { REDACTED } from './redaction/range';

/** The longest address that is kept, in UTF-16 units. The background takes up to four times as much. */
const MAX_URL = 16 * 1024;
/** How much more than what is kept is looked at: what hides a secret may stand behind the secret. */
const MARGIN = 2_000;

/**
 * The first `longest` units of a text or an attribute's value, redacted by `redact`. What comes later costs nothing.
 */
export function redactedBeginning(text: string, longest: number, redact: (text: string) => string): string {
  if (text.length <= longest + MARGIN) return redact(text).slice(0, longest);
  // The end may cut a character in two, of which the core makes another one.
  const looked = text.slice(0, longest + MARGIN).toWellFormed();
  return withoutEnd(looked, redact(looked)).slice(0, longest);
}

/**
 * What is left of a redacted text without what comes from the last units of its input: a secret that was cut in two
 * there is not told from text. By places of the input: redaction makes a text shorter, and what is redacted stays.
 */
function withoutEnd(input: string, redacted: string): string {
  const sure = input.slice(0, -MARGIN / 2);
  if (redacted === input) return sure;
  // Where anything is redacted, the rest is folded.
  const [all, end] = [folded(input), folded(sure).length];
  const parts = redacted.split(REDACTED);
  // Each part is looked for from the end, so that it is never taken to stand farther in front than it does.
  let from = all.length;
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at] ?? '';
    const last = from - part.length;
    if (at === 0) from = all.startsWith(part) && last >= 0 ? 0 : -1;
    else if (at === parts.length - 1) from = all.endsWith(part) ? last : -1;
    else from = last < 0 ? -1 : all.lastIndexOf(part, last);
    // A step took a part of another's mark: nothing has a place.
    if (from < 0) return redacted.slice(0, -MARGIN / 2);
    parts[at] = part.slice(0, Math.max(0, end - from));
  }
  return parts.join(REDACTED);
}

/** The beginning of an address. A page may give itself one of megabytes. */
export function redactedAddress(url: string, redact: (text: string) => string): string {
  return redactedBeginning(url, MAX_URL, redact).toWellFormed();
}
