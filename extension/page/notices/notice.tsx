/**
 * Short messages at the bottom, and the live region through which a screen reader hears of what happens. While a card
 * is open its messages stand in it: beside it they would cover it, and be out of reach of who is in a modal one.
 */
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { CheckIcon, CloseIcon, WarningIcon } from '../../design/icons';
import { focusPart } from '../host/focus';
import type { Root } from '../host/root';
import type { Follow } from '../positioning/follow';
import { pickedIn } from '../state/pick';
import type { Notice, State } from '../state/state';

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
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(
      () => close(state, notice),
      notice.action || notice.kind === 'error' ? LONG_MS : SHORT_MS,
    );
    return () => clearTimeout(timer);
  }, [notice]);
  // What stands in a card is told there: beside a modal one nothing is heard.
  const isInCard = state.composing.value || state.thread.value !== null;
  const announced = isInCard ? '' : (notice?.text ?? (state.picking.value ? picking(state) : ''));
  return (
    <>
      <Heard text={announced} notice={notice} />
      {notice && !isInCard && <Shown state={state} notice={notice} />}
    </>
  );
}

/**
 * The message in an open card. `focus`: what of the card gets the focus when the message goes that has it, a selector.
 */
export function NoticeInCard({ state, follow, focus }: { state: State; follow: Follow; focus: string }) {
  const notice = state.notice.value;
  // It makes the card higher, or lower again.
  useEffect(() => follow.wake(), [notice]);
  return (
    <>
      <Heard text={notice?.text ?? ''} notice={notice} />
      {notice && <Shown key={notice} state={state} notice={notice} focus={focus} />}
    </>
  );
}

function Heard({ text, notice }: { text: string; notice: Notice | null }) {
  return (
    <div class="heard" role="status" aria-live={notice?.kind === 'error' ? 'assertive' : 'polite'}>
      {text}
    </div>
  );
}

function close(state: State, notice: Notice): void {
  if (state.notice.peek() === notice) state.notice.value = null;
}

function Shown({ state, notice, focus }: { state: State; notice: Notice; focus?: string }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      const note = ref.current;
      if (!note || !focus) return;
      const { activeElement: active } = note.getRootNode() as Document | ShadowRoot;
      const next = note.contains(active) && note.closest('.card')?.querySelector<HTMLElement>(focus);
      if (next) focusPart(next);
    },
    [],
  );
  return (
    <div ref={ref} class={`bar notice ${notice.kind}`} data-testid="notice" data-part>
      {notice.kind === 'error' ? <WarningIcon /> : <CheckIcon />}
      <span>{notice.text}</span>
      {notice.action && (
        <button
          type="button"
          class="button"
          data-testid="notice-action"
          data-part
          onClick={() => {
            close(state, notice);
            notice.action?.run();
          }}
        >
          {notice.action.label}
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label="Close this message"
        data-part
        onClick={() => close(state, notice)}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

function picking(state: State): string {
  const count = pickedIn(state.pick.value).length;
  return count > 0 ? `${count} picked.` : 'Picking. Arrow keys walk the page, Enter picks, Escape leaves.';
}
