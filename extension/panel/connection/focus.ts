/** Gives the keyboard to what has just been drawn in the place of what had it. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Pairing } from './pairing/pairing';

export function useWantedFocus<E extends HTMLElement>(
  pairing: Pairing,
  name: NonNullable<Pairing['wantsFocus']['value']>,
) {
  const element = useRef<E>(null);
  const isWanted = pairing.wantsFocus.value === name;
  // With the drawing itself: between the two a key would go nowhere.
  useLayoutEffect(() => {
    if (!isWanted || !element.current) return;
    pairing.wantsFocus.value = null;
    element.current.focus();
    if (element.current instanceof HTMLInputElement) element.current.select();
  }, [pairing, isWanted]);
  return element;
}
