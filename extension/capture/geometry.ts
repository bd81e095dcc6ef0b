/**
 * Boxes across frames: what a frame measures in its own viewport, in the top window's viewport.
 * Knows rectangles only.
 */
import { boxOf, firstChildOf, ownerDocumentOf, viewOf } from './dom';
import { frameOf, isDocument } from './tree';

/** How a document's viewport lies in the top window's viewport. */
export interface Placement {
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
}

export const TOP: Placement = { x: 0, y: 0, scaleX: 1, scaleY: 1 };

/** The placement of the document inside `frame`, whose own document has the placement `outer`. */
export function placementInside(frame: Element, outer: Placement): Placement {
  const box = boxOf(frame);
  const html = frame as HTMLElement;
  // A transformed frame is drawn scaled: its layout width differs from its drawn width.
  const scaleX = html.offsetWidth > 0 ? box.width / html.offsetWidth : 1;
  const scaleY = html.offsetHeight > 0 ? box.height / html.offsetHeight : 1;
  const style = viewOf(ownerDocumentOf(frame))?.getComputedStyle(frame);
  const left = frame.clientLeft + (Number.parseFloat(style?.paddingLeft ?? '0') || 0);
  const top = frame.clientTop + (Number.parseFloat(style?.paddingTop ?? '0') || 0);
  return {
    x: outer.x + (box.x + left * scaleX) * outer.scaleX,
    y: outer.y + (box.y + top * scaleY) * outer.scaleY,
    scaleX: outer.scaleX * scaleX,
    scaleY: outer.scaleY * scaleY,
  };
}

/** The placement of the document a node is in. */
export function placementOf(node: Node): Placement {
  const root = isDocument(node) ? node : ownerDocumentOf(node);
  const frame = root ? frameOf(root) : null;
  return frame ? placementInside(frame, placementOf(frame)) : TOP;
}

/** A rectangle of a document in the top window's viewport. */
export function place(rect: DOMRectReadOnly, placement: Placement): DOMRect {
  return new DOMRect(
    placement.x + rect.x * placement.scaleX,
    placement.y + rect.y * placement.scaleY,
    rect.width * placement.scaleX,
    rect.height * placement.scaleY,
  );
}

/** The element's box in the top window's viewport, CSS pixels. */
export function viewportBox(element: Element): DOMRect {
  const box = boxOf(element);
  const placement = placementOf(element);
  if (box.width > 0 || box.height > 0 || firstChildOf(element) === null) return place(box, placement);
  // `display: contents` has no box of its own: take what its content covers.
  const range = ownerDocumentOf(element).createRange();
  range.selectNodeContents(element);
  return place(range.getBoundingClientRect(), placement);
}

export function intersection(a: DOMRectReadOnly, b: DOMRectReadOnly): DOMRect | null {
  const x = Math.max(a.left, b.left);
  const y = Math.max(a.top, b.top);
  const right = Math.min(a.right, b.right);
  const bottom = Math.min(a.bottom, b.bottom);
  return right > x && bottom > y ? new DOMRect(x, y, right - x, bottom - y) : null;
}
