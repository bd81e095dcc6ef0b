/** What a reader does not see, or sees as another sign: a secret is found in spite of it. */

const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\ufe00-\ufe0f]/g;
const BLANK = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Without characters of no width, blanks as the usual blank, and full-width signs as the usual ones. */
export function folded(text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(BLANK, ' ')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}
