/** How much of an element can be seen: what its scrollers and frames leave of it. Measures only. */

import { boxOf, ownerDocumentOf, viewOf } from '../../capture/dom';
import { intersection, place, placementOf, viewportBox } from '../../capture/geometry';
import { frameOf, parentOf } from '../../capture/tree';
import { seenWindow } from '../positioning/seen-window';

/** Ancestors that are asked, nearest first: asking costs a style each. */
const MAX_UP = 1_000;

/** The ancestors that cut off what overflows them, frames included. Changes with layout, not with scrolling. */
export function clippersOf(element: Element): Element[] {
  const clippers: Element[] = [];
  let up = 0;
  for (let at = parentOf(element); at && up < MAX_UP; at = parentOf(at), up++) {
    const document = ownerDocumentOf(at);
    // The root's overflow is the viewport's, which is cut off anyway.
    if (at === document.documentElement || at === document.body) continue;
    const overflow = viewOf(document)?.getComputedStyle(at).overflow ?? 'visible';
    if (overflow !== 'visible') clippers.push(at);
  }
  for (let frame = frameOf(ownerDocumentOf(element)); frame; frame = frameOf(ownerDocumentOf(frame)))
    clippers.push(frame);
  return clippers;
}

/** The part of the element's box that is in view, in the top viewport; null when none is. */
export function visiblePart(element: Element, clippers: readonly Element[]): DOMRect | null {
  const box = viewportBox(element);
  const { width, height } = seenWindow();
  let part = intersection(box, new DOMRect(0, 0, width, height));
  for (const clipper of clippers) {
    if (!part) return null;
    part = intersection(part, place(boxOf(clipper), placementOf(clipper)));
  }
  return part;
}
