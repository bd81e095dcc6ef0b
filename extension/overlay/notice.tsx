/** Short messages at the bottom, and the live region through which a screen reader hears of what happens. */
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { CheckIcon, CloseIcon, WarningIcon } from '../design/icons';
import type { Root } from './root';
import type { State } from './state';

/** How long a message stays; one with an action or an error stays longer. */
const SHORT_MS = 4_000;
const LONG_MS = 10_000;

export function initNotice(root: Root, state: State, signal: AbortSignal): void {
  const layer = root.layer('notices');
  render(<NoticeView state={state} />, layer);
  signal.addEventListener('abort', () => render(null, layer));
}

function NoticeView({ state }: { state: State }) {
  const notice = state.notice.value;
  const close = () => {
    if (state.notice.peek() === notice) state.notice.value = null;
  };
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(close, notice.action || notice.kind === 'error' ? LONG_MS : SHORT_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  const announced = notice?.text ?? (state.picking.value && !state.composing.value ? picking(state) : '');
  return (
    <>
      <div class="heard" role="status" aria-live={notice?.kind === 'error' ? 'assertive' : 'polite'}>
        {announced}
      </div>
      {notice && (
        <div class={`notice ${notice.kind}`} data-testid="notice" data-part>
          {notice.kind === 'error' ? <WarningIcon /> : <CheckIcon />}
          <span>{notice.text}</span>
          {notice.action && (
            <button
              type="button"
              class="button"
              data-testid="notice-action"
              data-part
              onClick={() => {
                close();
                notice.action?.run();
              }}
            >
              {notice.action.label}
            </button>
          )}
          <button type="button" class="icon-button" aria-label="Close this message" data-part onClick={close}>
            <CloseIcon />
          </button>
        </div>
      )}
    </>
  );
}

function picking(state: State): string {
  const count = state.picked.value.length;
  return count > 0 ? `${count} picked.` : 'Picking. Arrow keys walk the page, Enter picks, Escape leaves.';
}
