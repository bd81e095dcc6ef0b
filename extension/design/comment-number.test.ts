import { expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import { commentNumbers } from './comment-number';

const comment = (id: string, pathname: string, createdAt: number, deletedAt?: number) =>
  ({ id, pathname, createdAt, ...(deletedAt === undefined ? {} : { deletedAt }) }) as Comment;

test('comments are numbered by age within their page, whatever the order they come in', () => {
  const numbers = commentNumbers([
    comment('c_new', '/', 30),
    comment('c_about', '/about', 20),
    comment('c_old', '/', 10),
  ]);
  expect([...numbers.entries()].sort()).toEqual([
    ['c_about', 1],
    ['c_new', 2],
    ['c_old', 1],
  ]);
});

test('deleting a comment does not rename the others', () => {
  const numbers = commentNumbers([comment('c_a', '/', 1, 99), comment('c_b', '/', 2)]);
  expect(numbers.get('c_b')).toBe(2);
});
