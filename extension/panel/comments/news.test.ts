import { expect, test } from 'vitest';
import type { Comment } from '../../generated/Comment';
import { comment, NOW } from '../../testing/panel/states';
import { news } from './news';

const agent = { kind: 'agent', name: 'claude-code' } as const;

test('nothing changed says nothing', () => {
  expect(news([comment('c_a')], [comment('c_a')])).toBe('');
});

test.each<[string, Partial<Comment>]>([
  ['Comment 1: resolved by claude-code.', { status: 'resolved', resolution: { by: agent, at: NOW } }],
  ['Comment 1: outdated.', { status: 'outdated' }],
  ['Comment 1: in progress.', { stage: 'in_progress' }],
  [
    'Comment 1: reply from claude-code.',
    { replies: [{ id: 'r_1', author: agent, text: 'Done?', createdAt: NOW }] },
  ],
  ['Comment 1 deleted.', { deletedAt: NOW }],
])('%s', (sentence, change) => {
  expect(news([comment('c_a')], [comment('c_a', change)])).toBe(sentence);
});

test('a new comment is told, a new one that is deleted already is not', () => {
  expect(news([], [comment('c_a')])).toBe('New comment 1.');
  expect(news([], [comment('c_a', { deletedAt: NOW })])).toBe('');
});

test('many changes at once are counted', () => {
  const many = ['c_a', 'c_b', 'c_c', 'c_d'].map((id) => comment(id));
  expect(news([], many)).toBe('4 comments changed.');
});

test('what changed while an agent worked is told as a question', () => {
  const history = ['set to in progress', 'became outdated: Its text changed.'].map((what, at) => ({
    revision: at + 2,
    at: NOW,
    by: agent,
    what,
  }));
  const before = comment('c_a', { stage: 'in_progress' });
  expect(news([before], [comment('c_a', { stage: 'in_progress', status: 'outdated', history })])).toBe(
    'Comment 1: changed, as asked?',
  );
});
