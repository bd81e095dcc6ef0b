/** The bar at the bottom while picking, or at the top: what to do, how many are picked, how to leave. */

import { type ReadonlySignal, signal as value } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { commentName } from '../../design/comment-name';
import { CloseIcon, PanelIcon, PickIcon } from '../../design/icons';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { type Pick, stopPicking } from '../state/pick';
import type { State } from '../state/state';
import { type Edge, isInWay, otherEdge, STAYS_MS } from './dodge';

export function initPickBar(
  root: Root,
  state: State,
  onDone: (elements: readonly Element[]) => void,
  signal: AbortSignal,
): void {
  const layer = root.layer('bottom');
  const pointer = value<Point>({ x: -1, y: -1 });
  const follow = (event: Event) => {
    if (event.type === 'pointermove' && state.pick.peek().step === 'choosing') {
      const { clientX: x, clientY: y } = event as PointerEvent;
      pointer.value = { x, y };
    }
    return false;
  };
  root.interceptors.add(follow);
  render(<PickBar root={root} layer={layer} state={state} pointer={pointer} onDone={onDone} />, layer);
  signal.addEventListener('abort', () => {
    root.interceptors.delete(follow);
    render(null, layer);
  });
}

/** In the viewport. */
interface Point {
  x: number;
  y: number;
}

interface Props {
  root: Root;
  layer: HTMLElement;
  state: State;
  /** Where it was last, while something is picked. */
  pointer: ReadonlySignal<Point>;
  onDone: (elements: readonly Element[]) => void;
}

function PickBar(props: Props) {
  const pick = props.state.pick.value;
  return pick.step === 'choosing' ? <Bar {...props} pick={pick} /> : null;
}

/** Where the bar stands: it makes way for the pointer, but not with the keyboard's focus in it. */
function useEdge({ root, layer, pointer }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const [edge, setEdge] = useState<Edge>('bottom');
  useLayoutEffect(() => {
    layer.dataset.edge = edge;
  }, [layer, edge]);
  useEffect(() => {
    const isWanted = () => {
      const box = bar.current?.getBoundingClientRect();
      if (!bar.current || !box) return false;
      const { left, top, right, bottom } = box;
      const buttons = bar.current.querySelector('button')?.getBoundingClientRect().left ?? right;
      const { activeElement: focused } = root.shadow;
      const isByKeys = bar.current.contains(focused) && focused?.matches(':focus-visible');
      return !isByKeys && isInWay({ left, top, right, bottom, buttons }, pointer.peek(), innerHeight);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = pointer.subscribe(() => {
      if (!isWanted()) {
        clearTimeout(timer);
        timer = undefined;
      } else {
        timer ??= setTimeout(() => {
          timer = undefined;
          if (isWanted()) setEdge(otherEdge);
        }, STAYS_MS);
      }
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [root, pointer]);
  return bar;
}

function Bar(props: Props & { pick: Extract<Pick, { step: 'choosing' }> }) {
  const { state, onDone } = props;
  const { purpose, elements } = props.pick;
  const bar = useEdge(props);
  return (
    <div class="bar pick-bar" data-testid="pick-bar" role="toolbar" aria-label="Picking an element" ref={bar}>
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
