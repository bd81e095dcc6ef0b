/**
 * What a value looks like: whether it was made by a machine to be hard to guess, or by a person to be read.
 * The same as the core's `redaction/shape.rs`; so is everything in this folder with the file of its name.
 */

interface Shape {
  upper: number;
  lower: number;
  digits: number;
  /** Neighbours of different classes: upper, lower, digit. */
  changes: number;
  /** Neighbours of which one is a letter and one a digit. */
  flips: number;
}

function classOf(code: number): 0 | 1 | 2 | 3 {
  if (code >= 48 && code <= 57) return 3;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 1 : 0;
}

function shapeOf(run: string): Shape {
  const shape = { upper: 0, lower: 0, digits: 0, changes: 0, flips: 0 };
  let before = 0;
  for (let at = 0; at < run.length; at++) {
    const now = classOf(run.charCodeAt(at));
    if (now === 1) shape.lower++;
    else if (now === 2) shape.upper++;
    else if (now === 3) shape.digits++;
    if (now !== 0 && before !== 0 && now !== before) {
      shape.changes++;
      if (now === 3 || before === 3) shape.flips++;
    }
    before = now;
  }
  return shape;
}

const MIN_TOKEN = 24;
const MIN_LONG_TOKEN = 32;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BLANK = /\p{White_Space}/u;
const NOT_ALPHANUMERIC = /[^A-Za-z0-9]+/;

export function hasBlank(value: string): boolean {
  return BLANK.test(value);
}

export function isUuid(run: string): boolean {
  return UUID.test(run);
}

/** A run of letters, digits and `_-+` that switches between classes all the time, as words and names do not. */
export function isToken(run: string): boolean {
  if (run.length < MIN_TOKEN) return false;
  const { upper, lower, digits, changes, flips } = shapeOf(run);
  const isLong = run.length >= MIN_LONG_TOKEN;
  const dense = changes * 3 >= run.length;
  // Letters and digits alone, digits among the letters: hexadecimal, base32.
  const solid = upper + lower + digits === run.length && flips >= 3;
  return (
    (isLong && digits >= 4 && changes >= 6 && !isUuid(run)) ||
    (isLong && solid) ||
    (isLong && dense && Math.min(upper, lower) >= 4) ||
    (dense && Math.min(upper, lower) >= 2 && digits >= 1)
  );
}

/** Whether a part between slashes can belong to base64: words of a path cannot. */
export function isDense(part: string): boolean {
  const { upper, lower, digits, changes } = shapeOf(part);
  return part.length < 4 || changes * 3 + 1 >= upper + lower + digits;
}

/** Letters with digits among them, or of both cases in turns: what stands under a name that may mean a secret. */
export function isMixed(value: string): boolean {
  if (hasBlank(value)) return false;
  return value.split(NOT_ALPHANUMERIC).some((part) => {
    if (part.length < 6) return false;
    const { changes, flips } = shapeOf(part);
    return flips >= 2 || (part.length >= 10 && changes >= 5);
  });
}

const SIGN = /[A-Za-z0-9][!#$%^*+~@][A-Za-z0-9]/;

/**
 * Letters and digits, or signs among letters: what stands under a name that means a password, where words may stand
 * too.
 */
export function isPassword(value: string): boolean {
  const { upper, lower, digits } = shapeOf(value);
  return value.length >= 6 && (digits > 0 || SIGN.test(value)) && upper + lower > 0 && !hasBlank(value);
}

/** Small letters alone, and many: a pass phrase in one word. */
export function isWord(value: string): boolean {
  return /^[a-z]{8,}$/.test(value);
}

/** A short code: digits, or capital letters with digits. */
export function isCode(value: string): boolean {
  if (!/^[A-Za-z0-9-]{3,12}$/.test(value)) return false;
  const { digits, lower } = shapeOf(value);
  return digits >= 2 && lower === 0;
}

/**
 * What stands behind a known prefix: a part of it has 8 or more letters with digits, 10 digits, or 10 letters of both
 * cases in turns, so that no name is taken.
 */
export function isKey(tail: string): boolean {
  if (tail.length < 12) return false;
  return tail.split(NOT_ALPHANUMERIC).some((part) => {
    const { digits, upper, lower, changes } = shapeOf(part);
    return (
      (part.length >= 8 && digits > 0 && (upper + lower > 0 || part.length >= 10)) ||
      (part.length >= 10 && changes * 7 >= part.length * 2)
    );
  });
}

/** What stands behind `Bearer`. */
export function isBearer(value: string): boolean {
  const { digits, changes } = shapeOf(value);
  return value.length >= 8 && (digits > 0 || changes >= 4);
}

/** What stands behind `Basic` and is no word with a number. */
export function isRandom(value: string): boolean {
  const { digits, changes } = shapeOf(value);
  if (digits >= 2) return value.length >= 8 && changes * 4 >= value.length;
  return value.length >= 10 && changes * 3 >= value.length;
}
