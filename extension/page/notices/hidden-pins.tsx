/**
 * Pins that the person hid are one small button at the edge: what is hidden is not forgotten, and comes back by a
 * press.
 */
import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ShowIcon } from '../../design/icons';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import type { State } from '../state/state';
import { LiveRegion } from './live-region';

export function initHiddenPins(root: Root, state: State, signal: AbortSignal): void {
  const layer = root.layer('hidden-pins');
  render(<HiddenPins root={root} state={state} />, layer);
  signal.addEventListener('abort', () => render(null, layer));
}

interface Props {
  root: Root;
  state: State;
}

function HiddenPins({ root, state }: Props) {
  const { pinsHidden, pinned, picking } = state;
  const wereHidden = useRef(false);
  const count = pinned.value.length;
  // Said also where there is none: a comment that is made now gets a pin that is hidden.
  const isHidden = pinsHidden.value;
  wereHidden.current ||= isHidden;
  const words = isHidden ? 'Pins are hidden.' : wereHidden.current ? 'Pins are shown.' : '';
  return (
    <>
      <LiveRegion text={words} mark={words} />
      {isHidden && !picking.value && <Back root={root} state={state} count={count} />}
    </>
  );
}

function Back({ root, state, count }: Props & { count: number }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(
    () => () => {
      if (button.current === root.shadow.activeElement) root.giveFocusBack();
    },
    [],
  );
  const show = () => {
    state.pinsHidden.value = false;
    ask('hide_pins', { hidden: false }).catch((error) => {
      state.notice.value = { kind: 'error', text: sentence(error) };
    });
  };
  return (
    <button
      ref={button}
      type="button"
      class="pins-back"
      data-testid="show-pins"
      data-part
      title="Pins are hidden in this tab"
      onClick={show}
    >
      <ShowIcon size={14} /> Show {count === 0 ? 'pins' : count === 1 ? '1 pin' : `${count} pins`}
    </button>
  );
}
