/**
 * What waits for the person's yes or no: what it is, how long there is, how many, and a button that opens the panel. A
 * page can lay things over ours and move them under a click, so nothing is approved or rejected here.
 */
import { type Signal, signal as value } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ApprovalIcon } from '../../design/icons';
import { timeLeft, timeLeftEvery } from '../../design/time-left';
import type { PageApproval } from '../../state/approvals';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { LiveRegion } from '../notices/live-region';
import type { State } from '../state/state';

export function initApprovals(root: Root, state: State, signal: AbortSignal): void {
  const layer = root.layer('approvals');
  const now = value(Date.now());
  render(<Approvals root={root} state={state} now={now} />, layer);
  signal.addEventListener('abort', () => render(null, layer));
}

interface Props {
  root: Root;
  state: State;
  now: Signal<number>;
}

function Approvals({ root, state, now }: Props) {
  const { approvals, picking, thread } = state;
  const { first, count } = approvals.value;
  const isAny = first.length > 0;
  useEffect(() => {
    if (!isAny) return;
    const tick = () => {
      now.value = Date.now();
    };
    tick();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = setInterval(tick, timeLeftEvery(isStill));
    return () => clearInterval(timer);
  }, [isAny]);
  // The page knows the moments: without a hub nobody tells it that one has passed.
  const waiting = first.filter(({ expiresAt }) => expiresAt > now.value);
  const passed = first.length - waiting.length;
  const [next] = waiting;
  return (
    <>
      <LiveRegion
        text={next ? `An agent asks for your approval: ${next.action}` : ''}
        mark={next?.id ?? ''}
      />
      {next && !picking.value && !thread.value && (
        <Card root={root} state={state} next={next} count={count - passed} now={now.value} />
      )}
    </>
  );
}

interface CardProps {
  root: Root;
  state: State;
  next: PageApproval;
  count: number;
  now: number;
}

function Card({ root, state, next, count, now }: CardProps) {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(
    () => () => {
      if (card.current?.contains(root.shadow.activeElement)) root.giveFocusBack();
    },
    [],
  );
  const open = () => {
    ask('open_approvals', {}).catch((error) => {
      state.notice.value = { kind: 'error', text: sentence(error) };
    });
  };
  return (
    <section
      class="asked-note approval-note"
      aria-label="An agent asks for your approval"
      data-testid="approval"
      data-part
      ref={card}
    >
      <p class="asked-who">
        <ApprovalIcon size={14} />
        <span class="approval-kind">
          {count === 1 ? 'An agent asks for your approval' : `${count} approvals wait for you`}
        </span>
        <span class="approval-time" data-testid="approval-time">
          {timeLeft(next.expiresAt - now)}
        </span>
      </p>
      <p class="approval-action" dir="auto" data-testid="approval-action">
        {next.action}
      </p>
      <div class="row">
        <button type="button" class="button primary" data-testid="approval-open" data-part onClick={open}>
          Open to decide
        </button>
      </div>
    </section>
  );
}
