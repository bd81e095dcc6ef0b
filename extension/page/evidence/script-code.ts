/**
 * The code of an inline script without its data. Servers write data into scripts: nonces, tokens, whole states as JSON.
 * So every string, number and text of a template literal becomes `#`, and so does an object or a list of nothing but
 * such. What merely hands data over (`window.__STATE__ = {…}`, `track('view', 5)`) is left out, as are comments and
 * spaces. Names keep their words, not their numbers (`map_42`). No parser: what it takes wrongly it takes wrongly each
 * time. Pure.
 */

import { withoutMadeUp } from './made-up-names';
import { statementsOf } from './script-statements';

/** Characters that are taken at one time: about a millisecond. */
const PART = 16 * 1024;
const DATA = '#';

const SPACE = /\s+/y;
const NAME = /[\p{ID_Start}$_#@\\][\p{ID_Continue}$\\]*/uy;
const NUMBER = /(?:\d|\.\d)(?:[eE][+-]\d|[\w.])*/y;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/[\\\n]){1,500}\/[a-z]*/y;
/** After these an expression begins. */
const KEYWORD =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|instanceof|yield|await|default|import|from|export|as|extends)$/;
/** After these and keywords a slash begins a regular expression: after a block too, for who divides an object? */
const BEFORE_REGEX = /^[^\w$#)\]]$/;
/** Before brackets behind which a statement begins. */
const CONDITION = /^(?:if|while|for|with)$/;
const CONSTANT = /^(?:true|false|null|undefined|NaN|Infinity)$/;
/** What data is made of that JSON does not know. */
const MADE = /^(?:Date|Map|Set|URL)$/;
const OF_DATA = /^[,:+-]$/;
/** Before a sign that belongs to a number. */
const BEFORE_SIGN = /^(?:[^\w$#)\]}]|return|)$/;
interface Frame {
  /** What closes it. */
  end: string;
  /** Where it begins in what was taken. */
  start: number;
  /** Whether there is nothing but data in it so far. */
  isData: boolean;
}

/** Yields after each part, and returns the code; empty where there is nothing but data. */
export function* codeOf(text: string): Generator<void, string> {
  const taken: string[] = [];
  const frames: Frame[] = [];
  const ends = new StringEnds(text);
  let part = PART;
  let at = 0;
  /** A name that is data only as the key of an object. */
  let openName = false;
  /** How many tokens there were behind the last condition. */
  let condition = -1;

  const taint = () => {
    const frame = frames.at(-1);
    if (frame) frame.isData = false;
  };
  const push = (token: string) => {
    if (openName && token !== ':') taint();
    openName = false;
    taken.push(token);
  };
  const data = () => {
    const sign = taken.at(-1) ?? '';
    if (sign === 'void' || (/^[-+]$/.test(sign) && BEFORE_SIGN.test(taken.at(-2) ?? ''))) taken.pop();
    push(DATA);
  };
  const open = (end: string) => {
    push(end === '}`' ? '${' : end === '}' ? '{' : end === ']' ? '[' : '(');
    frames.push({ end, start: taken.length - 1, isData: end !== '}`' });
  };
  /** Ends what is open. True for the end of an expression in a template literal. */
  const close = (sign: string): boolean => {
    if (openName) taint();
    openName = false;
    const frame = frames.pop();
    if (!frame) {
      taken.push(sign);
      return false;
    }
    const made = frame.end === ')' ? madeBefore(taken, frame.start) : 0;
    if (frame.isData && (frame.end !== ')' || made > 0)) {
      taken.length = frame.start - made;
      taken.push(DATA);
    } else {
      taken.push(sign);
      taint();
      if (frame.end === ')' && CONDITION.test(taken[frame.start - 1] ?? '')) condition = taken.length;
    }
    return frame.end === '}`';
  };
  /** The text of a template literal from here on: to its end, or to an expression in it. */
  const template = () => {
    for (; at < text.length; at++) {
      const sign = text[at];
      if (sign === '\\') at++;
      else if (sign === '`') {
        at++;
        return;
      } else if (sign === '$' && text[at + 1] === '{') {
        at += 2;
        open('}`');
        return;
      }
    }
  };

  while (at < text.length) {
    if (at >= part) {
      part = at + PART;
      yield;
    }
    const sign = text[at] ?? '';
    if (isOf(SPACE, text, at)) {
      const space = text.slice(at, SPACE.lastIndex);
      at = SPACE.lastIndex;
      // A line may end a statement, outside of brackets and in blocks.
      const isBlock = (frames.at(-1)?.end ?? '}') === '}';
      if (isBlock && space.includes('\n') && taken.at(-1) !== '\n') taken.push('\n');
    } else if (text.startsWith('//', at) || text.startsWith('<!--', at)) at = ends.line(at);
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 2;
    } else if (sign === "'" && isApostrophe(text, at, taken)) at++;
    else if (sign === '"' || sign === "'") {
      at = ends.string(at);
      data();
    } else if (sign === '`') {
      at++;
      data();
      template();
    } else if (isOf(NUMBER, text, at)) {
      at = NUMBER.lastIndex;
      data();
    } else if (isOf(NAME, text, at)) {
      const name = text.slice(at, NAME.lastIndex);
      at = NAME.lastIndex;
      if (CONSTANT.test(name)) data();
      else {
        push(withoutMadeUp(name, DATA).replace(/\d+/g, DATA));
        // `new Date(5)` is known at its end.
        openName = name !== 'new' && name !== 'void' && !(taken.at(-2) === 'new' && MADE.test(name));
      }
    } else if (
      sign === '/' &&
      isBeforeRegex(lastOf(taken), condition === taken.length) &&
      isOf(REGEX, text, at)
    ) {
      push(text.slice(at, REGEX.lastIndex));
      at = REGEX.lastIndex;
      taint();
    } else {
      at++;
      if (sign === '{') open('}');
      else if (sign === '[') open(']');
      else if (sign === '(') {
        const isCall = madeBefore(taken, taken.length) === 0;
        if (isCall) taint();
        else openName = false;
        open(')');
      } else if (sign === '}' || sign === ']' || sign === ')') {
        if (close(sign)) template();
      } else {
        push(sign);
        if (!OF_DATA.test(sign)) taint();
      }
    }
  }
  return yield* statementsOf(taken);
}

/** How many tokens before `at` make data of what is in the brackets that follow: `new Date`, `JSON.parse`. */
function madeBefore(taken: readonly string[], at: number): number {
  if (taken[at - 2] === 'new' && MADE.test(taken[at - 1] ?? '')) return 2;
  return taken[at - 1] === 'parse' && taken[at - 2] === '.' && taken[at - 3] === 'JSON' ? 3 : 0;
}

const isBeforeRegex = (last: string, isBehindCondition: boolean) =>
  isBehindCondition || BEFORE_REGEX.test(last) || KEYWORD.test(last);

/** Whether this is no quote but in a word, as text of an element has it: no string begins right behind a name. */
function isApostrophe(text: string, at: number, taken: readonly string[]): boolean {
  return /[\p{L}\d]/u.test(text[at - 1] ?? '') && !KEYWORD.test(taken.at(-1) ?? '');
}

const lastOf = (taken: readonly string[]) => taken.findLast((token) => token !== '\n') ?? ';';

/** Whether what begins at `at` is of this pattern, which then knows where that ends. */
function isOf(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Where strings and lines end, found without looking at a character twice. */
class StringEnds {
  private newline = -1;

  constructor(private readonly text: string) {}

  line(at: number): number {
    if (this.newline < at) {
      const found = this.text.indexOf('\n', at);
      this.newline = found < 0 ? this.text.length : found;
    }
    return this.newline;
  }

  /** Behind the quote that ends the string which begins at `at`, or at the end of its line. */
  string(at: number): number {
    const quote = this.text[at] ?? '';
    for (let from = at + 1; ; ) {
      const found = this.text.indexOf(quote, from);
      const end = found < 0 ? this.text.length : found;
      const line = this.line(from);
      const isLine = line < end;
      const stop = isLine ? line : end;
      if (stop >= this.text.length) return this.text.length;
      if (!isEscaped(this.text, stop)) return isLine ? stop : stop + 1;
      from = stop + 1;
    }
  }
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}
