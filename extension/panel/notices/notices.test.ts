import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asSentence, Notices } from './notices';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const texts = (notices: Notices) => notices.shown.value.map(({ text }) => text);
const stepOn = (about: string) => ({ label: 'x', about, undo: async () => {} });
const step = stepOn('c_a');

test('a notice with Undo stays for ten seconds', () => {
  const notices = new Notices();
  notices.done('Deleted.', step);
  vi.advanceTimersByTime(9_999);
  expect(texts(notices)).toEqual(['Deleted.']);
  vi.advanceTimersByTime(1);
  expect(texts(notices)).toEqual([]);
});

test('a failure stays until it is closed, and is not told twice', () => {
  const notices = new Notices();
  notices.failed(new Error('No.'));
  notices.failed(new Error('No.'));
  vi.advanceTimersByTime(600_000);
  expect(texts(notices)).toEqual(['No.']);
  notices.close(notices.shown.value[0]?.id ?? -1);
  expect(texts(notices)).toEqual([]);
});

test('a notice that is pointed at does not go away under the pointer', () => {
  const notices = new Notices();
  notices.done('Deleted.', step);
  const id = notices.shown.value[0]?.id ?? -1;
  notices.hold(id);
  vi.advanceTimersByTime(60_000);
  expect(texts(notices)).toEqual(['Deleted.']);
  notices.release(id);
  vi.advanceTimersByTime(10_000);
  expect(texts(notices)).toEqual([]);
});

test('three are shown at most, the newest', () => {
  const notices = new Notices();
  for (const text of ['1', '2', '3', '4']) notices.done(text, stepOn(text));
  expect(texts(notices)).toEqual(['2', '3', '4']);
});

test('what was done replaces what was done before, but never an Undo or a failure', () => {
  const notices = new Notices();
  notices.done('Copied.');
  notices.done('Deleted.', step);
  notices.failed(new Error('No.'));
  notices.done('Saved.');
  expect(texts(notices)).toEqual(['Deleted.', 'No.', 'Saved.']);
});

test.each([
  [new Error('the file is not JSON'), 'The file is not JSON.'],
  ['Say what to do.', 'Say what to do.'],
  [new Error(''), 'Something failed. Try again.'],
])('the failure %s reads as a sentence', (error, sentence) => {
  expect(asSentence(error)).toBe(sentence);
});

test('a newer step on the same comment takes the place of the older one', () => {
  const notices = new Notices();
  notices.done('Resolved comment 1.', stepOn('c_a'));
  notices.done('Deleted comment 2.', stepOn('c_b'));
  notices.done('Reopened comment 1.', stepOn('c_a'));
  expect(texts(notices)).toEqual(['Deleted comment 2.', 'Reopened comment 1.']);
});
