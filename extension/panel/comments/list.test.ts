import { expect, test } from 'vitest';
import { busyComments, comment, NOW } from '../../testing/panel/states';
import { countByFilter, grouped, inScope, matching } from './list';

const ids = (comments: readonly { id: string }[]) => comments.map(({ id }) => id);

test('the page scope has the comments of its path alone, and never deleted ones', () => {
  const all = [...busyComments(), comment('c_gone', { deletedAt: NOW })];
  expect(ids(inScope(all, 'page', '/'))).toEqual(['c_elsewhere']);
  expect(inScope(all, 'origin', '/')).toHaveLength(6);
  expect(ids(inScope(all, 'origin', '/'))).not.toContain('c_gone');
});

test('counts by status add up to all', () => {
  const counts = countByFilter(busyComments());
  expect(counts).toEqual({ all: 6, active: 4, outdated: 1, resolved: 1 });
});

test('filter by status', () => {
  expect(ids(matching(busyComments(), 'outdated', ''))).toEqual(['c_outdated']);
  expect(matching(busyComments(), 'all', '  ')).toHaveLength(6);
});

test.each([
  ['text', 'PHONE'],
  ['reply', 'first please'],
  ['component', 'invoicelist'],
  ['file', 'invoices/invoicelist.tsx'],
  ['selector', 'ul[aria-label'],
])('the search finds words in the %s', (_, search) => {
  expect(matching(busyComments(), 'all', search)).toHaveLength(1);
});

test('every word of the search must occur', () => {
  expect(matching(busyComments(), 'all', 'button zebra')).toEqual([]);
});

test('groups stand with this page first, then by path; done after open, then by age', () => {
  const groups = grouped(
    [...busyComments(), comment('c_z', { pathname: '/zoo' }), comment('c_a', { pathname: '/about' })],
    '/settings',
  );
  expect(groups.map(({ pathname }) => pathname)).toEqual(['/settings', '/', '/about', '/zoo']);
  expect(ids(groups[0]?.comments ?? [])).toEqual([
    'c_open',
    'c_working',
    'c_outdated',
    'c_review',
    'c_resolved',
  ]);
});
