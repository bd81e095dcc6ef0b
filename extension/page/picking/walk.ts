/** Walking the tree with the arrow keys. Pure: takes an element, gives its neighbour. */
import { localNameOf } from '../../capture/dom';
import { childrenOf, parentOf } from '../../capture/tree';

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
  return !UNDRAWN.has(localNameOf(element));
}

/** Walks and remembers: down goes back to the child that up came from, as long as nothing else was chosen since. */
export class Trail {
  // Weak: the page may take away what was walked over.
  private readonly below: WeakRef<Element>[] = [];
  private at: WeakRef<Element> | null = null;

  step(from: Element, direction: Direction): Element | null {
    if (from !== this.at?.deref()) this.below.length = 0;
    const back = direction === 'down' ? this.below.at(-1)?.deref() : undefined;
    const next = back && parentOf(back) === from ? back : walk(from, direction);
    if (!next) return null;
    if (direction === 'up') this.below.push(new WeakRef(from));
    else if (next === back) this.below.pop();
    else this.below.length = 0;
    this.at = new WeakRef(next);
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
