import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Described, redactAttribute, redactText, redactUrl } from './redact';

interface Case {
  what: string;
  kind: 'attribute' | 'text' | 'url';
  element?: { tag: string; attributes: Record<string, string> };
  name?: string;
  input: string;
  expect: string;
}

function repositoryRoot(): string {
  let at = process.cwd();
  while (!existsSync(join(at, 'tests', 'cases', 'redaction.json'))) {
    if (dirname(at) === at) throw new Error('tests/cases/redaction.json is not above the working directory');
    at = dirname(at);
  }
  return at;
}

const cases: Case[] = JSON.parse(
  readFileSync(join(repositoryRoot(), 'tests', 'cases', 'redaction.json'), 'utf8'),
);

function described(element: Case['element']): Described {
  return { localName: element?.tag ?? 'div', getAttribute: (name) => element?.attributes[name] ?? null };
}

function run(each: Case): string {
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
