/** What a reader does not see, or sees as another sign: a secret is found in spite of it. */

/** The same characters as the core's `unseen.rs`: a test goes through all of Unicode. */
export const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]|\u034f|[\u180b-\u180d]|\u180f|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
const BLANK = /[\v\f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
const HYPHEN = /[\u2010-\u2015]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/**
 * Without characters of no width and control characters; blanks and hyphens as the usual ones, and full-width signs
 * too. Of white space that leaves blanks, tabs and line ends.
 */
export function folded(text: string): string {
  // Nearly all texts: nothing else is in them.
  if (!/[^\t\n\r -~]/.test(text)) return text;
  return text
    .replace(BLANK, ' ')
    .replace(CONTROL, '')
    .replace(UNSEEN, '')
    .replace(HYPHEN, '-')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}
