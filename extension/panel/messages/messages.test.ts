import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asSentence, Messages } from './messages';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const texts = (messages: Messages) => messages.shown.value.map(({ text }) => text);
const stepOn = (about: string) => ({ label: 'x', about, undo: async () => {} });
const step = stepOn('c_a');

test('a message with Undo stays for ten seconds', () => {
  const messages = new Messages();
  messages.done('Deleted.', step);
  vi.advanceTimersByTime(9_999);
  expect(texts(messages)).toEqual(['Deleted.']);
  vi.advanceTimersByTime(1);
  expect(texts(messages)).toEqual([]);
});

test('a failure stays until it is closed, and is not told twice', () => {
  const messages = new Messages();
  messages.failed(new Error('No.'));
  messages.failed(new Error('No.'));
  vi.advanceTimersByTime(600_000);
  expect(texts(messages)).toEqual(['No.']);
  messages.close(messages.shown.value[0]?.id ?? -1);
  expect(texts(messages)).toEqual([]);
});

test('a message that is pointed at does not go away under the pointer', () => {
  const messages = new Messages();
  messages.done('Deleted.', step);
  const id = messages.shown.value[0]?.id ?? -1;
  messages.hold(id);
  vi.advanceTimersByTime(60_000);
  expect(texts(messages)).toEqual(['Deleted.']);
  messages.release(id);
  vi.advanceTimersByTime(10_000);
  expect(texts(messages)).toEqual([]);
});

test('three are shown at most, the newest', () => {
  const messages = new Messages();
  for (const text of ['1', '2', '3', '4']) messages.done(text, stepOn(text));
  expect(texts(messages)).toEqual(['2', '3', '4']);
});

test('what was done replaces what was done before, but never an Undo or a failure', () => {
  const messages = new Messages();
  messages.done('Copied.');
  messages.done('Deleted.', step);
  messages.failed(new Error('No.'));
  messages.done('Saved.');
  expect(texts(messages)).toEqual(['Deleted.', 'No.', 'Saved.']);
});

test.each([
  [new Error('the file is not JSON'), 'The file is not JSON.'],
  ['Say what to do.', 'Say what to do.'],
  [new Error(''), 'Something failed. Try again.'],
])('the failure %s reads as a sentence', (error, sentence) => {
  expect(asSentence(error)).toBe(sentence);
});

test('a newer step on the same comment takes the place of the older one', () => {
  const messages = new Messages();
  messages.done('Resolved comment 1.', stepOn('c_a'));
  messages.done('Deleted comment 2.', stepOn('c_b'));
  messages.done('Reopened comment 1.', stepOn('c_a'));
  expect(texts(messages)).toEqual(['Deleted comment 2.', 'Reopened comment 1.']);
});
