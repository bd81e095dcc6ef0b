/** Says what was done to a comment, with the way back for as long as no agent did something to it since. */
import { commentName } from '../../design/comment-name';
import { agentStepSince, type Left, refusal } from '../../verdict/since';
import type { State } from './state';

/** `left`: the comment as the step left it. `undo` says itself what came of it. */
export function offerUndo(state: State, text: string, left: Left, undo: () => void): void {
  state.notice.value = {
    kind: 'info',
    text,
    action: {
      label: 'Undo',
      left,
      run: () => {
        const step = agentStepSince(state.comments.peek(), left);
        if (!step) return undo();
        const name = commentName(state.comments.peek().find(({ id }) => id === left.id));
        state.notice.value = { kind: 'error', text: refusal(name, step) };
      },
    },
  };
}

/** Takes away a message whose Undo would take back an agent's step. */
export function dropStaleUndo(state: State): void {
  const left = state.notice.value?.action?.left;
  if (left && agentStepSince(state.comments.value, left)) state.notice.value = null;
}
