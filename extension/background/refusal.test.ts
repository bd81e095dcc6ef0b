import { expect, test } from 'vitest';
import type { ErrorBody } from '../generated/ErrorBody';
import { refusal } from './refusal';
import type { OutboxItem } from './store';

const reply = {
  seq: 1,
  id: 'm_1',
  subject: 'c_1',
  origin: 'http://localhost:5173',
  attempts: 0,
  request: {
    type: 'change_comment',
    payload: { commentId: 'c_1', change: { kind: 'reply', id: 'r_1', text: 'And larger' }, at: 1 },
  },
} as OutboxItem;

test('a person is told what a person can do, not what an agent is told', () => {
  const error: ErrorBody = {
    code: 'unknown_comment',
    message: 'there is no comment c_1 in this project',
    nextStep: 'Ask for the comments again and use an id of the answer; a deleted comment needs no work.',
  };
  expect(refusal(reply, error, undefined, undefined)).toBe(
    'Your reply “And larger” was not sent: the project no longer has this comment. Copy your words and write a new one, or discard them.',
  );
});

test('what has no words says nothing of words', () => {
  const error: ErrorBody = { code: 'unknown_comment', message: 'no', nextStep: 'Ask.' };
  const payload = { commentId: 'c_1', change: { kind: 'resolve' }, at: 1 } as const;
  const item = { ...reply, request: { type: 'change_comment', payload } } as OutboxItem;
  expect(refusal(item, error, undefined, undefined)).toBe(
    '“resolve” of the comment “c_1” was refused: the project no longer has this comment.',
  );
});

test('every other reason is the hub’s own', () => {
  const error: ErrorBody = { code: 'forbidden', message: 'it is read-only', nextStep: 'Free it.' };
  expect(refusal(reply, error, undefined, undefined)).toBe(
    'Your reply “And larger” was not sent: it is read-only. Free it.',
  );
});
