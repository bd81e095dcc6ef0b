/** Which names say that what they name is a secret, and how sure they are of it. */
import {
  CODE_ENDS,
  FIELD_EDGES,
  FIELDS,
  FLAGS,
  MAYBE_ENDS,
  NO_CODES,
  PARAMETERS,
  PASSWORD_ENDS,
  PASSWORDS,
  SHORT_CODE_ENDS,
  WORD_ENDS,
  WORDS,
} from '../../generated/redactionLists';
import { folded } from './fold';
import { DIGIT, isOf, REDACTED } from './range';
import { hasBlank, isCode, isMixed, isPassword, isWord } from './shape';

/** Lower-case, without separators: `api-key`, `api_key` and `apiKey` are one word. */
export function normalised(name: string): string {
  // Nearly all are of ASCII alone.
  if (/^[A-Za-z0-9]*$/.test(name)) return name.toLowerCase();
  let word = '';
  for (let at = 0; at < name.length; at++) word += letter(name.charCodeAt(at));
  return word;
}

/**
 * A letter or digit as names are compared by, or nothing. The letters beyond ASCII are those of the scripts that the
 * lists have; their small forms are reckoned as the core does it.
 */
export function letter(code: number): string {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return String.fromCharCode(code);
  if (code >= 65 && code <= 90) return String.fromCharCode(code + 32);
  if (code < 0xc0) return '';
  if (code <= 0xde || (code >= 0x410 && code <= 0x42f)) return String.fromCharCode(code + 0x20);
  if ((code >= 0x100 && code <= 0x137) || (code >= 0x14a && code <= 0x177))
    return String.fromCharCode(code | 1);
  if ((code >= 0x139 && code <= 0x148) || (code >= 0x179 && code <= 0x17e)) {
    return String.fromCharCode(code + (code & 1));
  }
  return code <= 0x1fff || (code >= 0x3040 && code <= 0xd7ff) ? String.fromCharCode(code) : '';
}

/** What a name says of its value, the surer the higher. */
export const NOTHING = 0;
/** It may be a secret: `session`, `token_type`. */
export const MAYBE = 1;
/** A code of a few digits. */
export const CODE = 2;
/** A password, unless it is a plain word: `pass`. */
const PASSWORD = 3;
/** A secret, whatever it looks like. */
export const SECRET = 4;
/** The same, made up by a person: it may be a word. */
const CHOSEN = 5;

/**
 * Where a value stands: it is certainly the name's value, by quotes or as an attribute, and no sentence that goes on.
 */
export const AS_VALUE = 0;
/** It is all that follows in its line. */
export const IN_LINE = 1;
/** More follows. */
export const IN_SENTENCE = 2;

/** `name` is normalised. */
export function says(name: string): number {
  let said = NOTHING;
  for (const [words, meant] of MEANT) {
    for (const word of words) {
      const at = name.lastIndexOf(word);
      if (at < 0) continue;
      const rest = withoutDigits(name.slice(at + word.length));
      if (rest === '' || WORD_ENDS.includes(rest)) return meant;
      said = MAYBE;
    }
  }
  const ends = (list: readonly string[]) => list.some((end) => name.endsWith(end));
  if (ends(CODE_ENDS) || (ends(SHORT_CODE_ENDS) && !NO_CODES.includes(name))) return CODE;
  if (ends(PASSWORD_ENDS)) return PASSWORD;
  return ends(MAYBE_ENDS) ? MAYBE : said;
}

/** All that names say something by: cheaper than to ask each list. */
const ENDS = [CODE_ENDS, SHORT_CODE_ENDS, PASSWORD_ENDS, MAYBE_ENDS].flat();
const NAMES = new RegExp(`${[...PASSWORDS, ...WORDS].join('|')}|(?:${ENDS.join('|')})$`);

/** Whether `text` may end in a name of which something is said. */
export function mayEndInName(text: string): boolean {
  return NAMES.test(normalised(text));
}

/** Walked from the end: an expression that ends in `$` begins at every digit. */
function withoutDigits(word: string): string {
  let end = word.length;
  while (isOf(word, end - 1, DIGIT)) end--;
  return word.slice(0, end);
}

const MEANT = [
  [PASSWORDS, CHOSEN],
  [WORDS, SECRET],
] as const;

/** Whether the value is a secret. */
export function isSecret(said: number, value: string, place: number): boolean {
  if (said === NOTHING) return false;
  // What was secret in it is gone, and what stands for that has a shape of its own; the value may end before the
  // bracket.
  if (value.includes(REDACTED.slice(0, -1))) return value === REDACTED;
  if (said === MAYBE) return isMixed(value);
  if (said === CODE) return isCode(value) || isPassword(value);
  if (said >= SECRET && place === AS_VALUE) return !isHarmless(value);
  if (said === CHOSEN && place === IN_LINE && isWord(value)) return !isHarmless(value);
  return isPassword(value);
}

/** A flag, a sentence, or a mask. */
function isHarmless(value: string): boolean {
  return (
    (hasBlank(value) && !/[0-9]/.test(value)) ||
    /^[*•●._-]*$/.test(value) ||
    (/^[A-Za-z01]+$/.test(value) && FLAGS.includes(value.toLowerCase()))
  );
}

/** Whether the value is a secret because of its name. */
export function isSecretOf(name: string, value: string): boolean {
  return isSecret(says(normalised(folded(name))), folded(value), AS_VALUE);
}

/** Whether the `name` or `id` of a form field says that its value is a secret. */
export function isSecretFieldName(name: string): boolean {
  const plain = normalised(folded(name));
  if (FIELDS.some((word) => plain.includes(word))) return true;
  return FIELD_EDGES.some((word) => plain.startsWith(word) || plain.endsWith(word));
}

/** Whether the name of a parameter says that its value is a secret, whatever it looks like. `name` is normalised. */
export function isSecretParameter(name: string): boolean {
  if (PARAMETERS.includes(name) || name.includes('session')) return true;
  return [PASSWORDS, WORDS].some((words) => words.some((word) => name.includes(word)));
}
