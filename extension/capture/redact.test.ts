import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCoreForTest } from '../testing/core';
import { type Described, redactAttribute, redactText, redactUrl } from './redact';

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

describe('redaction in the page and in the core', () => {
  const core = loadCoreForTest();
  // What steers the steps, thrown together: with each other and with pieces of real cases.
  const SIGNS =
    `token|password|session|=|:| |"|'|\\|%3D|%253d|%3A|%22|&|;|#|/|://|https|.|@|--|_|[|]|{|}|eyJ|Bearer |basic |/reset/|` +
    'hooks.slack.com/|-----BEGIN |-----END |PRIVATE KEY|-----|4111111111111111|482913| is your |verification code|sk-|' +
    'a1B2c3D4|hunter2|é|💳|\u00a0|\n|api key|[redacted]|==|=>|:=|true|example.com|9f86d081884c7d659a2feaa0c55ad015';
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
