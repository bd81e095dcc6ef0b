/** Which element of the page is at a point: below our own root, into open shadow roots and same-origin frames. */
import {
  clientHeightOf,
  clientWidthOf,
  ownerDocumentOf,
  rootNodeOf,
  scrollBy,
  scrollHeightOf,
  scrollLeftOf,
  scrollTopOf,
  scrollWidthOf,
  shadowRootOf,
  viewOf,
} from '../../capture/dom';
import { type Placement, placementInside, TOP } from '../../capture/geometry';
import { frameDocument, isOwn, parentOf } from '../../capture/tree';

/** `x`, `y`: CSS pixels in the top window's viewport. Inert elements (behind a modal dialog) are not hit. */
export function elementAt(x: number, y: number): Element | null {
  let scope: Document | ShadowRoot = document;
  let placement: Placement = TOP;
  let found: Element | null = null;
  for (;;) {
    const localX = (x - placement.x) / placement.scaleX;
    const localY = (y - placement.y) / placement.scaleY;
    const here: Element | undefined = scope
      .elementsFromPoint(localX, localY)
      .find((element) => !isOwn(element) && rootNodeOf(element) === scope);
    if (!here) return found;
    found = here;
    const shadow = shadowRootOf(here);
    if (shadow) {
      scope = shadow;
      continue;
    }
    const inner = frameDocument(here);
    if (!inner) return found;
    placement = placementInside(here, placement);
    scope = inner;
  }
}

/** Scrolls what is under the point, as the wheel would have done without our shield. */
export function scrollAt(x: number, y: number, deltaX: number, deltaY: number): void {
  let element = elementAt(x, y);
  while (element) {
    if (canScroll(element, deltaX, deltaY)) {
      scrollBy(element, { left: deltaX, top: deltaY, behavior: 'instant' });
      return;
    }
    element = parentOf(element);
  }
  window.scrollBy({ left: deltaX, top: deltaY, behavior: 'instant' });
}

function canScroll(element: Element, deltaX: number, deltaY: number): boolean {
  const document = ownerDocumentOf(element);
  const style = viewOf(document)?.getComputedStyle(element);
  if (!style) return false;
  const isRoot = element === document.scrollingElement;
  const scrolls = (overflow: string) =>
    overflow === 'auto' || overflow === 'scroll' || (isRoot && overflow !== 'hidden');
  const room = (delta: number, at: number, size: number, full: number) =>
    delta < 0 ? at > 0 : delta > 0 && Math.ceil(at + size) < full;
  return (
    (scrolls(style.overflowY) &&
      room(deltaY, scrollTopOf(element), clientHeightOf(element), scrollHeightOf(element))) ||
    (scrolls(style.overflowX) &&
      room(deltaX, scrollLeftOf(element), clientWidthOf(element), scrollWidthOf(element)))
  );
}
