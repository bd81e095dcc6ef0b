/**
 * The elements that a comment's own may be, as they are marked on the page: which of them, by which letters, and where
 * those stand.
 */
import { viewportBox } from '../../capture/geometry';
import { parentOf } from '../../capture/tree';
import type { Spot } from '../positioning/outline';

/** Marks nearer than this would cover one another, CSS pixels. */
const APART = 22;
/** Boxes that differ by no more than this are one to the eye, CSS pixels. */
const SAME = 1;

/** A, B, … Z, then AA: numbers are those of comments. */
export function letterOf(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : letterOf(Math.floor(at / 26) - 1) + last;
}

/** Best first: one that is drawn at the very place of a better one that it is in, or contains, is left out. */
export function distinct(elements: readonly Element[]): Element[] {
  const kept: { element: Element; box: DOMRect }[] = [];
  for (const element of elements) {
    const box = viewportBox(element);
    const isOne = kept.some(
      (better) => isSame(better.box, box) && (isIn(element, better.element) || isIn(better.element, element)),
    );
    if (!isOne) kept.push({ element, box });
  }
  return kept.map(({ element }) => element);
}

/** What is not drawn has no place. */
function isSame(a: DOMRect, b: DOMRect): boolean {
  if (a.width === 0 || a.height === 0) return false;
  const near = (side: 'left' | 'top' | 'right' | 'bottom') => Math.abs(a[side] - b[side]) <= SAME;
  return near('left') && near('top') && near('right') && near('bottom');
}

function isIn(element: Element, other: Element): boolean {
  for (let at = parentOf(element); at; at = parentOf(at)) if (at === other) return true;
  return false;
}

/** The same places, those on one another moved along their frames' upper edges, towards the middle of the window. */
export function apart(wanted: readonly Spot[], width: number): Spot[] {
  const taken: Spot[] = [];
  for (const { x, y } of wanted) {
    const step = x > width / 2 ? -APART : APART;
    const covers = (left: number) =>
      taken.some((each) => Math.abs(each.x - left) < APART && Math.abs(each.y - y) < APART);
    let left = x;
    // Each of the others can be in the way no more than twice.
    for (let tries = 0; tries <= 2 * taken.length && covers(left); tries++) left += step;
    taken.push({ x: left, y });
  }
  return taken;
}
