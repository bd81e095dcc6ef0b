/**
 * Reads the core's selector notation as far as a browser needs help with it: segments, and in those that test texts the
 * steps. Everything else is left to the browser as CSS. Knows strings only.
 */

/** One tree's part of a selector: plain CSS, or steps when it tests texts. */
export type Segment = { css: string } | { css: null; steps: Step[] };

export interface Step {
  combinator: string;
  compound: Compound;
}

/** What one element must fit: plain CSS, texts, and something inside. */
export interface Compound {
  css: string;
  texts: { whole: boolean; letters: string }[];
  has: Compound[];
}

/** Most brackets that are read, and so the deepest nesting; the core's own selectors have a few dozen. */
const MAX_BRACKETS = 500;
/** Fits nothing: a selector with more. */
const NOTHING: Segment[] = [{ css: ':not(*)' }];

/** A selector comes with a comment, which may be anybody's. */
export function parseSelector(selector: string): Segment[] {
  const brackets = selector.match(/[([]/g)?.length ?? 0;
  return brackets > MAX_BRACKETS ? NOTHING : parse(selector);
}

function parse(selector: string): Segment[] {
  const segments: Segment[] = [];
  for (const steps of split(selector)) {
    const source = steps
      .map(({ combinator, source }, at) => (at ? `${combinator} ${source}` : source))
      .join(' ');
    const parsed = steps.map(({ combinator, source }) => ({ combinator, compound: compoundOf(source) }));
    const plain = parsed.every(({ compound }) => isPlain(compound));
    segments.push(plain ? { css: source } : { css: null, steps: parsed });
  }
  return segments;
}

function isPlain(compound: Compound): boolean {
  return compound.texts.length === 0 && compound.has.every(isPlain);
}

/** Compounds with the combinators before them, by segment. */
function split(selector: string): { combinator: string; source: string }[][] {
  const segments = [[{ combinator: ' ', source: '' }]];
  let steps = segments[0] ?? [];
  let combinator = '';
  for (let at = 0; at < selector.length; ) {
    const sign = selector[at] ?? '';
    if (/[\s>+~]/.test(sign)) {
      combinator += sign.trim();
      at += 1;
      const next = selector[at];
      if (next !== undefined && /[\s>+~]/.test(next)) continue;
      if (combinator === '>>>') {
        steps = [{ combinator: ' ', source: '' }];
        segments.push(steps);
      } else if (next !== undefined && steps[0]?.source) {
        steps.push({ combinator: combinator || ' ', source: '' });
      }
      combinator = '';
      continue;
    }
    const end = skip(selector, at);
    const last = steps[steps.length - 1];
    if (last) last.source += selector.slice(at, end);
    at = end;
  }
  return segments;
}

/** Where the sign at `at` ends: an escape, a string, a bracket with all that is in it, or a single character. */
function skip(text: string, at: number): number {
  const sign = text[at];
  if (sign === '\\')
    return at + (/^\\(?:[0-9a-f]{1,6}\s?|.)/isu.exec(text.slice(at, at + 9))?.[0].length ?? 1);
  const close = sign === '"' || sign === "'" ? sign : sign === '[' ? ']' : sign === '(' ? ')' : '';
  if (!close) return at + 1;
  let next = at + 1;
  while (next < text.length && text[next] !== close)
    next = close === sign && text[next] !== '\\' ? next + 1 : skip(text, next);
  return next + 1;
}

const TESTS = [':text-is(', ':text-starts(', ':has('];

function compoundOf(source: string): Compound {
  const compound: Compound = { css: '', texts: [], has: [] };
  for (let at = 0; at < source.length; ) {
    const test = TESTS.find((test) => source.startsWith(test, at));
    const end = skip(source, test ? at + test.length - 1 : at);
    const argument = test ? source.slice(at + test.length, end - 1) : '';
    if (test === ':has(') compound.has.push(compoundOf(argument));
    else if (test) compound.texts.push({ whole: test === TESTS[0], letters: lettersOf(argument) });
    else compound.css += source.slice(at, end);
    at = end;
  }
  compound.css ||= '*';
  return compound;
}

/** What a quoted text compares: its letters without white space. */
function lettersOf(quoted: string): string {
  const text = quoted
    .slice(1, -1)
    .replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gisu, (_, hex: string | undefined, other: string) => {
      return hex ? String.fromCodePoint(Number.parseInt(hex, 16) || 0xfffd) : other;
    });
  return text.replace(/\p{White_Space}+/gu, '');
}
