import { effect } from '@preact/signals';
import { expect, test, vi } from 'vitest';
import type { Author } from '../../generated/Author';
import type { Comment } from '../../generated/Comment';
import { sampleComment } from '../../testing/samples';
import { createState, upsert } from './state';
import { dropStaleUndo, offerUndo } from './undo';

const PERSON: Author = { kind: 'person' };
const BETA: Author = { kind: 'agent', name: 'beta' };

function after(comment: Comment, by: Author, what: string): Comment {
  const revision = comment.revision + 1;
  return { ...comment, revision, history: [...comment.history, { revision, at: 1, by, what }] };
}

/** A comment that a person reopened, with the Undo that is offered for it. */
function reopened() {
  const state = createState('http://localhost:5173/shop');
  // What the agent did before is what was taken back.
  const left = after(
    after({ ...sampleComment('c_1'), number: 1 }, BETA, 'ready for review'),
    PERSON,
    'set to open',
  );
  state.comments.value = [left];
  const undo = vi.fn();
  offerUndo(state, 'Comment 1 reopened.', left, undo);
  return { state, left, undo, offered: state.notice.value };
}

test('Undo is offered no more once an agent went on with the comment', () => {
  const { state, left } = reopened();
  const stop = effect(() => dropStaleUndo(state));
  expect(state.notice.value?.action?.label).toBe('Undo');
  upsert(state, after(left, BETA, 'set to in progress'));
  expect(state.notice.value).toBeNull();
  stop();
});

test('an Undo that was pressed as the agent began is refused with a sentence', () => {
  const { state, left, undo, offered } = reopened();
  upsert(state, after(left, BETA, 'set to in progress'));
  offered?.action?.run();
  expect(undo).not.toHaveBeenCalled();
  expect(state.notice.value).toEqual({
    kind: 'error',
    text: 'Not undone: beta has changed comment 1 since.',
  });
});

test('what the page reports, the person says, or happens to another comment takes no Undo away', () => {
  const { state, left, undo, offered } = reopened();
  const stop = effect(() => dropStaleUndo(state));
  upsert(state, after(left, PERSON, 'its elements were looked at again'));
  upsert(state, after({ ...left, id: 'c_2' }, BETA, 'set to in progress'));
  expect(state.notice.value).toBe(offered);
  offered?.action?.run();
  expect(undo).toHaveBeenCalledOnce();
  stop();
});
