/**
 * Where an element stands in what scrolls it. Lists that draw only what is in view take elements away when they are
 * scrolled out and put others in their place; that the place itself is out of view is the evidence that nothing is
 * missing.
 */
import {
  boxOf,
  clientHeightOf,
  clientWidthOf,
  contains,
  ownerDocumentOf,
  scrollHeightOf,
  scrollLeftOf,
  scrollTo,
  scrollTopOf,
  scrollWidthOf,
  viewOf,
} from '../../capture/dom';
import { intersection, place, placementOf, viewportBox } from '../../capture/geometry';
import { isAttached, parentOf } from '../../capture/tree';
import type { ElementBrief } from '../../generated/ElementBrief';

export interface Whereabouts {
  scroller: WeakRef<Element>;
  /** The element's box in the scroller's content, CSS pixels; does not change by scrolling. */
  box: DOMRectReadOnly;
}

/** Ancestors that are asked, nearest first: asking costs a style each. */
const MAX_UP = 1_000;

/** The nearest ancestor that scrolls, the document's own scroller at the last. */
export function scrollerOf(element: Element): Element | null {
  let up = 0;
  for (let at = parentOf(element); at && up < MAX_UP; at = parentOf(at), up++) {
    const document = ownerDocumentOf(at);
    if (at === document.body || at === document.documentElement) continue;
    const style = viewOf(document)?.getComputedStyle(at);
    const scrolls = /auto|scroll|overlay/.test(`${style?.overflowY} ${style?.overflowX}`);
    if (!scrolls) continue;
    if (scrollHeightOf(at) > clientHeightOf(at) + 1 || scrollWidthOf(at) > clientWidthOf(at) + 1) return at;
  }
  return ownerDocumentOf(element).scrollingElement;
}

/** Null for an element that is not drawn. `known`: where it was, which saves looking for the scroller again. */
export function whereaboutsOf(element: Element, known?: Whereabouts | null): Whereabouts | null {
  const box = boxOf(element);
  if (box.width === 0 && box.height === 0) return null;
  const before = known?.scroller.deref();
  const scroller = before && contains(before, element) ? before : scrollerOf(element);
  if (!scroller) return null;
  const origin = originOf(scroller);
  return {
    scroller: new WeakRef(scroller),
    box: new DOMRect(box.x - origin.x, box.y - origin.y, box.width, box.height),
  };
}

/** Where the scroller's content begins, in its document's viewport. */
function originOf(scroller: Element): { x: number; y: number } {
  const isRoot = scroller === ownerDocumentOf(scroller).scrollingElement;
  const at = isRoot ? new DOMRect() : boxOf(scroller);
  return { x: at.x - scrollLeftOf(scroller), y: at.y - scrollTopOf(scroller) };
}

export interface OutOfView {
  scroller: Element;
  /** Where a pin for it stands: on the edge behind which the place is, in the top viewport. */
  edge: DOMRect;
}

/**
 * The place, when its scroller is there and shows another part of its content; null when it is in view or not known.
 */
export function outOfView({ scroller: reference, box }: Whereabouts): OutOfView | null {
  const scroller = reference.deref();
  if (!scroller || !isAttached(scroller)) return null;
  const isRoot = scroller === ownerDocumentOf(scroller).scrollingElement;
  const [left, top] = [scrollLeftOf(scroller), scrollTopOf(scroller)];
  const [clientWidth, clientHeight] = [clientWidthOf(scroller), clientHeightOf(scroller)];
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const inView =
    middle.x >= left && middle.x <= left + clientWidth && middle.y >= top && middle.y <= top + clientHeight;
  if (inView) return null;
  // A place behind the end of the content is no place any more: nothing can be scrolled there.
  if (middle.y > scrollHeightOf(scroller) || middle.x > scrollWidthOf(scroller)) return null;
  const shown = isRoot
    ? place(new DOMRect(0, 0, clientWidth, clientHeight), placementOf(scroller))
    : viewportBox(scroller);
  const seen = intersection(shown, new DOMRect(0, 0, innerWidth, innerHeight)) ?? shown;
  const x = Math.max(seen.left, Math.min(shown.left + box.right - left, seen.right));
  const y = Math.max(seen.top, Math.min(shown.top + middle.y - top, seen.bottom));
  return { scroller, edge: new DOMRect(x, y, 0, 0) };
}

/** Scrolls the place into view, because the person asked for it; whether that was possible. */
export function scrollBack(whereabouts: Whereabouts | null): boolean {
  const out = whereabouts && outOfView(whereabouts);
  if (!out) return false;
  const { scroller } = out;
  const { x, y, width, height } = whereabouts.box;
  scrollTo(scroller, {
    left: x + width / 2 - clientWidthOf(scroller) / 2,
    top: y + height / 2 - clientHeightOf(scroller) / 2,
    behavior: 'instant',
  });
  return true;
}

/** Whether an element stands at the same place of the same content, give or take half its size. */
export function sameSpot(a: Whereabouts, b: Whereabouts): boolean {
  return (
    a.scroller.deref() === b.scroller.deref() &&
    Math.abs(a.box.x - b.box.x) <= Math.max(4, a.box.width / 2) &&
    Math.abs(a.box.y - b.box.y) <= Math.max(4, a.box.height / 2)
  );
}

/** Rows that are measured, at most. */
const MEASURED = 60;
/** Ancestors that may be the list, nearest first. */
const LISTS = 4;

/**
 * Whether the list that an element was in is one that draws only a part of itself: it has room for much more than
 * stands in it, or it says so (`aria-rowcount`, `aria-setsize`). For elements that this page has never shown.
 */
export function drawsInPart(ancestors: readonly ElementBrief[]): boolean {
  return ancestors.slice(0, LISTS).some((brief) => {
    const list = only(brief);
    return list !== null && isPartOfMore(list);
  });
}

function isPartOfMore(list: Element): boolean {
  const rows = [...list.children].slice(0, MEASURED).filter((row) => row.textContent?.trim());
  const said = Number(list.getAttribute('aria-rowcount') ?? 0);
  const size = Number(rows[0]?.getAttribute('aria-setsize') ?? 0);
  if (Math.max(said, size) > list.childElementCount + 1) return true;
  const first = rows[0];
  const scroller = first && rows.length > 2 ? scrollerOf(first) : null;
  // Room is made by the list's own height, or by rows without content before and after.
  if (!scroller || list.scrollHeight < scroller.clientHeight * 1.5) return false;
  const drawn = rows.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0);
  return drawn < list.scrollHeight * 0.6 && list.childElementCount < MEASURED;
}

/** The one element of the page that is still called so. */
function only({ tag, id, classes }: ElementBrief): Element | null {
  const names = classes.map((name) => `.${CSS.escape(name)}`).join('');
  const found = document.querySelectorAll(id ? `#${CSS.escape(id)}` : `${CSS.escape(tag)}${names}`);
  return found.length === 1 ? (found[0] ?? null) : null;
}
