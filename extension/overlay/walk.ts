/** Walking the tree with the arrow keys. Pure: takes an element, gives its neighbour. */
import { childrenOf, parentOf } from '../capture/tree';

export type Direction = 'up' | 'down' | 'left' | 'right';

export const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** Never drawn: nothing to point at. */
const UNDRAWN = new Set(['head', 'script', 'style', 'link', 'meta', 'template', 'noscript', 'title', 'base']);

function drawn(element: Element): boolean {
  return !UNDRAWN.has(element.localName);
}

/** The neighbour, or null at an edge. Shadow roots and same-origin frames are walked through. */
export function walk(element: Element, direction: Direction): Element | null {
  if (direction === 'up') return parentOf(element);
  if (direction === 'down') return childrenOf(element).find(drawn) ?? null;
  const parent = parentOf(element);
  if (!parent) return null;
  const siblings = childrenOf(parent).filter(drawn);
  const at = siblings.indexOf(element);
  if (at < 0) return null;
  return siblings[direction === 'left' ? at - 1 : at + 1] ?? null;
}
