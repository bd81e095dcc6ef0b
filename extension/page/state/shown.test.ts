import { expect, test } from 'vitest';
import { sampleComment } from '../../testing/samples';
import { hasPin, RESOLVED_SHOWN_MS } from './shown';

const by = { kind: 'agent', name: 'Agent' } as const;
const resolved = { ...sampleComment('c_1'), status: 'resolved' as const, resolution: { by, at: 5_000 } };

test('unresolved comments have a pin however old they are, deleted ones never', () => {
  expect(hasPin(sampleComment('c_1'), 10 * RESOLVED_SHOWN_MS)).toBe(true);
  expect(hasPin({ ...sampleComment('c_1'), status: 'outdated' }, 10 * RESOLVED_SHOWN_MS)).toBe(true);
  expect(hasPin({ ...sampleComment('c_1'), deletedAt: 1 }, 2)).toBe(false);
});

test('a resolved comment keeps its pin for a day', () => {
  expect(hasPin(resolved, 5_000 + RESOLVED_SHOWN_MS - 1)).toBe(true);
  expect(hasPin(resolved, 5_000 + RESOLVED_SHOWN_MS)).toBe(false);
});
