/** Which names say that what they name is a secret, and how sure they are of it. */
import {
  CODE_ENDS,
  FIELDS,
  FLAGS,
  MAYBE_ENDS,
  PARAMETERS,
  PASSWORD_ENDS,
  WORD_ENDS,
  WORDS,
} from '../../generated/redactionLists';
import { REDACTED } from './range';
import { hasBlank, isCode, isMixed, isPassword } from './shape';

/** Lower-case, without separators: `api-key`, `api_key` and `apiKey` are one word. */
export function normalised(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '').toLowerCase();
}

/** What a name says of its value, the surer the higher. */
export const NOTHING = 0;
/** It may be a secret: `session`, `token_type`. */
const MAYBE = 1;
/** A code of a few digits. */
const CODE = 2;
/** A password, unless it is a plain word: `pass`. */
const PASSWORD = 3;
/** A secret, whatever it looks like. */
export const SECRET = 4;

/** `name` is normalised. */
export function says(name: string): number {
  let said = NOTHING;
  for (const word of WORDS) {
    const at = name.lastIndexOf(word);
    if (at < 0) continue;
    const rest = name.slice(at + word.length).replace(/\d+$/, '');
    if (rest === '' || WORD_ENDS.includes(rest)) return SECRET;
    said = MAYBE;
  }
  const ends = (list: readonly string[]) => list.some((end) => name.endsWith(end));
  if (ends(CODE_ENDS)) return CODE;
  if (ends(PASSWORD_ENDS)) return PASSWORD;
  return ends(MAYBE_ENDS) ? MAYBE : said;
}

/**
 * Whether the value is a secret. `isValue`: it is certainly the name's value, by quotes or as an attribute, and no
 * sentence that goes on.
 */
export function isSecret(said: number, value: string, isValue: boolean): boolean {
  if (said === NOTHING) return false;
  // What was secret in it is gone, and what stands for that has a shape of its own; the value may end before the bracket.
  if (value.includes(REDACTED.slice(0, -1))) return value === REDACTED;
  if (said === MAYBE) return isMixed(value);
  if (said === CODE) return isCode(value) || isPassword(value);
  return said === SECRET && isValue ? !isHarmless(value) : isPassword(value);
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
  return isSecret(says(normalised(name)), value, true);
}

/** Whether the `name` or `id` of a form field says that its value is a secret. */
export function isSecretFieldName(name: string): boolean {
  const plain = normalised(name);
  return FIELDS.some((word) => plain.includes(word));
}

/** Whether the name of a parameter says that its value is a secret, whatever it looks like. `name` is normalised. */
export function isSecretParameter(name: string): boolean {
  return PARAMETERS.includes(name) || name.includes('session') || WORDS.some((word) => name.includes(word));
}
