/** Secrets that are known by themselves or by what stands before them. */
import { HOOKS, LINKS, PREFIXES } from '../../generated/redactionLists';
import { authorities } from './hosts';
import { normalised } from './names';
import { afterEscape, BASE64, DOT, isOf, matchEnd, type Range, runEnd, SLASH, TOKEN } from './range';
import { isBearer, isDense, isKey, isMixed, isRandom, isToken, isUuid } from './shape';

/** Shortest base64 of JSON. */
const MIN_JSON = 20;
/** Shortest key with its prefix. */
const MIN_KEY = 15;
/** Most dots and slashes within a key. */
const MAX_KEY_PARTS = 16;
/** Longest number of a token's owner. */
const MAX_OWNER = 20;
/** Shortest base64 with slashes in it, so that no path is taken for it. */
const MIN_BASE64 = 30;

const KEY_BODY = /[A-Za-z0-9+/=\\ \t\n\r\f]/;

/** Private keys whole, from header to footer; one whose end or beginning is missing as far as it goes. */
export function privateKeys(text: string): Range[] {
  const found: Range[] = [];
  let open: number | null = null;
  // Up to where nothing is left to be looked for.
  let done = 0;
  for (let at = text.indexOf('-----'); at >= 0; ) {
    const start = at;
    const isEnd = text.startsWith('-----END ', start);
    if (!isEnd && !text.startsWith('-----BEGIN ', start)) {
      at = text.indexOf('-----', start + 1);
      continue;
    }
    const label = start + (isEnd ? 9 : 11);
    const close = matchEnd(text, label, /[A-Z0-9 ]*/y);
    if (!text.slice(label, close).includes('PRIVATE KEY')) {
      at = text.indexOf('-----', close);
      continue;
    }
    const end = Math.min(matchEnd(text, close, /-*/y), close + 5);
    at = text.indexOf('-----', end);
    if (!isEnd) {
      const cut = open === null ? -1 : cutKey(text.slice(done, start));
      if (open !== null && cut >= 0) found.push([open, done + cut]);
      if (open === null || cut >= 0) open = start;
      done = start;
      continue;
    }
    let first: number = open ?? start;
    if (open === null) while (first > done && KEY_BODY.test(text.charAt(first - 1))) first--;
    open = null;
    found.push([first, end]);
    done = end;
  }
  if (open !== null) {
    const cut = cutKey(text.slice(done));
    found.push([open, cut < 0 ? text.length : done + cut]);
  }
  return found;
}

/** Lines that say that a private key begins, without the dashes or without a key: harmless, and so is that they go. */
export function keyHeaders(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: line, index } of text.matchAll(/(?:BEGIN |PuTTY-User-Key-File)[A-Z0-9 -]*/g)) {
    const label = line.trimEnd();
    if (label[0] === 'P' || label.includes('PRIVATE KEY')) found.push([index, index + label.length]);
  }
  return found;
}

/** Where what cannot be in a private key without its footer begins; negative when there is no such place. */
function cutKey(rest: string): number {
  return rest.search(/["'`<}]/);
}

/** What stands behind `Bearer`, and behind `Basic` when it is a name and a password or looks random. */
export function schemes(text: string): Range[] {
  const found: Range[] = [];
  for (const match of text.matchAll(/(?<![A-Za-z0-9])(bearer|ntlm|basic) /gi)) {
    const start = match.index + match[0].length;
    const end = runEnd(text, start, TOKEN | DOT | BASE64 | SLASH);
    const value = text.slice(start, end);
    const isBasic = match[1]?.length === 5;
    if (isBasic ? isNameAndPassword(value) || isRandom(value) : isBearer(value)) found.push([start, end]);
  }
  return found;
}

/** base64 of readable text with a colon in it. */
function isNameAndPassword(value: string): boolean {
  const body = value.split('=', 1)[0] ?? '';
  if (value.length < 4 || !/^[A-Za-z0-9+/]*$/.test(body)) return false;
  // What is left of a last, incomplete group of four says nothing that the core would look at.
  const whole = body.length % 4 === 1 ? body.slice(0, -1) : body;
  const said = atob(whole);
  return said.includes(':') && [...said].every((character) => character >= ' ' && character !== '\u007f');
}

/** The paths of addresses that are secrets themselves. */
export function hooks(text: string): Range[] {
  const found: Range[] = [];
  let done = 0;
  for (let slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', Math.max(done, slash + 1))) {
    for (const mark of HOOKS) {
      const from = slash - mark.lastIndexOf('/');
      if (from < 0 || !text.startsWith(mark, from)) continue;
      const start = from + mark.length;
      const end = matchEnd(text, start, /[!#-&(*-;=?-Z\\\]^_a-~]*/y);
      if (end - start >= 8) {
        found.push([start, end]);
        done = end;
      }
      break;
    }
  }
  return found;
}

const SEGMENT = /[A-Za-z0-9_\-.=:%~]*/y;

/** In paths, what looks random behind a word like `reset`: who has such a link is let in. */
export function links(text: string): Range[] {
  const found: Range[] = [];
  const hosts = authorities(text);
  let host = 0;
  let isLink = false;
  for (let at = 0; at < text.length; ) {
    const end = matchEnd(text, at, SEGMENT);
    while ((hosts[host]?.[1] ?? Number.POSITIVE_INFINITY) < at) host++;
    const current = hosts[host];
    const inHost = current !== undefined && current[0] <= at && at < current[1];
    if (!inHost && end > at && text[at - 1] === '/') {
      const segment = text.slice(at, end);
      if (isLink && (isMixed(segment) || isUuid(segment))) found.push([at, end]);
      const name = normalised(segment);
      isLink ||= LINKS.some((word) => name.includes(word));
    }
    // A path ends where something else than a slash follows.
    isLink &&= text[end] === '/';
    at = end + 1;
  }
  return found;
}

/** JSON web tokens, signed or not, encrypted ones too, and other base64 that begins as JSON does. */
export function jsonWebTokens(text: string): Range[] {
  const found: Range[] = [];
  for (let start = text.indexOf('eyJ'); start >= 0; ) {
    const run = runEnd(text, start, TOKEN | DOT | BASE64 | SLASH);
    let end = run;
    while (text[end - 1] === '.') end--;
    if (end - start >= MIN_JSON) found.push([start, end]);
    start = text.indexOf('eyJ', run);
  }
  return found;
}

/** By their first two characters: nearly every word is passed over at once. */
const PREFIXES_BY_START = new Map<string, string[]>();
for (const prefix of PREFIXES) {
  const start = prefix.slice(0, 2);
  PREFIXES_BY_START.set(start, [...(PREFIXES_BY_START.get(start) ?? []), prefix]);
}

/** Keys by the prefixes that services give them. */
export function keys(text: string): Range[] {
  const found: Range[] = [];
  for (let start = 0; start < text.length; ) {
    if (!isOf(text, start, TOKEN)) {
      start++;
      continue;
    }
    start = afterEscape(text, start);
    const end = runEnd(text, start, TOKEN);
    const prefixes = PREFIXES_BY_START.get(text.slice(start, start + 2));
    const prefix = prefixes?.find((each) => text.startsWith(each, start));
    const last = prefix === undefined ? end : keyEnd(text, end);
    const isIts =
      prefix !== undefined && last - start >= MIN_KEY && isKey(text.slice(start + prefix.length, last));
    if (isIts) found.push([start, last]);
    start = isIts ? last : end;
  }
  return found;
}

/** Few services put other signs between the parts; those of a host or a sentence part words. */
function keyEnd(text: string, end: number): number {
  let last = end;
  for (let parts = 0; parts < MAX_KEY_PARTS; parts++) {
    if (!/[./=+$%]/.test(text.charAt(last)) || !isOf(text, last + 1, TOKEN | SLASH | BASE64)) break;
    last = runEnd(text, last + 1, TOKEN);
  }
  return last;
}

/**
 * Where the number of a token's owner begins that stands before it, as in `123456789:token`; else the token's own
 * beginning.
 */
function owner(text: string, after: number, token: number): number {
  const sign = token - 1;
  if (!/[:|!]/.test(text.charAt(sign))) return token;
  const number = /[A-Za-z0-9]*$/.exec(text.slice(Math.max(after, sign - MAX_OWNER, 0), sign))?.[0] ?? '';
  return number.length >= 8 && /[0-9]/.test(number) ? sign - number.length : token;
}

/** Long runs that look random, wherever they stand. */
export function longTokens(text: string): Range[] {
  const found: Range[] = [];
  const hosts = authorities(text);
  let host = 0;
  for (const { index, 0: run } of text.matchAll(/[A-Za-z0-9_\-+~/]{24,}/g)) {
    while ((hosts[host]?.[1] ?? Number.POSITIVE_INFINITY) <= index) host++;
    const current = hosts[host];
    // A path goes on with no name of a machine.
    const length = current !== undefined && current[0] <= index ? current[1] - index : run.length;
    longTokensOf(text, index, run.slice(0, length), found);
    if (length < run.length) longTokensOf(text, index + length, run.slice(length), found);
  }
  return found;
}

function longTokensOf(text: string, from: number, whole: string, found: Range[]): void {
  const index = Math.min(afterEscape(text, from), from + whole.length);
  const run = whole.slice(index - from);
  const parts = run.split('/');
  if (run.length >= MIN_BASE64 && run[0] !== '/' && isToken(run) && parts.every(isDense)) {
    const end = index + run.length;
    const start = owner(text, found.at(-1)?.[1] ?? 0, index);
    found.push([start, Math.min(matchEnd(text, end, /=*/y), end + 2)]);
    return;
  }
  let at = index;
  for (const part of parts) {
    if (isToken(part)) found.push([owner(text, found.at(-1)?.[1] ?? 0, at), at + part.length]);
    at += part.length + 1;
  }
}
