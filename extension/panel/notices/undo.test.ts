import { expect, test, vi } from 'vitest';
import { UndoStack } from './undo';

const step = (label: string, log: string[]) => ({
  label,
  about: 'c_a',
  undo: async () => {
    log.push(label);
  },
});

test('the newest step is undone first, each once, then nothing', async () => {
  const log: string[] = [];
  const stack = new UndoStack();
  for (const label of ['a', 'b', 'c']) stack.push(step(label, log));
  for (let count = 0; count < 3; count++) await stack.undo();
  expect(log).toEqual(['c', 'b', 'a']);
  expect(await stack.undo()).toBeUndefined();
});

test('a step can be undone out of order, and not twice', async () => {
  const log: string[] = [];
  const stack = new UndoStack();
  const first = step('first', log);
  stack.push(first);
  stack.push(step('second', log));
  await stack.undo(first);
  expect(await stack.undo(first)).toBeUndefined();
  await stack.undo();
  expect(log).toEqual(['first', 'second']);
});

test('a step that fails stays to be tried again', async () => {
  const stack = new UndoStack();
  const undo = vi.fn().mockRejectedValueOnce(new Error('The host refused.')).mockResolvedValueOnce(undefined);
  stack.push({ label: 'x', about: 'c_a', undo });
  await expect(stack.undo()).rejects.toThrow('The host refused.');
  expect((await stack.undo())?.label).toBe('x');
  expect(stack.size).toBe(0);
});

test('two presses at once do not undo one step twice', async () => {
  const log: string[] = [];
  const stack = new UndoStack();
  stack.push(step('only', log));
  await Promise.all([stack.undo(), stack.undo()]);
  expect(log).toEqual(['only']);
});

test('only the last fifty steps are kept', () => {
  const stack = new UndoStack();
  for (let count = 0; count < 60; count++) stack.push(step('x', []));
  expect(stack.size).toBe(50);
});

test('a step that is refused for good says why, and stands in the way of no older one', async () => {
  const log: string[] = [];
  const stack = new UndoStack();
  stack.push(step('older', log));
  stack.push({ ...step('refused', log), refused: () => 'Not undone.' });
  await expect(stack.undo()).rejects.toThrow('Not undone.');
  expect((await stack.undo())?.label).toBe('older');
  expect(log).toEqual(['older']);
});
