/** The bar at the bottom while picking: what to do, how many are picked, how to leave. */

import { render } from 'preact';
import { commentName } from '../../design/comment-name';
import { CloseIcon, PanelIcon, PickIcon } from '../../design/icons';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { stopPicking } from '../state/pick';
import type { State } from '../state/state';

export function initPickBar(
  root: Root,
  state: State,
  onDone: (elements: readonly Element[]) => void,
  signal: AbortSignal,
): void {
  const layer = root.layer('bottom');
  render(<PickBar state={state} onDone={onDone} />, layer);
  signal.addEventListener('abort', () => render(null, layer));
}

function PickBar({ state, onDone }: { state: State; onDone: (elements: readonly Element[]) => void }) {
  const pick = state.pick.value;
  if (pick.step !== 'choosing') return null;
  const { purpose, elements } = pick;
  return (
    <div class="bar pick-bar" data-testid="pick-bar" role="toolbar" aria-label="Picking an element">
      <PickIcon />
      <span class="pick-hint">
        {purpose.kind === 'repin' ? (
          <>
            Click the element that{' '}
            {commentName(state.comments.value.find(({ id }) => id === purpose.commentId))} is about
          </>
        ) : purpose.kind === 'answer' ? (
          <>
            {purpose.request.agent} asks: {purpose.request.message}
          </>
        ) : (
          <>
            Click an element{' '}
            <span class="pick-keys">
              <span class="pick-many">
                · <kbd>Shift</kbd> click several{' '}
              </span>
              <span class="pick-walk">
                · <kbd>↑↓←→</kbd> walk{' '}
              </span>
              · <kbd>Esc</kbd> leave
            </span>
          </>
        )}
      </span>
      {elements.length > 0 && (
        <button
          type="button"
          class="button primary"
          data-testid="pick-done"
          data-part
          onClick={() => onDone(elements)}
        >
          {purpose.kind === 'answer' ? 'Show' : 'Comment on'} {elements.length}
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        data-testid="pick-panel"
        data-part
        aria-label="Open the panel with this page’s comments"
        title="Open the panel"
        onClick={() => {
          ask('open_panel', {}).catch((error) => {
            state.notice.value = { kind: 'error', text: sentence(error) };
          });
        }}
      >
        <PanelIcon />
      </button>
      <button
        type="button"
        class="icon-button"
        data-testid="pick-cancel"
        data-part
        aria-label="Stop picking"
        onClick={() => stopPicking(state)}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
