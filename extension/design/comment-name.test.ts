import { expect, test } from 'vitest';
import { sampleComment } from '../testing/samples';
import { commentLabel, commentName, commentTitle, withKnownNumber } from './comment-name';

test('a comment is called by the number that the hub gave it', () => {
  expect(commentName({ number: 3 })).toBe('comment 3');
  expect(commentTitle({ number: 3 })).toBe('Comment 3');
  expect(commentLabel({ number: 3 })).toBe('Comment 3');
});

test('a number that the hub said is not taken back by an answer from before it', () => {
  const comment = sampleComment('c_1');
  expect(withKnownNumber(comment, undefined)).toBe(comment);
  expect(withKnownNumber(comment, { ...comment, number: 3 }).number).toBe(3);
  expect(withKnownNumber({ ...comment, number: 1 }, { ...comment, number: 3 }).number).toBe(1);
});

test('before that it has no number, and its label says so', () => {
  expect(commentName({})).toBe('the comment');
  expect(commentName(undefined)).toBe('the comment');
  expect(commentTitle({})).toBe('The comment');
  expect(commentLabel({})).toBe('Comment not sent yet');
});
