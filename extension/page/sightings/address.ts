/**
 * What a target's stored selector means now, seen from its element. Whether it still leads to the element is told by
 * the element and its ancestors; whether to others too takes a search of the page, which the caller bounds.
 */
import { rootNodeOf } from '../../capture/dom';
import { matchesSegment } from '../../capture/matches';
import { parseSelector } from '../../capture/notation';
import { resolveSelector, resolveUnless } from '../../capture/resolve';
import { frameOf, isDocument, isShadowRoot } from '../../capture/tree';
import type { Comment } from '../../generated/Comment';

/** Whether the selector leads to this element, perhaps among others. Costs as much as the selector is long. */
export function leadsTo(selector: string, element: Element): boolean {
  let at: Element | null = element;
  for (const segment of parseSelector(selector).reverse()) {
    if (!at || !matchesSegment(at, segment)) return false;
    const root: Node = rootNodeOf(at);
    at = isShadowRoot(root) ? root.host : isDocument(root) ? frameOf(root) : null;
  }
  return at === null;
}

/** Longest search of the page for one selector, milliseconds: a part of a slice. */
const SEARCH_MS = 1;

/** How many elements it leads to: none, one or several; null when finding out would hold up the page. */
export function leadsToHowMany(selector: string): 0 | 1 | 2 | null {
  const end = performance.now() + SEARCH_MS;
  const found = resolveUnless(() => performance.now() >= end, selector);
  if (!found) return null;
  const { length } = found;
  return length > 1 ? 2 : length === 1 ? 1 : 0;
}

/** Where the selector points now, before the core has looked: a place to draw the pin at once. */
export function firstGuess(comment: Comment): Element | null {
  const target = comment.targets[0];
  const found = target ? resolveSelector(target.selector) : [];
  return found.length === 1 ? (found[0] ?? null) : null;
}
