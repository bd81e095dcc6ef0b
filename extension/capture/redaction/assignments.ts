/** Values of secret names: parameters of addresses, cookies, JSON, settings, options of commands. */
import { isSecret, isSecretParameter, NOTHING, SECRET, says } from './names';
import type { Range } from './range';

/** Most blanks between a name, its sign and its value. */
const MAX_BLANKS = 4;
/** How much of a value is looked at where its name is not sure to mean it, in UTF-16 units. */
const LOOKED_AT = 256;

/** The names read so far. */
class Names {
  /** The last one, normalised. */
  name = '';
  /** The word before it, when one blank parts them: `API key`. */
  before = '';
  /** Something has stood between the last one and here. */
  ended = false;
  blanks = 0;
  /** It began with `--`. */
  isOption = false;

  clear(): void {
    this.name = '';
    this.before = '';
    this.ended = false;
    this.blanks = 0;
    this.isOption = false;
  }

  push(character: string, startsOption: boolean): void {
    if (this.ended) {
      const { name, blanks } = this;
      this.clear();
      if (blanks === 1) this.before = name;
    }
    if (this.name === '' && startsOption) this.isOption = true;
    if (/[A-Za-z0-9]/.test(character)) this.name += character.toLowerCase();
  }

  part(isBlank: boolean): void {
    // Quotes part as two blanks do.
    this.blanks += isBlank ? 1 : 2;
    this.ended = true;
    if (this.blanks > MAX_BLANKS) this.clear();
  }
}

interface Value {
  range: Range;
  isQuoted: boolean;
  /** It stands right behind the sign. */
  isNear: boolean;
}

/** The values that are secrets by their names. */
export function assignments(text: string): Range[] {
  const found: Range[] = [];
  const names = new Names();
  for (let at = 0; at < text.length; ) {
    const { character, length } = unit(text, at);
    const after = at + length;
    const isOptionEnd = character === ' ' && names.isOption && !names.ended;
    if ((character === '=' || character === ':' || isOptionEnd) && names.name !== '') {
      const range = secretValue(text, after, character, length > 1, names);
      if (range) found.push(range);
      names.clear();
      at = range ? range[1] : after;
      continue;
    }
    if (character === ' ' || character === '\t') names.part(true);
    else if (/["'`\\]/.test(character)) names.part(false);
    else if (/[_.\-[\]%]/.test(character)) names.push(character, text.startsWith('--', at));
    else if (/[A-Za-z0-9]/.test(character)) names.push(character, false);
    else names.clear();
    at = after;
  }
  return found;
}

/** The secret value that stands from `from`, behind the sign. */
function secretValue(
  text: string,
  from: number,
  sign: string,
  isEncoded: boolean,
  names: Names,
): Range | null {
  // `a == b` compares, `://` begins an address.
  if (text[from] === '=' || text.startsWith('//', from)) return null;
  const always = sign === '=' && !names.ended && isSecretParameter(names.name);
  let said = says(names.name);
  if (sign === ':' && said !== SECRET && names.before !== '') {
    said = Math.max(said, says(names.before + names.name));
  }
  if (!always && said === NOTHING) return null;
  const value = findValue(text, from, sign, isEncoded);
  if (!value) return null;
  const [start] = value.range;
  const isIt =
    (always && value.isNear && !value.isQuoted) || isSecret(said, text.slice(...value.range), value.isQuoted);
  if (!isIt || value.isQuoted) return isIt ? value.range : null;
  return [
    start,
    valueEnd(text, start, sign, isEncoded, sign === '=' && value.isNear, Number.POSITIVE_INFINITY),
  ];
}

function findValue(text: string, signEnd: number, sign: string, isEncoded: boolean): Value | null {
  let from = signEnd;
  // `=>` and `:=`
  if ((sign === '=' && text[from] === '>') || (sign === ':' && text[from] === '=')) from++;
  for (let blanks = 0; blanks < MAX_BLANKS && (text[from] === ' ' || text[from] === '\t'); blanks++) from++;
  const isNear = from === signEnd;
  const inside = quoteEnd(text, from);
  if (inside !== null) {
    const end = closing(text, inside, text.slice(from, inside));
    return end > inside ? { range: [inside, end], isQuoted: true, isNear } : null;
  }
  const end = valueEnd(text, from, sign, isEncoded, sign === '=' && isNear, LOOKED_AT);
  return end > from ? { range: [from, end], isQuoted: false, isNear } : null;
}

/** Where a value without quotes ends, or after `most` units. `isParameter`: it stands right behind a `=`. */
function valueEnd(
  text: string,
  from: number,
  sign: string,
  isEncoded: boolean,
  isParameter: boolean,
  most: number,
): number {
  for (let end = from; end < text.length; ) {
    const raw = text.charAt(end);
    const character = isEncoded && raw === '%' ? unit(text, end).character : raw;
    if (/[&;"'<>\p{White_Space}]/u.test(character)) return end;
    if (sign === '=' && character === '#') return end;
    if (!isParameter && /[,}\])]/.test(character)) return end;
    const width = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    if (end + width - from > most) return end;
    end += width;
  }
  return text.length;
}

/** The end of the quote that begins at `from`, with the backslashes before it. */
function quoteEnd(text: string, from: number): number | null {
  for (let at = from; at < text.length; ) {
    const { character, length } = unit(text, at);
    at += length;
    if (character === '\\') continue;
    return character === '"' || character === "'" || character === '`' ? at : null;
  }
  return null;
}

/** Where a quoted value ends: at the same quote, not at one behind a backslash; else the text was cut. */
function closing(text: string, from: number, mark: string): number {
  if (mark.length > 1) {
    const end = text.indexOf(mark, from);
    return end < 0 ? text.length : end;
  }
  for (let at = from; at < text.length; at++) {
    if (text[at] === mark) return at;
    if (text[at] === '\\' && at + 1 < text.length && text.charCodeAt(at + 1) < 128) at++;
  }
  return text.length;
}

const ENCODED = /%(?:25)?([0-7][0-9A-Fa-f])/y;

/** The character at `at`, also when it is percent-encoded once or twice, and its length. */
function unit(text: string, at: number): { character: string; length: number } {
  const raw = text.charAt(at);
  if (raw === '%') {
    ENCODED.lastIndex = at;
    const match = ENCODED.exec(text);
    if (match?.[1]) {
      return { character: String.fromCharCode(Number.parseInt(match[1], 16)), length: match[0].length };
    }
  }
  return { character: raw, length: 1 };
}
