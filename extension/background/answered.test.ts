import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { sampleComment } from '../testing/samples';
import { Answered, isAnswer } from './answered';

beforeEach(() => fakeBrowser.reset());

const agent = { kind: 'agent', name: 'codex' } as const;
const reply = (author: typeof agent | { kind: 'person' }) => ({
  id: 'r_1',
  author,
  text: 'Which blue?',
  createdAt: 1,
});

test('an answer is what an agent says, and not what the person or a file does', () => {
  const comment = sampleComment('c_1');
  const said = { ...comment, replies: [reply(agent)] };
  const resolution = { by: agent, at: 1 };
  expect(isAnswer(said, comment)).toBe(true);
  expect(isAnswer(said, said)).toBe(false);
  expect(isAnswer({ ...said, status: 'resolved', resolution }, said)).toBe(true);
  expect(isAnswer({ ...comment, replies: [reply({ kind: 'person' })] }, comment)).toBe(false);
  expect(isAnswer({ ...comment, replies: [{ ...reply(agent), importedAt: 2 }] }, comment)).toBe(false);
});

test('what was answered is known until it is seen, also to the next background', async () => {
  const comments = [sampleComment('c_1'), sampleComment('c_2')];
  const before = new Answered();
  await before.add('c_2');
  const after = new Answered();
  expect(await after.of(comments)).toEqual(['c_2']);
  expect(await after.of([{ ...sampleComment('c_2'), deletedAt: 1 }])).toEqual([]);
  expect(await after.seen(['c_1'])).toBe(false);
  expect(await after.seen(['c_2'])).toBe(true);
  expect(await new Answered().of(comments)).toEqual([]);
});
