/** How much of a page's texts is looked at. Apart from the steps of redaction: the background has those in the core. */

/** The longest address that is kept, in UTF-16 units. The background takes up to four times as much. */
const MAX_URL = 16 * 1024;
/** How much more than what is kept is looked at: what hides a secret may stand behind the secret. */
const MARGIN = 2_000;

/** The first `longest` units of a text or an attribute's value, redacted by `redact`. What comes later costs nothing. */
export function redactedBeginning(text: string, longest: number, redact: (text: string) => string): string {
  if (text.length <= longest + MARGIN) return redact(text).slice(0, longest);
  // What was cut in two at the end is not told from text: the end is left out.
  return redact(text.slice(0, longest + MARGIN))
    .slice(0, -MARGIN / 2)
    .slice(0, longest);
}

/** The beginning of an address. A page may give itself one of megabytes. */
export function redactedAddress(url: string, redact: (text: string) => string): string {
  return redactedBeginning(url, MAX_URL, redact).toWellFormed();
}
