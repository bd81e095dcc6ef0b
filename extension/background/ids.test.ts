import { expect, test } from 'vitest';
import { newId } from '../new-id';
import { newSessionId } from './ids';

test('ids have the form that the core takes, and differ', () => {
  const ids = new Set(Array.from({ length: 1_000 }, () => newId('c_')));
  expect(ids.size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^c_[0-9a-z]{20}$/);
});

test('two browsers that count their tabs alike get different sessions', async () => {
  const [a, b] = await Promise.all([
    newSessionId(1, 'http://localhost', 5),
    newSessionId(1, 'http://localhost', 5),
  ]);
  expect(a).toMatch(/^s_[0-9a-f]{32}$/);
  expect(a).not.toBe(b);
});
