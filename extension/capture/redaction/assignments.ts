/** Values of secret names: parameters of addresses, cookies, JSON, settings, options of commands. */
import { VERBS } from '../../generated/redactionLists';
import {
  AS_VALUE,
  CODE,
  IN_LINE,
  IN_SENTENCE,
  isSecret,
  isSecretParameter,
  letter,
  MAYBE,
  mayEndInName,
  NOTHING,
  SECRET,
  says,
} from './names';
import type { Range } from './range';

/** Most blanks between a name, its sign and its value. */
const MAX_BLANKS = 4;
/** How much of a value is looked at where its name is not sure to mean it, in UTF-16 units. */
const LOOKED_AT = 256;
/** Most backslashes before a quote: JSON four times in itself has as many. */
const MAX_DEPTH = 7;
const QUOTES = '"\'`';

/** The names read so far. */
class Names {
  /** The last one, normalised. */
  name = '';
  /** The word before it, when one blank parts them: `API key`. */
  before = '';
  /** Something has stood between the last one and here. */
  ended = false;
  blanks = 0;
  /** It began with a hyphen. */
  isOption = false;

  clear(): void {
    this.name = '';
    this.before = '';
    this.ended = false;
    this.blanks = 0;
    this.isOption = false;
  }

  push(code: number): void {
    // `headers["api-key"]`
    if (this.ended && code === CLOSING) return;
    if (this.ended) {
      const { name, blanks } = this;
      this.clear();
      if (blanks === 1) this.before = name;
    }
    if (this.name === '' && code === HYPHEN) this.isOption = true;
    this.name += letter(code);
  }

  part(blanks: number): void {
    this.blanks += blanks;
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

/** What a character means for the names; any other ends them. */
const SIGN = 1;
const BLANK = 2;
const COMMA = 3;
const QUOTE = 4;
const JOIN = 5;
const LETTER = 6;
const MEANING = new Uint8Array(128);
for (const [meaning, characters] of [
  [SIGN, '=:'],
  [BLANK, ' \t\\'],
  [COMMA, ','],
  [QUOTE, '"\'`'],
  [JOIN, '_.-[]%'],
  [LETTER, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'],
] as const) {
  for (const character of characters) MEANING[character.charCodeAt(0)] = meaning;
}

/** The values that are secrets by their names. */
export function assignments(text: string): Range[] {
  const found: Range[] = [];
  const names = new Names();
  for (let at = 0; at < text.length; ) {
    let code = text.charCodeAt(at);
    let after = at + 1;
    if (code === PERCENT) {
      const { character, length } = unit(text, at);
      code = character.charCodeAt(0);
      after = at + length;
    }
    const verb =
      code === SPACE && after === at + 1 && names.name !== '' && !names.ended ? verbEnd(text, after) : null;
    const said = verb === null ? null : secretValue(text, verb, VERB, false, names);
    if (said) {
      found.push(said);
      names.clear();
      at = said[1];
      continue;
    }
    const meaning = MEANING[code] ?? (letter(code) ? LETTER : 0);
    if (names.name !== '' && isSign(code, meaning, names)) {
      const range = secretValue(text, after, String.fromCharCode(code), after - at > 1, names);
      if (range) found.push(range);
      names.clear();
      at = range ? range[1] : after;
      continue;
    }
    if (meaning === LETTER || meaning === JOIN) names.push(code);
    else if (meaning === BLANK) names.part(1);
    // Quotes part as two blanks do.
    else if (meaning === QUOTE) names.part(2);
    else names.clear();
    at = after;
  }
  return found;
}

/** Stands for the sign where a verb is one. */
const VERB = 'i';

/** Where the verb ends that begins at `from` and has something behind it. */
function verbEnd(text: string, from: number): number | null {
  const verb = VERBS.find(
    (word) => text.startsWith(word, from) && /[ :]/.test(text.charAt(from + word.length)),
  );
  if (verb === undefined) return null;
  const end = from + verb.length;
  // French parts the colon.
  if (text.startsWith(' :', end)) return end + 2;
  return text[end] === ':' ? end + 1 : end;
}

const SAID = new RegExp(` (?:${VERBS.join('|')})[ :]`, 'g');
/** As much before a verb as its name may have, UTF-16 units. */
const LONGEST_NAME = 64;

/** Whether a verb may stand behind a secret's name: nearly every text has such verbs, and few have such names. */
export function isSaid(text: string): boolean {
  for (const { index } of text.matchAll(SAID)) {
    if (mayEndInName(text.slice(Math.max(0, index - LONGEST_NAME), index))) return true;
  }
  return false;
}

const PERCENT = 37;
const BACKSLASH = 92;
const CLOSING = 93;
const HYPHEN = 45;
const SPACE = 32;

function isSign(code: number, meaning: number, names: Names): boolean {
  if (meaning === SIGN) return true;
  // `--password secret`, `"--password", "secret"`
  return names.isOption && (names.ended ? meaning === COMMA : code === SPACE);
}

/** What names say, remembered: in a text they come again and again. */
const REMEMBERED = 512;
const remembered = new Map<string, { said: number; isParameter: boolean }>();

function meaningOf(name: string): { said: number; isParameter: boolean } {
  let meaning = remembered.get(name);
  if (!meaning) {
    meaning = { said: says(name), isParameter: isSecretParameter(name) };
    if (remembered.size >= REMEMBERED) remembered.clear();
    if (name.length <= 64) remembered.set(name, meaning);
  }
  return meaning;
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
  const meaning = meaningOf(names.name);
  const always = sign === '=' && !names.ended && meaning.isParameter;
  let { said } = meaning;
  if ((sign === ':' || sign === VERB) && said < SECRET && names.before !== '') {
    said = Math.max(said, meaningOf(names.before + names.name).said);
  }
  // `The token is base64-encoded.`
  if (sign === VERB && said === SECRET) said = MAYBE;
  if (!always && said === NOTHING) return null;
  const value = findValue(text, from, sign, isEncoded);
  if (!value) return null;
  const [start, end] = value.range;
  // `code is 482 910`: the step of the numbers knows the whole of it.
  if (sign === VERB && said === CODE && /^ [0-9]/.test(text.slice(end, end + 2))) return null;
  const place =
    value.isQuoted && sign !== ',' ? AS_VALUE : isLineEnd(text, sign, value) ? IN_LINE : IN_SENTENCE;
  const isIt =
    (always && value.isNear && !value.isQuoted) || isSecret(said, text.slice(...value.range), place);
  if (!isIt || value.isQuoted) return isIt ? value.range : null;
  return [start, valueEnd(text, start, isEncoded, sign === '=' && value.isNear, Number.POSITIVE_INFINITY)];
}

/** Whether nothing follows in the line. */
function isLineEnd(text: string, sign: string, value: Value): boolean {
  if (sign !== ':') return false;
  let at = value.range[1];
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++;
  return at === text.length || text[at] === '\n';
}

function findValue(text: string, signEnd: number, sign: string, isEncoded: boolean): Value | null {
  let from = signEnd;
  // `=>` and `:=`
  if ((sign === '=' && text[from] === '>') || (sign === ':' && text[from] === '=')) from++;
  for (let blanks = 0; blanks < MAX_BLANKS && (text[from] === ' ' || text[from] === '\t'); blanks++) from++;
  const isNear = from === signEnd;
  const mark = markAt(text, from);
  if (mark) {
    const end = closing(text, mark);
    return end > mark.end ? { range: [mark.end, end], isQuoted: true, isNear } : null;
  }
  const end = valueEnd(text, from, isEncoded, sign === '=' && isNear, LOOKED_AT);
  return end > from ? { range: [from, end], isQuoted: false, isNear } : null;
}

const END = /[&;"'<>\p{White_Space}]/u;

/** Where a value without quotes ends, or after `most` units. `isParameter`: it stands right behind a `=`. */
function valueEnd(
  text: string,
  from: number,
  isEncoded: boolean,
  isParameter: boolean,
  most: number,
): number {
  for (let end = from; end < text.length; ) {
    const raw = text.charAt(end);
    const character = isEncoded && raw === '%' ? unit(text, end).character : raw;
    if (END.test(character)) return end;
    if (isParameter && character === '#') return end;
    if (!isParameter && /[,}\])]/.test(character)) return end;
    const width = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    if (end + width - from > most) return end;
    end += width;
  }
  return text.length;
}

/** A quote, with the backslashes before it: `\\"` in JSON that stands in JSON. */
interface Mark {
  end: number;
  quote: string;
  /** Length of the quote alone: 1, or 3 and 5 when it is percent-encoded once or twice. */
  width: number;
  /** Number of backslashes before it. One that is encoded more often than the quote says nothing of it. */
  depth: number;
}

/** The mark that begins at `from`. */
function markAt(text: string, from: number): Mark | null {
  // By how often what follows may be encoded.
  const depths = [0, 0, 0];
  for (let at = from; at < text.length; ) {
    const { character, length } = unit(text, at);
    at += length;
    if (character === '\\') {
      for (let encoded = 0; encoded < depths.length; encoded++) {
        depths[encoded] = length > 2 * encoded + 1 ? 0 : (depths[encoded] ?? 0) + 1;
      }
      continue;
    }
    if (!QUOTES.includes(character)) return null;
    const depth = depths[(length - 1) / 2] ?? 0;
    return depth <= MAX_DEPTH ? { end: at, quote: character, width: length, depth } : null;
  }
  return null;
}

/**
 * Where a quoted value ends: at the same mark, not at one behind more backslashes; else the text was cut, or the line
 * ends it.
 *
 * Two marks are the same by three small numbers. So there are few kinds of them, those of one kind are looked for in
 * stretches that do not overlap, and all of them together take time in proportion to the text's length.
 */
function closing(text: string, mark: Mark): number {
  const quote = mark.quote.charCodeAt(0);
  let run = 0;
  let runStart = mark.end;
  for (let at = mark.end; at < text.length; ) {
    let code = text.charCodeAt(at);
    let length = 1;
    if (code === PERCENT) {
      const found = unit(text, at);
      code = found.character.charCodeAt(0);
      length = found.length;
    }
    if (code === BACKSLASH && length <= mark.width) {
      if (run === 0) runStart = at;
      run++;
    } else {
      // Two backslashes are one of the value, and one more is the quote's: at every depth of JSON in JSON.
      if (code === quote && length === mark.width && run % (2 * (mark.depth + 1)) === mark.depth) {
        let end = run === 0 ? at : runStart;
        for (let left = run - mark.depth; left > 0; left--) end += unit(text, end).length;
        return end;
      }
      run = 0;
    }
    at += length;
  }
  const end = text.indexOf('\n', mark.end);
  return end < 0 ? text.length : end;
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
