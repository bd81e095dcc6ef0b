import { expect, test } from 'vitest';
import { Blocks, blocksOf, codeOf } from './blocks';

/** The same numbers in every run: a failure can be run again. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const LINES = [
  '',
  '',
  'Some words.',
  '# A heading',
  '- one',
  '* two',
  '1. first',
  '  indented',
  '    code',
  '```ts',
  '```',
  '~~~~',
  '~~~',
  '- ```',
  '  ```',
  '> quoted',
  '``` not `a` fence',
  ' ',
  'const a = 1;',
  'é🙂'.repeat(40),
  'long '.repeat(400),
  'x🙂'.repeat(3_000),
  'words '.repeat(2_000),
];

function someText(next: () => number): string {
  const count = 1 + Math.floor(next() * 60);
  const lines = Array.from({ length: count }, () => LINES[Math.floor(next() * LINES.length)] ?? '');
  return lines.join('\n') + (next() < 0.5 ? '\n' : '');
}

test('whatever comes, in whatever parts: nothing is lost, and a finished block never changes', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = numbers(seed);
    const text = someText(next);
    const blocks = new Blocks();
    let before: readonly string[] = [];
    for (let at = 0; at < text.length; ) {
      const end = Math.min(text.length, at + 1 + Math.floor(next() * Math.max(40, text.length / 20)));
      blocks.push(text.slice(at, end));
      at = end;
      const now = blocks.all;
      expect(now.join('')).toBe(text.slice(0, at));
      // All but the last are finished.
      expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      before = now;
    }
    expect(blocks.all).toEqual(blocksOf(text));
    expect(blocks.length).toBe(text.length);
  }
});

test('paragraphs, fences and lists are blocks; what belongs together stays together', () => {
  expect(blocksOf('One.\n\nTwo.\n')).toEqual(['One.\n\n', 'Two.\n']);
  expect(blocksOf('Look:\n```ts\na\n\nb\n```\nDone.')).toEqual(['Look:\n', '```ts\na\n\nb\n```\n', 'Done.']);
  expect(blocksOf('- one\n\n- two\n\n  more of two\n\nAfter.\n')).toEqual([
    '- one\n\n- two\n\n  more of two\n\n',
    'After.\n',
  ]);
  expect(blocksOf('- item\n  ```\n\nx\n  ```\n\nAfter.\n')).toEqual([
    '- item\n  ```\n\nx\n  ```\n\n',
    'After.\n',
  ]);
});

test('an open fence is a block before it is closed, and says its language', () => {
  expect(blocksOf('Hi\n```rust\nlet a')).toEqual(['Hi\n', '```rust\nlet a']);
  expect(codeOf('```rust title="a"\nlet a')).toEqual({ language: 'rust', code: 'let a' });
  expect(codeOf('````\n```\n````\n')).toEqual({ language: '', code: '```\n' });
  expect(codeOf('```')).toEqual({ language: '', code: '' });
  expect(codeOf('Not code')).toBeNull();
  expect(codeOf('``` `a` ```')).toBeNull();
});

test('a line without an end does not stay one block', () => {
  const line = 'word '.repeat(10_000);
  const blocks = blocksOf(line);
  expect(blocks.join('')).toBe(line);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(2_048);
});

test('a very long list does not stay one block', () => {
  const list = Array.from({ length: 2_000 }, (_, at) => `- item ${at}\n`).join('');
  const blocks = blocksOf(list);
  expect(blocks.length).toBeGreaterThan(2);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(2_200);
});
