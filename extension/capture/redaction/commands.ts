/** Passwords on command lines and in `.netrc`, where a command's name says what its options mean. */
import { DIGIT, isOf, LETTER, matchEnd, type Range } from './range';
import { isPassword } from './shape';

const OTHER = 0;
const CURL = 1;
const DATABASE = 2;
const POWER_SHELL = 3;
const SSH_PASS = 4;
const COMMANDS = new Map([
  ['curl', CURL],
  ['sshpass', SSH_PASS],
  ['ConvertTo-SecureString', POWER_SHELL],
  ['mysql', DATABASE],
  ['mysqldump', DATABASE],
  ['mysqladmin', DATABASE],
  ['mariadb', DATABASE],
  ['mariadb-dump', DATABASE],
]);
const CURL_OPTIONS = new Set(['-u', '-U', '--user', '--proxy-user']);

/**
 * `curl -u name:password`, `mysql -ppassword`, `sshpass -p password`, `ConvertTo-SecureString password`,
 * `login name password password`.
 */
export function commands(text: string): Range[] {
  const found: Range[] = [];
  let command = OTHER;
  // The words before, the nearest one first.
  let before: [string, string, string] = ['', '', ''];
  for (const { 0: word, index } of text.matchAll(/[\n\r;|]|[^;| \t\n\f\r]+/g)) {
    if (/^[\n\r;|]/.test(word)) {
      command = OTHER;
      continue;
    }
    // Its path, a quote or a name may stand before it.
    const named = COMMANDS.get(lastName(word));
    if (named !== undefined) command = named;
    else {
      const secret = secretIn(command, before, word);
      if (secret) found.push([index + secret[0], index + secret[1]]);
      // What follows is another command with options of its own.
      if (secret && command === SSH_PASS) command = OTHER;
    }
    before = [word, before[0], before[1]];
  }
  return found;
}

/** What a word ends in. Walked from there: an expression that ends in `$` begins at every letter. */
function lastName(word: string): string {
  let start = word.length;
  while (start > 0 && (isOf(word, start - 1, LETTER | DIGIT) || word[start - 1] === '-')) start--;
  return word.slice(start);
}

/** What of a word is secret, without quotes. */
function secretIn(command: number, before: [string, string, string], word: string): Range | null {
  const start = secretStart(command, before, word);
  if (start === null) return null;
  const from = matchEnd(word, start, /["'`\\]*/y);
  const end = matchEnd(word, from, /[^"'`\\]*/y);
  const value = word.slice(from, end);
  let isIt = isPassword(value);
  if (command === CURL) isIt = /^[^:]*:./s.test(value);
  else if (command === DATABASE) isIt = value !== '';
  // A variable's name is no secret.
  else if (command === SSH_PASS) isIt = value !== '' && !value.startsWith('$');
  else if (command === POWER_SHELL) isIt = value !== '' && (from > start || /[0-9]/.test(value));
  return isIt ? [from, end] : null;
}

function secretStart(command: number, before: [string, string, string], word: string): number | null {
  if (command === CURL && CURL_OPTIONS.has(before[0])) return 0;
  if (command === CURL && word.startsWith('-u')) return 2;
  if (command === DATABASE && word.startsWith('-p')) return 2;
  if (command === SSH_PASS && before[0] === '-p') return 0;
  if (command === SSH_PASS && word.startsWith('-p')) return 2;
  if (command === POWER_SHELL && !/^[-$]/.test(word)) return 0;
  return before[0] === 'password' && before[2] === 'login' ? 0 : null;
}
