/** Numbers that are secrets: of payment cards by their check digit, codes and those of persons by what is said of them. */
import { CODE_ENDS, SAID_OF_CODES, SAID_OF_PERSONS, SHORT_CODES } from '../../generated/redactionLists';
import { normalised } from './names';
import { DIGIT, isOf, LETTER, type Range, runEnd } from './range';

/** How far from a number what is said of it is looked for, in characters. */
const SAID_WITHIN = 40;
/** At least the longest of the words before a short code. */
const LONGEST_WORD = 8;
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
    } else if (at === 0 && isInGroups(groups) && isCode(text, whole)) {
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
function isCode(text: string, [start, end]: Range): boolean {
  if (touches(text, [start, end])) return false;
  if (isSaid(CODE_NAMES, text, start)) return true;
  if (!text.startsWith(' is your ', end)) return false;
  return says(CODE_NAMES, [...text.slice(end, end + 2 * SAID_WITHIN)].slice(0, SAID_WITHIN));
}

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
  const digits = lengthOf(group);
  if (digits < 3 || digits > 8 || end === group[0] || touches(text, group)) return false;
  let start = end;
  while (end - start <= LONGEST_WORD && (isWord(text, start - 1) || text[start - 1] === '-')) start--;
  return SHORT_CODES.includes(text.slice(start, end).toLowerCase());
}

/** Whether one of the words stands a little before `at`. Counted in characters, as the core does. */
function isSaid(names: readonly string[], text: string, at: number): boolean {
  return says(names, [...text.slice(Math.max(0, at - 2 * SAID_WITHIN), at)].slice(-SAID_WITHIN));
}

function says(names: readonly string[], characters: readonly string[]): boolean {
  const said = normalised(characters.join(''));
  return names.some((name) => said.includes(name));
}
