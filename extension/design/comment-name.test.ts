import { expect, test } from 'vitest';
import { commentLabel, commentName, commentTitle } from './comment-name';

test('a comment is called by the number that the hub gave it', () => {
  expect(commentName({ number: 3 })).toBe('comment 3');
  expect(commentTitle({ number: 3 })).toBe('Comment 3');
  expect(commentLabel({ number: 3 })).toBe('Comment 3');
});

test('before that it has no number, and its label says so', () => {
  expect(commentName({})).toBe('the comment');
  expect(commentName(undefined)).toBe('the comment');
  expect(commentTitle({})).toBe('The comment');
  expect(commentLabel({})).toBe('Comment not sent yet');
});
