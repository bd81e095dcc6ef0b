import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCoreForTest } from '../testing/core';
import { beginningOf, type Described, redactAttribute, redactText, redactUrl } from './redact';

interface Case {
  what: string;
  kind: 'attribute' | 'text' | 'url';
  element?: { tag: string; attributes: Record<string, string> };
  name?: string;
  input: Parts;
  expect: Parts;
}
/** In parts where a scanner of commits would take it for somebody's secret. */
type Parts = string | string[];
const whole = (parts: Parts) => (typeof parts === 'string' ? parts : parts.join(''));

function repositoryRoot(): string {
  let at = process.cwd();
  while (!existsSync(join(at, 'tests', 'cases', 'redaction.json'))) {
    if (dirname(at) === at) throw new Error('tests/cases/redaction.json is not above the working directory');
    at = dirname(at);
  }
  return at;
}

const written: Case[] = JSON.parse(
  readFileSync(join(repositoryRoot(), 'tests', 'cases', 'redaction.json'), 'utf8'),
);
const cases = written.map((each) => ({ ...each, input: whole(each.input), expect: whole(each.expect) }));
type Whole = (typeof cases)[number];

function described(element: Case['element']): Described {
  return { localName: element?.tag ?? 'div', getAttribute: (name) => element?.attributes[name] ?? null };
}

function run(each: Whole): string {
  if (each.kind === 'url') return redactUrl(each.input);
  if (each.kind === 'text') return redactText(each.input, described(each.element));
  return redactAttribute(described(each.element), each.name ?? '', each.input);
}

describe('redaction keeps to the vectors shared with the core', () => {
  it('finds the vectors', () => expect(cases.length).toBeGreaterThan(50));
  it.each(cases.map((each) => [each.what, each] as const))('%s', (_what, each) => {
    expect(run(each)).toBe(each.expect);
  });
  it.each(cases.map((each) => [each.what, each] as const))(
    'redacting twice changes nothing more: %s',
    (_what, each) => {
      expect(run({ ...each, input: run(each) })).toBe(each.expect);
    },
  );
});

describe('ordinary texts with numbers', () => {
  const core = loadCoreForTest();
  const file = join(repositoryRoot(), 'tests', 'cases', 'ordinary.txt');
  const texts = readFileSync(file, 'utf8').trim().split('\n');

  it('are touched less than once in a hundred, in the core too', () => {
    expect(texts.length).toBeGreaterThanOrEqual(200);
    const touched = texts.filter((text) => redactText(text) !== text);
    expect(touched.length * 100, touched.join('\n')).toBeLessThan(texts.length);
    expect(texts.filter((text) => core.redactText(text) !== text)).toEqual(touched);
  });
});

describe('redaction in the page and in the core', () => {
  const core = loadCoreForTest();
  // What steers the steps, thrown together: with each other and with pieces of real cases.
  const SIGNS =
    `token|password|session|=|:| |"|'|\\|%3D|%253d|%3A|%22|&|;|#|/|://|https|.|@|--|_|[|]|{|}|eyJ|Bearer |basic |/reset/|` +
    'hooks.slack.com/|-----BEGIN |-----END |PRIVATE KEY|-----|4111111111111111|482913| is your |verification code|sk-|' +
    'a1B2c3D4|hunter2|é|💳|\u00a0|\n|api key|[redacted]|==|=>|:=|true|example.com|9f86d081884c7d659a2feaa0c55ad015|' +
    'Passwort|Contraseña|HASŁO|密码|：|＝|\u200b|\u00ad|curl -u |mysql |-p|ada:hunter2|login ada password |078-05-1120|ssn|your code |' +
    '","|-token|Basic |ntlm |xox|A3T|%|~|+|!|123456789|correcthorse|ConvertTo-SecureString |BEGIN PRIVATE KEY|\\\\"' +
    '|%5C|%5c|%255C|%2522|%27| is | lautet | est : |: |OTP |CVV 123|482 910|482-910|12 34 56|G-|sshpass -p |-p|1234|the code|pin 1234|Pin 2024 |2FA |mfa: |CSC | Main| messages| expires|your code |Spin: |2024|passcode|Your |enter |my login code | pin |2019-2021|4829 1234|4829| times| out| lasts| of| edition|. | must';
  const pieces = [...SIGNS.split('|'), '|', ...cases.map((each) => each.input)];

  it('leave the same of 20,000 texts that were thrown together', () => {
    let seed = 20_261_122;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 20_000; round++) {
      let text = '';
      for (let left = 1 + random(12); left > 0; left--) {
        const piece = pieces[random(pieces.length)] ?? '';
        const from = random(2) ? random(piece.length) : 0;
        text += piece.slice(from, from + 60).toWellFormed();
      }
      const redacted = redactText(text);
      if (redacted !== core.redactText(text)) expect(redacted, text).toBe(core.redactText(text));
    }
  }, 120_000);
});

describe('characters that nobody sees', () => {
  const core = loadCoreForTest();

  it('are the same for the page and the core, of all of Unicode', () => {
    for (let first = 0; first < 0x11_0000; first += 256) {
      let text = 'password=hunter2x ';
      for (let code = first; code < first + 256; code++) {
        if (code < 0xd800 || code > 0xdfff) text += `${String.fromCodePoint(code)}-`;
      }
      if (redactText(text) !== core.redactText(text)) expect(redactText(text)).toBe(core.redactText(text));
    }
  });
});

describe('a long text is gone through in proportion to its length', () => {
  const core = loadCoreForTest();
  const slashes = ['\\', '%5C', '%5c', '%255C'];
  const mark = (number: number) =>
    Array.from({ length: 6 }, (_, place) => slashes[(number >> (2 * place)) & 3]).join('');
  const marks = Array.from({ length: 12_000 }, (_, number) => `session=${mark(number)}%22 x `).join('');

  // Each of these took from ten seconds to minutes: the test's own end is the measure.
  it.each([
    ['marks of which none comes again', marks],
    ['one word behind a command', `#login${'n'.repeat(200_000)}!`],
    ['digits behind a name', `token${'1'.repeat(200_000)}a=b`],
  ])('%s', (_what, text) => {
    expect(redactText(text) === core.redactText(text)).toBe(true);
  });
});

describe('the beginning of a long text', () => {
  const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

  it('is what the beginning of the whole redacted text is', () => {
    const text = `Use ${secret} for it. ${'more of it '.repeat(200_000)}`;
    expect(beginningOf(text, 400)).toBe(redactText(text).slice(0, 400));
    expect(beginningOf('short', 400)).toBe('short');
  });

  it('shows nothing of a secret, wherever it stands', () => {
    for (let before = 0; before < 2_600; before++) {
      const text = `${'x '.repeat(before)}${secret} ${'y '.repeat(4_000)}`;
      expect(beginningOf(text, 400)).not.toContain(secret.slice(0, 12));
    }
  });

  it('shows nothing of a secret that its end cuts in two, however much of what stands before is redacted', () => {
    for (let hidden = 2_300; hidden < 2_400; hidden++) {
      const text = `session=${'a1B2c3D4'.repeat(300).slice(0, hidden)} ${secret} ${'y '.repeat(4_000)}`;
      const shown = beginningOf(text, 400);
      expect(shown).toMatch(/^session=\[redacted\]/);
      expect(shown).not.toContain(secret.slice(0, 2));
    }
  });

  const state = 'Zm9v1QyBiYXI7cXV4'.repeat(1_500);
  it.each([
    [
      'an address that is state',
      `https://play.example/#code/${state}`,
      'https://play.example/#code/[redacted]',
    ],
    ['a picture in an attribute', `data:image/png;base64,${state}`, 'data:image/png;base64,[redacted]'],
    ['a query', `/share?state=${state}`, '/share?state=[redacted]'],
    ['a text between two', `a token=${state} b token=${state}`, 'a token=[redacted]'],
    ['signs that are told as others', `\u200b\uff41 token=${state}`, 'a token=[redacted]'],
    ['half a sign', `\ud83d token=${state}`, '\ufffd token=[redacted]'],
  ])('keeps what stands before and around what is redacted: %s', (_what, text, kept) => {
    for (const longest of [400, 2_000]) expect(beginningOf(text, longest)).toBe(kept);
    expect(beginningOf(text, 400, loadCoreForTest().redactText)).toBe(kept);
  });

  it('keeps what stands between two redactions, and leaves out what its end may have cut', () => {
    const key = `token=${'a1B2c3D4'.repeat(100)}`;
    const text = `one ${key} two ${key} three ${'z '.repeat(5_000)}`;
    const shown = beginningOf(text, 2_000);
    // 4,000 are looked at and 1,000 of these left out; what is shown comes from the first 3,000.
    expect(shown).toBe(redactText(text).slice(0, shown.length));
    expect(shown).toContain('one token=[redacted] two token=[redacted] three z z');
    expect(shown).toHaveLength(redactText(text.slice(0, 3_000)).length);
  });

  it('is looked at alone: what comes after it is not read', () => {
    let read = 0;
    const seen = (text: string) => {
      read += text.length;
      return redactText(text);
    };
    beginningOf('a=1 token:x '.repeat(150_000), 2_000, seen);
    expect(read).toBeLessThan(5_000);
  });

  it('of an address has a length that the background takes', () => {
    const url = `https://example.com/a?token=x1y2&rest=${'ab/'.repeat(500_000)}`;
    expect(redactUrl(url)).toHaveLength(16 * 1024);
    expect(redactUrl(url)).toContain('?token=[redacted]&rest=ab/');
    expect(redactUrl(redactUrl(url))).toBe(redactUrl(url));
  });
});
