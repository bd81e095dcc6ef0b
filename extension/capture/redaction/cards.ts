/** Numbers that are secrets: of payment cards by their check digit, and codes by what is said of them. */
import { CODE_ENDS } from '../../generated/redactionLists';
import { normalised } from './names';
import type { Range } from './range';

/** How far from a code its name is looked for, in characters. */
const SAID_WITHIN = 40;
/** The names of the codes of cards are too short to be looked for in a sentence. */
const CODE_NAMES = CODE_ENDS.filter((name) => name.length > 3);

export function cards(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: sequence, index } of text.matchAll(/\d+(?:[ -]\d+)*/g)) {
    if (sequence.length < 13) continue;
    const left = /[A-Za-z0-9_.%]/.test(text.charAt(index - 1));
    const right = /[A-Za-z0-9_]/.test(text.charAt(index + sequence.length));
    for (const [start, end] of cardsWithin(sequence, left, right)) found.push([index + start, index + end]);
  }
  return found;
}

function cardsWithin(sequence: string, touchedLeft: boolean, touchedRight: boolean): Range[] {
  const groups = [...sequence.matchAll(/\d+/g)].map((match) => ({ digits: match[0], at: match.index }));
  const last = groups.length - (touchedRight ? 2 : 1);
  const found: Range[] = [];
  for (let start = touchedLeft ? 1 : 0; start <= last; start++) {
    const end = cardEnd(groups, start, last);
    const first = groups[start];
    const final = end === null ? undefined : groups[end];
    if (end === null || !first || !final) continue;
    found.push([first.at, final.at + final.digits.length]);
    start = end;
  }
  return found;
}

/** The last group of the longest card number that begins with group `start`. */
function cardEnd(groups: readonly { digits: string }[], start: number, last: number): number | null {
  let number = '';
  let found: number | null = null;
  for (let end = start; end <= last; end++) {
    number += groups[end]?.digits ?? '';
    if (number.length > 19) break;
    if (number.length >= 13 && /^[2-6]/.test(number) && passesLuhn(number)) found = end;
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

/** `Your verification code is 482913`, `482913 is your login code`: the digits. */
export function codes(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: digits, index } of text.matchAll(/(?<![A-Za-z0-9_.%-])\d{4,8}(?![A-Za-z0-9_])/g)) {
    if (isToldOf(text, index, index + digits.length)) found.push([index, index + digits.length]);
  }
  return found;
}

function isToldOf(text: string, start: number, end: number): boolean {
  const says = (window: string[]) => {
    const said = normalised(window.join(''));
    return CODE_NAMES.some((name) => said.includes(name));
  };
  // By characters, as the core counts.
  const before = [...text.slice(Math.max(0, start - 2 * SAID_WITHIN), start)].slice(-SAID_WITHIN);
  const after = [...text.slice(end, end + 2 * SAID_WITHIN)].slice(0, SAID_WITHIN);
  return says(before) || (text.startsWith(' is your ', end) && says(after));
}
