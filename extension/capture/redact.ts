/**
 * What must never leave a page: passwords, card numbers, tokens, secrets in addresses. The same rules as the core's, in
 * words and as vectors in `tests/cases`; `redact.test.ts` runs all of them. Pure, but for reading an element's attributes.
 */

export const REDACTED = '[redacted]';

/** What is asked of an element: tests use plain data. */
export interface Described {
  readonly localName: string;
  getAttribute(name: string): string | null;
}

const FIELD_TAGS = new Set(['input', 'textarea', 'select']);
const FIELD_WORDS = [
  'passw',
  'cardnum',
  'ccnum',
  'cardcode',
  'cvv',
  'cvc',
  'securitycode',
  'onetimecode',
  'otpcode',
  'secret',
  'token',
  'csrf',
  'xsrf',
  'apikey',
  'ssn',
];
const SECRET_WORDS = [
  'token',
  'secret',
  'passw',
  'apikey',
  'accesskey',
  'privatekey',
  'signature',
  'credential',
  'authorization',
  'csrf',
  'xsrf',
  'sessionid',
];
const SECRET_PARAMETERS = new Set([
  'key',
  'sig',
  'sid',
  'code',
  'otp',
  'pin',
  'auth',
  'jwt',
  'pwd',
  'pass',
  'cvv',
  'cvc',
]);
const VALUE_ATTRIBUTES = new Set(['value', 'data-value', 'aria-valuetext', 'aria-valuenow']);
/** Names of the page's own parts; other things refer to them. */
const NAMES_OF_PARTS = new Set([
  'id',
  'class',
  'for',
  'name',
  'type',
  'role',
  'slot',
  'part',
  'form',
  'list',
  'headers',
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
]);

function normalised(name: string): string {
  return name.toLowerCase().replace(/[-_.[\] ]/g, '');
}

function holdsOneOf(name: string, words: readonly string[]): boolean {
  const plain = normalised(name);
  return words.some((word) => plain.includes(word));
}

/** A field whose content is nobody's business: its value is redacted, and screenshots mask it. */
export function isSecretField(element: Described): boolean {
  if (!FIELD_TAGS.has(element.localName)) return false;
  const type = element.getAttribute('type')?.trim().toLowerCase();
  if (type === 'password' || type === 'hidden') return true;
  const hints = element.getAttribute('autocomplete')?.toLowerCase().split(/\s+/) ?? [];
  const secretHint = (hint: string) =>
    hint === 'current-password' ||
    hint === 'new-password' ||
    hint === 'one-time-code' ||
    hint.startsWith('cc-');
  if (hints.some(secretHint)) return true;
  return ['name', 'id'].some((name) => holdsOneOf(element.getAttribute(name) ?? '', FIELD_WORDS));
}

/** The attribute's value as it may leave the page. */
export function redactAttribute(element: Described, name: string, value: string): string {
  if (value === '') return '';
  if (name === 'nonce') return REDACTED;
  if (VALUE_ATTRIBUTES.has(name) && isSecretField(element)) return REDACTED;
  if (name === 'content' && element.localName === 'meta') {
    const names = [element.getAttribute('name'), element.getAttribute('property')];
    if (names.some((each) => each && holdsOneOf(each, SECRET_WORDS))) return REDACTED;
  }
  if (name !== 'accesskey' && !name.startsWith('aria-') && holdsOneOf(name, SECRET_WORDS)) return REDACTED;
  if (NAMES_OF_PARTS.has(name)) return value;
  return redactSteps(value);
}

/** Text directly inside `parent`, as it may leave the page. */
export function redactText(text: string, parent?: Described): string {
  if (text !== '' && parent && isSecretField(parent)) return REDACTED;
  return redactSteps(text);
}

/** An address on its own. */
export function redactUrl(url: string): string {
  return redactSteps(url);
}

function redactSteps(text: string): string {
  let out = text;
  if (out.includes('://')) out = userInfo(out);
  if (out.includes('=')) out = parameters(out);
  // None of what follows is shorter.
  if (out.length < 13) return out;
  if (out.includes('eyJ')) out = out.replace(JWT, REDACTED);
  out = out.replace(KNOWN_PREFIX, REDACTED);
  if (out.length >= 32)
    out = out.replace(LONG_RUN, (run, at, all) =>
      isToken(run) && !isMachine(run, at, all) ? REDACTED : run,
    );
  return cards(out);
}

function userInfo(text: string): string {
  return text.replace(/:\/\/[^/?#"'<>\p{White_Space}]*@/gu, `://${REDACTED}@`);
}

const NAME_CHARACTER = /[A-Za-z0-9_.\-[\]%]/;
const VALUE = /[^&;"'<>#\p{White_Space}]*/uy;

function parameters(text: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', Math.max(done, at + 1))) {
    let start = at;
    while (start > done && NAME_CHARACTER.test(text.charAt(start - 1))) start--;
    if (!isSecretParameter(text.slice(start, at))) continue;
    VALUE.lastIndex = at + 1;
    const value = VALUE.exec(text)?.[0] ?? '';
    if (value === '') continue;
    out += text.slice(done, at + 1) + REDACTED;
    done = at + 1 + value.length;
  }
  return out + text.slice(done);
}

function isSecretParameter(name: string): boolean {
  const plain = normalised(name);
  return SECRET_PARAMETERS.has(plain) || plain.includes('session') || holdsOneOf(name, SECRET_WORDS);
}

const JWT = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?/g;
const KNOWN_PREFIX =
  /(?<![A-Za-z0-9_-])(?:sk-|sk_live_|sk_test_|pk_live_|rk_live_|gh[pousr]_|github_pat_|xox[abps]-|glpat-|npm_|AKIA|ASIA|AIza)(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{16,}/g;
const LONG_RUN = /[A-Za-z0-9_\-+]{32,}/g;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function classOf(code: number): number {
  if (code >= 48 && code <= 57) return 3;
  if (code >= 65 && code <= 90) return 2;
  return code >= 97 && code <= 122 ? 1 : 0;
}

/** Random strings switch between letters and digits all the time; words and names do not. */
/** The first part of an address's host: hosted workspaces have such names, and without them nobody finds the page again. */
function isMachine(run: string, at: number, text: string): boolean {
  const before = text.slice(Math.max(0, at - REDACTED.length - 4), at);
  return (before.endsWith('://') || before === `://${REDACTED}@`) && text[at + run.length] === '.';
}

function isToken(run: string): boolean {
  let digits = 0;
  let switches = 0;
  let before = 0;
  for (let at = 0; at < run.length; at++) {
    const now = classOf(run.charCodeAt(at));
    if (now === 3) digits++;
    if (now !== 0 && before !== 0 && now !== before) switches++;
    before = now;
  }
  return digits >= 4 && switches >= 8 && !UUID.test(run);
}

function cards(text: string): string {
  return text.replace(/\d+(?:[ -]\d+)*/g, (sequence, at: number) => {
    if (sequence.length < 13) return sequence;
    const left = /[A-Za-z0-9_.]/.test(text.charAt(at - 1));
    const right = /[A-Za-z0-9_]/.test(text.charAt(at + sequence.length));
    return cardsWithin(sequence, left, right);
  });
}

function cardsWithin(sequence: string, touchedLeft: boolean, touchedRight: boolean): string {
  const groups = [...sequence.matchAll(/\d+/g)].map((match) => ({ digits: match[0], at: match.index }));
  const last = groups.length - (touchedRight ? 2 : 1);
  let out = '';
  let done = 0;
  for (let start = touchedLeft ? 1 : 0; start <= last; start++) {
    const end = cardEnd(groups, start, last);
    const first = groups[start];
    const final = end === null ? undefined : groups[end];
    if (end === null || !first || !final) continue;
    out += sequence.slice(done, first.at) + REDACTED;
    done = final.at + final.digits.length;
    start = end;
  }
  return out + sequence.slice(done);
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
