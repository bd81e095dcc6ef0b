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

/** Walks and remembers: down goes back to the child that up came from, as long as nothing else was chosen since. */
export class Trail {
  private readonly below: Element[] = [];
  private at: Element | null = null;

  step(from: Element, direction: Direction): Element | null {
    if (from !== this.at) this.below.length = 0;
    const back = direction === 'down' ? this.below.at(-1) : undefined;
    const next = back && parentOf(back) === from ? back : walk(from, direction);
    if (!next) return null;
    if (direction === 'up') this.below.push(from);
    else if (next === back) this.below.pop();
    else this.below.length = 0;
    this.at = next;
    return next;
  }
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
