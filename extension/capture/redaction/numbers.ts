/**
 * Numbers that are secrets: of payment cards by their check digit, codes and those of persons by what is said of them.
 */
import {
  AFTER_CODES,
  BEFORE_CODES,
  CARD_CODES,
  CODE_ENDS,
  COUNTED,
  LONG_CODES,
  SAID_OF_CODES,
  SAID_OF_PERSONS,
  SHORT_CODES,
  VERBS,
} from '../../generated/redactionLists';
import { normalised } from './names';
import { DIGIT, isOf, LETTER, type Range, runEnd } from './range';

/** How far from a number what is said of it is looked for, in characters. */
const SAID_WITHIN = 40;
/** At least the longest of the words before a short code. */
const LONGEST_WORD = 8;
/** Fewest digits that years and counts seldom have. */
const LONG_CODE = 6;
const PLURAL = /^[a-z].{2,}s$/;
const YEAR = /^(?:19|20)[0-9]{2}$/;
const YEARS = /^(?:19|20)[0-9]{2}-(?:19|20)[0-9]{2}$/;
const CODE_NAMES = [...CODE_ENDS, ...SAID_OF_CODES];

/** Numbers of cards, of persons, and codes: one walk over the digits. */
export function numbers(text: string): Range[] {
  const found: Range[] = [];
  // What one blank or hyphen parts belongs together.
  for (const { 0: sequence, index } of text.matchAll(/\d+(?:[ -]\d+)*/g)) {
    if (sequence.length >= 3) numbersIn(text, index, index + sequence.length, found);
  }
  return found;
}

function numbersIn(text: string, start: number, end: number, found: Range[]): void {
  const groups: Range[] = [];
  for (let at = start; at < end; at = runEnd(text, at, DIGIT) + 1) groups.push([at, runEnd(text, at, DIGIT)]);
  const from = isWord(text, start - 1) || /[.%]/.test(text.charAt(start - 1)) ? 1 : 0;
  const to = groups.length - (isWord(text, end) ? 1 : 0);
  for (let at = 0; at < groups.length; at++) {
    const whole: Range = [start, end];
    const group = groups[at];
    if (!group) break;
    const length = at >= from && at < to ? card(text, groups, at, to) || person(text, groups, at, to) : 0;
    const last = groups[at + length - 1];
    if (length > 0 && last) {
      found.push([group[0], last[1]]);
      at += length - 1;
    } else if (at === 0 && isInGroups(groups) && (isCode(text, whole) || isShortCode(text, whole))) {
      found.push(whole);
      return;
    } else if ((isCodeLength(lengthOf(group)) && isCode(text, group)) || isShortCode(text, group)) {
      found.push(group);
    }
  }
}

function isWord(text: string, at: number): boolean {
  return isOf(text, at, LETTER | DIGIT) || text[at] === '_';
}

/** How many of the groups are the longest number of a card that begins with group `start`. */
function card(text: string, groups: readonly Range[], start: number, to: number): number {
  let number = '';
  let found = 0;
  for (let end = start; end < to; end++) {
    number += text.slice(...(groups[end] ?? [0, 0]));
    if (number.length > 19) break;
    if (number.length >= 13 && /^[2-6]/.test(number) && passesLuhn(number)) found = end + 1 - start;
  }
  return found;
}

function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let at = 0; at < number.length; at++) {
    const digit = number.charCodeAt(number.length - 1 - at) - 48;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** `078-05-1120` after words that say what it is: of the groups three. */
function person(text: string, groups: readonly Range[], start: number, to: number): number {
  const [first, last] = [groups[start], groups[start + 2]];
  if (to - start !== 3 || !first || !last) return 0;
  return /^\d{3}-\d{2}-\d{4}$/.test(text.slice(first[0], last[1])) && isSaid(SAID_OF_PERSONS, text, first[0])
    ? 3
    : 0;
}

/** `Your verification code is 482913`, `482913 is your login code`. */
function isCode(text: string, group: Range): boolean {
  if (touches(text, group)) return false;
  const [start, end] = group;
  const said = normalised(before(text, start));
  if (says(CODE_NAMES, said) && !isOther(text, group, said)) return true;
  if (!text.startsWith(' is your ', end)) return false;
  const after = [...text.slice(end, end + 2 * SAID_WITHIN)].slice(0, SAID_WITHIN);
  return says(CODE_NAMES, normalised(after.join('')));
}

/**
 * Whether a number behind the name of a code is a year or counts something: `your code to 1000 servers`. None is behind
 * a sign or a verb, or of 6 digits and no two years. Right behind the name it takes a word that is counted for sure.
 * `said`: what stands before it.
 */
function isOther(text: string, group: Range, said: string): boolean {
  const [start, end] = group;
  if (isTold(text, start)) return false;
  const number = text.slice(start, end);
  if (number.length >= LONG_CODE) return YEARS.test(number);
  const isNear = CODE_NAMES.some((name) => said.endsWith(name));
  const word = nextWord(text, end);
  if (isNear && !'.!?;'.includes(text.charAt(blanksFrom(text, start) - 1))) {
    if (!COUNTED.includes(word) || text.startsWith(' times out', end)) return false;
    return !CODE_ENDS.some((name) => BEFORE_CODES.some((other) => said.endsWith(other + name)));
  }
  const counts = word !== '' && isCounted(word);
  if (word === 'of' || (counts && PLURAL.test(word))) return true;
  return (counts || !isNear) && YEAR.test(number);
}

/** Where the blanks before `at` begin. */
function blanksFrom(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === ' ') start--;
  return start;
}

/** Whether a sign or a verb stands before `at`: `Code: 4829`, `code is 4829`. */
function isTold(text: string, at: number): boolean {
  const end = blanksFrom(text, at);
  return (
    ':#='.includes(text[end - 1] ?? ' ') ||
    VERBS.some((verb) => text.startsWith(` ${verb}`, end - verb.length - 1))
  );
}

/** The word behind one blank, as far as its letters are ASCII; empty: there is none. */
function nextWord(text: string, at: number): string {
  return text[at] === ' ' ? text.slice(at + 1, runEnd(text, at + 1, LETTER | DIGIT)) : '';
}

/** Whether a word behind a number is what there are so many of, and does not go on with what is said of a code. */
const isCounted = (word: string) => !AFTER_CODES.includes(word);

const lengthOf = ([start, end]: Range) => end - start;
const isCodeLength = (digits: number) => digits >= 4 && digits <= 8;

/** Whether it is a part of something longer. `G-482910` is none: a sender's letter stands before its code. */
function touches(text: string, [start, end]: Range): boolean {
  const isLettered =
    text[start - 1] === '-' &&
    /[A-Z]/.test(text.charAt(start - 2)) &&
    (start === 2 || text.charAt(start - 3) <= ' ');
  // A date, a number of a part.
  const goesOn = isWord(text, end) || (text[end] === '-' && isOf(text, end + 1, DIGIT));
  return goesOn || (!isLettered && (isWord(text, start - 1) || /[-.%]/.test(text.charAt(start - 1))));
}

/** `482 910`: of one length, as dates and telephone numbers are not. */
function isInGroups(groups: readonly Range[]): boolean {
  const [first] = groups;
  if (!first || groups.length < 2 || lengthOf(first) < 2) return false;
  return (
    isCodeLength(groups.length * lengthOf(first)) &&
    groups.every((group) => lengthOf(group) === lengthOf(first))
  );
}

/** `OTP 482910`, `CVV: 123`: the word right before it. */
function isShortCode(text: string, group: Range): boolean {
  let end = group[0];
  while (end > 0 && ' :#'.includes(text.charAt(end - 1))) end--;
  if (end === group[0] || touches(text, group)) return false;
  const word = lastWord(text, end);
  const name = word.toLowerCase();
  const number = text.slice(...group);
  const digits = number.replace(/[ -]/g, '').length;
  const told = isTold(text, group[0]);
  // A verb is not written in capitals: `pin 1234 Main Street`.
  const mayBeVerb = !told && name === 'pin' && word !== 'PIN' && !isAnyones(text, end - word.length);
  if (digits < number.length && digits !== LONG_CODE) {
    // Other groups are years, or numbers of their own: `MFA 2019-2021`, `pin 10 11 12 13`.
    if (digits !== 8 || YEARS.test(number)) return false;
    if (!told && (!SHORT_CODES.includes(name) || (mayBeVerb && number.length > digits + 1))) return false;
  }
  // `CSC 101` is a course.
  if (CARD_CODES.includes(name)) return (digits === 3 || digits === 4) && (told || name !== 'csc');
  if (!isCodeLength(digits)) return false;
  if (LONG_CODES.includes(name)) return told || digits >= LONG_CODE;
  if (!SHORT_CODES.includes(name)) return false;
  const next = mayBeVerb ? nextWord(text, group[1]) : '';
  return next === '' || !isCounted(next);
}

/** Whether what stands before `at` says that somebody has or types what is named there: `Your pin 4829`. */
function isAnyones(text: string, at: number): boolean {
  return BEFORE_CODES.includes(lastWord(text, blanksFrom(text, at)).toLowerCase());
}

/** The word that ends at `end`, or as much of it as is more than the longest. */
function lastWord(text: string, end: number): string {
  let start = end;
  while (end - start <= LONGEST_WORD && (isWord(text, start - 1) || text[start - 1] === '-')) start--;
  return text.slice(start, end);
}

/** Whether one of the words stands a little before `at`. */
function isSaid(names: readonly string[], text: string, at: number): boolean {
  return says(names, normalised(before(text, at)));
}

/** As much of what stands before a number as is looked at. Counted in characters, as the core does. */
function before(text: string, at: number): string {
  return [...text.slice(Math.max(0, at - 2 * SAID_WITHIN), at)].slice(-SAID_WITHIN).join('');
}

function says(names: readonly string[], said: string): boolean {
  return names.some((name) => said.includes(name));
}
