/**
 * When the bar of picking makes way: what lies under it is to be picked as well. It goes to the window's other edge
 * where the pointer comes near its words and stays there for a moment; its buttons stay where they are for who aims at
 * them. Pure.
 */

/** Where the bar stands. */
export type Edge = 'bottom' | 'top';

/** A bar, in the viewport. */
export interface Bar {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Where its buttons begin. */
  buttons: number;
}

/** So near is near, CSS pixels. */
const NEAR = 20;
/** Whoever is on the way to somewhere else has gone on by then, milliseconds. */
export const STAYS_MS = 120;

/** Whether a bar stands in the way of a pointer there, and would not at the other edge of a window of this height. */
export function isInWay(bar: Bar, { x, y }: { x: number; y: number }, height: number): boolean {
  const isBeside = x < bar.left - NEAR || x >= bar.buttons;
  if (isBeside) return false;
  const isNear = (top: number, bottom: number) => y >= top - NEAR && y < bottom + NEAR;
  return isNear(bar.top, bar.bottom) && !isNear(height - bar.bottom, height - bar.top);
}

export const otherEdge = (edge: Edge): Edge => (edge === 'bottom' ? 'top' : 'bottom');
