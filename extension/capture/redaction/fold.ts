/** What a reader does not see, or sees as another sign: a secret is found in spite of it. */

/** The same characters as the core's `unseen.rs`: a test goes through all of Unicode. */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]|\u034f|[\u180b-\u180d]|\u180f|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
const BLANK = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHEN = /[\u2010-\u2015]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Without characters of no width; blanks and hyphens as the usual ones, and full-width signs too. */
export function folded(text: string): string {
  // Nearly all texts: none of these is in them.
  if (!/[\u00a0-\uffff]/.test(text)) return text;
  return text
    .replace(UNSEEN, '')
    .replace(BLANK, ' ')
    .replace(HYPHEN, '-')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}
