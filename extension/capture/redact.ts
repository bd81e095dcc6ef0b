/**
 * What must never leave a page: passwords, card numbers, tokens, secrets in addresses. The same rules as the core's, in
 * words and as vectors in `tests/cases`; `redact.test.ts` runs all of them. The lists are generated from the core's.
 * Pure, but for reading an element's attributes.
 */

import { redactedAddress, redactedBeginning } from './beginning';
import { assignments, isSaid } from './redaction/assignments';
import { commands } from './redaction/commands';
import { folded } from './redaction/fold';
import { outsideHosts, userInfo } from './redaction/hosts';
import { isSecretFieldName, isSecretOf } from './redaction/names';
import { numbers } from './redaction/numbers';
import { type Range, REDACTED } from './redaction/range';
import {
  hooks,
  jsonWebTokens,
  keyHeaders,
  keys,
  links,
  longTokens,
  privateKeys,
  schemes,
} from './redaction/tokens';

export { REDACTED };

/** What is asked of an element: tests use plain data. */
export interface Described {
  readonly localName: string;
  getAttribute(name: string): string | null;
}

const FIELD_TAGS = new Set(['input', 'textarea', 'select']);
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
  return ['name', 'id'].some((name) => isSecretFieldName(element.getAttribute(name) ?? ''));
}

/** The attribute's value as it may leave the page. */
export function redactAttribute(element: Described, name: string, value: string): string {
  if (value === '') return '';
  if (name === 'nonce') return REDACTED;
  if (VALUE_ATTRIBUTES.has(name) && isSecretField(element)) return REDACTED;
  if (name === 'content' && element.localName === 'meta') {
    const names = [element.getAttribute('name'), element.getAttribute('property')];
    if (names.some((each) => each && isSecretOf(each, value))) return REDACTED;
  }
  if (name !== 'accesskey' && !name.startsWith('aria-') && isSecretOf(name, value)) return REDACTED;
  if (NAMES_OF_PARTS.has(name)) return value;
  return redactSteps(value);
}

/** Text directly inside `parent`, as it may leave the page. */
export function redactText(text: string, parent?: Described): string {
  if (text !== '' && parent && isSecretField(parent)) return REDACTED;
  return redactSteps(text);
}

/**
 * The first `longest` units of a text or an attribute's value, redacted by `redact`. What comes later costs nothing.
 */
export function beginningOf(
  text: string,
  longest: number,
  redact: (text: string) => string = redactText,
): string {
  return redactedBeginning(text, longest, redact);
}

/** An address on its own, as far as it is kept. */
export function redactUrl(url: string): string {
  return redactedAddress(url, redactSteps);
}

/** A step, whether it takes the names of machines too, and a cheap look at whether it can find anything. */
const STEPS: [(text: string) => Range[], boolean, (text: string) => boolean][] = [
  [privateKeys, true, (text) => text.includes('-----')],
  [keyHeaders, true, (text) => text.includes('PRIVATE KEY') || text.includes('PuTTY')],
  [userInfo, true, (text) => text.includes('://')],
  [commands, false, (text) => /curl|mysql|mariadb|sshpass|SecureString|login/.test(text)],
  [assignments, false, (text) => /[=:%]|-[^ ]/.test(text) || isSaid(text)],
  [schemes, false, (text) => /(?:bearer|ntlm|basic) /i.test(text)],
  [hooks, false, (text) => text.includes('/')],
  [links, false, (text) => text.includes('/')],
  [jsonWebTokens, false, (text) => text.includes('eyJ')],
  [keys, false, (text) => text.length >= 15],
  [longTokens, false, (text) => text.length >= 24],
  [numbers, false, (text) => /\d{3}|\d[ -]\d/.test(text)],
];

/**
 * One after the other over the whole string; each finds sorted ranges that do not overlap. Where something is removed,
 * what is left is folded; any other text stays as it is.
 */
function redactSteps(text: string): string {
  const plain = folded(text);
  let out = plain;
  for (const [step, takesHosts, mayFind] of STEPS) {
    if (!mayFind(out)) continue;
    let found = step(out);
    if (!takesHosts && found.length > 0 && out.includes('://')) found = outsideHosts(out, found);
    if (found.length > 0) out = replaced(out, found);
  }
  return out === plain ? text : out;
}

function replaced(text: string, found: readonly Range[]): string {
  let out = '';
  let done = 0;
  for (const [start, end] of found) {
    out += text.slice(done, start) + REDACTED;
    done = end;
  }
  return out + text.slice(done);
}
