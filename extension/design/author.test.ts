import { expect, test } from 'vitest';
import { authorName } from './author';

test('what was imported is said to be', () => {
  expect(authorName({ kind: 'person' })).toBe('You');
  expect(authorName({ kind: 'person' }, 1)).toBe('Somebody else (imported)');
  expect(authorName({ kind: 'agent', name: 'codex' })).toBe('codex');
  expect(authorName({ kind: 'agent', name: 'codex' }, 1)).toBe('codex (imported)');
});
