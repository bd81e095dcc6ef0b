/** The bar at the bottom while picking: what to do, how many are picked, how to leave. */
import { render } from 'preact';
import { CloseIcon, PanelIcon, PickIcon } from '../../design/icons';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import type { State } from '../state/state';
import { leave } from './picking';

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
  if (!state.picking.value || state.composing.value) return null;
  const picked = state.picked.value;
  const repinning = state.repinning.value;
  const answering = state.answering.value;
  const number = repinning ? state.numbers.value.get(repinning.commentId) : undefined;
  return (
    <div class="pick-bar" data-testid="pick-bar" role="toolbar" aria-label="Picking an element">
      <PickIcon />
      <span class="pick-hint">
        {repinning ? (
          <>Click the element that comment {number ?? ''} is about</>
        ) : answering ? (
          <>
            {answering.agent} asks: {answering.message}
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
      {picked.length > 0 && (
        <button
          type="button"
          class="button primary"
          data-testid="pick-done"
          data-part
          onClick={() => onDone(picked)}
        >
          {answering ? 'Show' : 'Comment on'} {picked.length}
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
        onClick={() => leave(state)}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
