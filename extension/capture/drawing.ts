/**
 * How the browser draws an element other than laid out: turned, or a second time beside itself. Reads computed styles
 * only.
 */
import {
  assignedSlotOf,
  clientHeightOf,
  clientWidthOf,
  localNameOf,
  namespaceOf,
  ownerDocumentOf,
  parentNodeOf,
  rootNodeOf,
  scrollHeightOf,
  scrollWidthOf,
  selectIn,
  viewOf,
} from './dom';
import { enlargementOf, stretchOf } from './scale';
import { anyShadowRootOf } from './shadow';
import { frameOf, isElement, isShadowRoot } from './tree';

/** Parts of a filter that draw something elsewhere than it stands. */
const MOVING = 'feOffset, feTile, feImage, feDropShadow, feDisplacementMap, feConvolveMatrix';

/**
 * Whether a rectangle in the frame is one of its window as well, with the same sides on the same sides: nothing on the
 * frame's way to its viewport does more than move it and scale it.
 */
export function isStraight(frame: Element): boolean {
  for (const { style } of around(frame)) if (!isMovedOnly(style)) return false;
  return true;
}

/**
 * How far parts and copies of the element are drawn from it, CSS pixels: options of a list, shadows of what it is drawn
 * in. Infinite: a reflection, or a filter of the page's own, may draw it anywhere.
 */
export function reachOf(element: Element): number {
  let reach = 0;
  // Out of the plane that a perspective looks at.
  let isDeep = false;
  let isInSvg = false;
  for (const { at, style } of aroundThroughFrames(element)) {
    const isReflected = !isNone(style.getPropertyValue('-webkit-box-reflect'));
    if (isReflected || mayMove(style.filter, at)) return Number.POSITIVE_INFINITY;
    const own = shadowReach(style.filter) + overflowOf(at, style);
    // Nothing to enlarge.
    if (reach + own === 0) continue;
    // An SVG tells how it enlarges all that is in it, with whatever it stands in: what stands in more of it is not
    // counted again.
    const svg = svgStretchOf(at);
    if (svg === Number.POSITIVE_INFINITY) return svg;
    reach = isInSvg || svg === null ? reach : reach * svg;
    reach += own * (svg ?? 1);
    isInSvg = svg !== null;
    const isOutermost = svg === null || localNameOf(at) === 'svg';
    const by = isOutermost ? enlargementOf(style) : NOT_ENLARGED;
    if (!by) return Number.POSITIVE_INFINITY;
    const isSeenDeep = isDeep && !isNone(style.perspective);
    if (style.transformStyle !== 'preserve-3d') isDeep = false;
    isDeep ||= by.isDeep;
    if (isSeenDeep || (isDeep && by.hasPerspective)) return Number.POSITIVE_INFINITY;
    reach *= by.factor;
  }
  return reach;
}

/**
 * Whether a view transition runs in a document or a shadow root, or in an element of it: it shows pictures of what was
 * there.
 */
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

/**
 * How far the shadows of each `drop-shadow` fall, one after the other, in the element's own pixels and whichever way it
 * is turned.
 */
export function shadowReach(filter: string): number {
  let reach = 0;
  // A colour stands before the lengths, with brackets of its own, also in one another.
  let [flat, before] = [filter, ''];
  while (flat !== before) [flat, before] = [flat.replace(/(?<!drop-shadow)\([^()]*\)/g, ''), flat];
  for (const [, shadow = ''] of flat.matchAll(/drop-shadow\(([^()]*)\)/g)) {
    const lengths = [...shadow.matchAll(/(-?[\d.]+(?:e[+-]?\d+)?)px/g)].map(([, px]) => Number(px));
    const [x = 0, y = 0, blur = 0] = lengths;
    reach += Math.hypot(x, y) + 3 * blur;
  }
  return reach;
}

/** How far the options of a list stand out of it; other fields cut off what they show. */
function overflowOf(element: Element, { overflowX, overflowY }: CSSStyleDeclaration): number {
  if (localNameOf(element) !== 'select' || (overflowX !== 'visible' && overflowY !== 'visible')) return 0;
  const wide = scrollWidthOf(element) - clientWidthOf(element);
  return Math.max(0, wide, scrollHeightOf(element) - clientHeightOf(element));
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

const SVG = 'http://www.w3.org/2000/svg';
const NOT_ENLARGED = { factor: 1, isDeep: false, hasPerspective: false };

/**
 * How much larger an element of an SVG is drawn in its viewport, never below 1, infinite when it does not tell; null:
 * no such element.
 */
function svgStretchOf(element: Element): number | null {
  // A form gives its field of that name.
  if (namespaceOf(element) !== SVG) return null;
  const { getScreenCTM } = element as Partial<SVGGraphicsElement>;
  if (!getScreenCTM) return null;
  const matrix: DOMMatrix | null = getScreenCTM.call(element as SVGGraphicsElement);
  return matrix ? Math.max(1, stretchOf(matrix)) : Number.POSITIVE_INFINITY;
}

interface Drawn {
  at: Element;
  style: CSSStyleDeclaration;
}

/** The element and everything that it is drawn in within its document, innermost first, with the style of each. */
function* around(element: Element): Generator<Drawn> {
  const view = viewOf(ownerDocumentOf(element));
  if (!view) return;
  for (let at: Element | null = element; at; ) {
    yield { at, style: view.getComputedStyle(at) };
    at = drawnIn(at);
    // What `details` hold stands in a part of them that has a style of its own.
    if (at && localNameOf(at) === 'details')
      yield { at, style: view.getComputedStyle(at, '::details-content') };
  }
}

function* aroundThroughFrames(element: Element): Generator<Drawn> {
  for (let at: Element | null = element; at; at = frameOf(ownerDocumentOf(at))) yield* around(at);
}

/**
 * What the element is drawn in: the slot that it stands in, the host of its shadow root, else its parent; null in a
 * document.
 */
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
