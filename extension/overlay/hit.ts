/** Which element of the page is at a point: below our own root, into open shadow roots and same-origin frames. */
import { type Placement, placementInside, TOP } from '../capture/geometry';
import { frameDocument, isOwn } from '../capture/tree';

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
      .find((element) => !isOwn(element) && element.getRootNode() === scope);
    if (!here) return found;
    found = here;
    if (here.shadowRoot) {
      scope = here.shadowRoot;
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
      element.scrollBy({ left: deltaX, top: deltaY, behavior: 'instant' });
      return;
    }
    const parent: Node | null = element.parentNode;
    element =
      parent?.nodeType === 11 ? (parent as ShadowRoot).host : (element.parentElement ?? frameAround(element));
  }
  window.scrollBy({ left: deltaX, top: deltaY, behavior: 'instant' });
}

function frameAround(element: Element): Element | null {
  return element.ownerDocument.defaultView?.frameElement ?? null;
}

function canScroll(element: Element, deltaX: number, deltaY: number): boolean {
  const view = element.ownerDocument.defaultView;
  const style = view?.getComputedStyle(element);
  if (!style) return false;
  const isRoot = element === element.ownerDocument.scrollingElement;
  const scrolls = (overflow: string) =>
    overflow === 'auto' || overflow === 'scroll' || (isRoot && overflow !== 'hidden');
  const room = (delta: number, at: number, size: number, full: number) =>
    delta < 0 ? at > 0 : delta > 0 && Math.ceil(at + size) < full;
  return (
    (scrolls(style.overflowY) &&
      room(deltaY, element.scrollTop, element.clientHeight, element.scrollHeight)) ||
    (scrolls(style.overflowX) && room(deltaX, element.scrollLeft, element.clientWidth, element.scrollWidth))
  );
}
