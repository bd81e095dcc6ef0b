/** How much of an element can be seen: what its scrollers and frames leave of it. Measures only. */
import { intersection, place, placementOf, viewportBox } from '../capture/geometry';
import { frameOf, parentOf } from '../capture/tree';

/** The ancestors that cut off what overflows them, frames included. Changes with layout, not with scrolling. */
export function clippersOf(element: Element): Element[] {
  const clippers: Element[] = [];
  for (let at = parentOf(element); at; at = parentOf(at)) {
    const view = at.ownerDocument.defaultView;
    // The root's overflow is the viewport's, which is cut off anyway.
    if (at === at.ownerDocument.documentElement || at === at.ownerDocument.body) continue;
    const overflow = view?.getComputedStyle(at).overflow ?? 'visible';
    if (overflow !== 'visible') clippers.push(at);
  }
  for (let frame = frameOf(element.ownerDocument); frame; frame = frameOf(frame.ownerDocument))
    clippers.push(frame);
  return clippers;
}

/** The part of the element's box that is in view, in the top viewport; null when none is. */
export function visiblePart(element: Element, clippers: readonly Element[]): DOMRect | null {
  const box = viewportBox(element);
  let part = intersection(box, new DOMRect(0, 0, innerWidth, innerHeight));
  for (const clipper of clippers) {
    if (!part) return null;
    part = intersection(part, place(clipper.getBoundingClientRect(), placementOf(clipper)));
  }
  return part;
}
