/** How the browser draws an element other than laid out: turned, or a second time beside itself. Reads computed styles only. */
import { assignedSlotOf, boxOf, ownerDocumentOf, parentNodeOf, rootNodeOf, selectIn } from './dom';
import { anyShadowRootOf } from './shadow';
import { frameOf, isElement, isShadowRoot } from './tree';

/** Parts of a filter that draw something elsewhere than it stands. */
const MOVING = 'feOffset, feTile, feImage, feDropShadow, feDisplacementMap';

/**
 * Whether a rectangle in the frame is one of its window as well, with the same sides on the same sides: nothing on the frame's way
 * to its viewport does more than move it and scale it.
 */
export function isStraight(frame: Element): boolean {
  for (let at: Element | null = frame; at; at = drawnIn(at)) {
    const style = styleOf(at);
    if (style && !isMovedOnly(style)) return false;
  }
  return true;
}

/**
 * How far copies of the element are drawn from it, CSS pixels: shadows of what it is drawn in. Infinite: a reflection, or a filter of
 * the page's own, may draw it anywhere.
 */
export function reachOf(element: Element): number {
  let reach = 0;
  for (let at: Element | null = element; at; ) {
    const style = styleOf(at);
    const isReflected = style && !isNone(style.getPropertyValue('-webkit-box-reflect'));
    if (isReflected || (style && mayMove(style.filter, at))) return Number.POSITIVE_INFINITY;
    const own = shadowReach(style?.filter ?? '');
    if (own > 0) reach += own * scaleOf(at);
    const around = drawnIn(at);
    const frame: Element | null = around ? null : frameOf(ownerDocumentOf(at));
    // Until here it was counted in the frame's own pixels.
    if (frame && reach > 0) reach *= scaleOf(frame);
    at = around ?? frame;
  }
  return reach;
}

/** Whether a view transition runs in a document or a shadow root, or in an element of it: it shows pictures of what was there. */
export function isInTransition(scope: Document | ShadowRoot): boolean {
  // A browser that has none knows no such state.
  if (!CSS.supports('selector(:active-view-transition)')) return false;
  return selectIn(scope, ':active-view-transition').length > 0;
}

/** Whether a filter of the page's own may draw what it is given elsewhere. */
function mayMove(filter: string, element: Element): boolean {
  const root = rootNodeOf(element);
  const scope = isShadowRoot(root) ? root : ownerDocumentOf(element);
  return [...filter.matchAll(/url\((?:"|')?([^"')]*)/g)].some(([, address = '']) => {
    const named = address.startsWith('#') ? scope.getElementById(address.slice(1)) : null;
    return named === null || selectIn(named, MOVING).length > 0;
  });
}

/** How far the shadows of each `drop-shadow` fall, one after the other, in the element's own pixels and whichever way it is turned. */
export function shadowReach(filter: string): number {
  let reach = 0;
  // A colour stands before the lengths, with brackets of its own.
  for (const [, shadow = ''] of filter.matchAll(/drop-shadow\(((?:[^()]|\([^()]*\))*)\)/g)) {
    const [x = 0, y = 0, blur = 0] = [...shadow.matchAll(/(-?[\d.]+)px/g)].map(([, px]) => Number(px));
    reach += Math.hypot(x, y) + 3 * blur;
  }
  return reach;
}

function isMovedOnly(style: CSSStyleDeclaration): boolean {
  // Browsers do not agree on which pixels a frame in an enlarged container counts.
  if (Number(style.zoom || '1') !== 1) return false;
  if (!isNone(style.rotate) || !isNone(style.getPropertyValue('offset-path'))) return false;
  if (!isNone(style.scale) && style.scale.split(/\s+/).some((factor) => Number.parseFloat(factor) <= 0))
    return false;
  // The third length is towards the eye.
  if (!isNone(style.translate) && style.translate.split(/\s+/).length > 2) return false;
  if (isNone(style.transform)) return true;
  try {
    const { is2D, a, b, c, d } = new DOMMatrixReadOnly(style.transform);
    return is2D && Math.abs(b) < 1e-6 && Math.abs(c) < 1e-6 && a > 0 && d > 0;
  } catch {
    return false;
  }
}

const isNone = (value: string | undefined) => !value || value === 'none';

/** How much larger the element is drawn than laid out, at most; 1: not larger. */
function scaleOf(element: Element): number {
  const { offsetWidth: width, offsetHeight: height } = element as HTMLElement;
  if (!(width > 0 && height > 0)) return 1;
  const box = boxOf(element);
  if (isStraight(element)) return Math.max(1, box.width / width, box.height / height);
  // The box around what is turned is no longer than its sides are in all; either may be what is enlarged.
  return Math.max(1, Math.hypot(box.width, box.height) / Math.min(width, height));
}

/** What the element is drawn in: the slot that it stands in, the host of its shadow root, else its parent; null in a document. */
function drawnIn(element: Element): Element | null {
  const parent = parentNodeOf(element);
  if (isShadowRoot(parent)) return parent.host;
  if (!isElement(parent)) return null;
  const shadow = anyShadowRootOf(parent);
  if (!shadow) return parent;
  const isIn = (slot: Element) => (slot as HTMLSlotElement).assignedElements().includes(element);
  // A slot of a closed root is told to nobody.
  return assignedSlotOf(element) ?? [...selectIn(shadow, 'slot')].find(isIn) ?? parent;
}

function styleOf(element: Element): CSSStyleDeclaration | undefined {
  return ownerDocumentOf(element).defaultView?.getComputedStyle(element);
}
