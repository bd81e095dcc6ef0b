/**
 * What `Element.matches` is for CSS, for one segment of the core's notation, which may test texts: from the element to
 * its ancestors and to what stands before it, never through the whole page.
 */
import { matches, parentElementOf, previousElementOf } from './dom';
import { fits } from './fits';
import type { Segment, Step } from './notation';

/** Comparisons of texts after which it is given up. A selector of the core's takes a handful. */
const MOST_COMPARED = 500;

/**
 * Whether the element fits the segment in its own tree; false for a segment that is not valid here, or takes too long.
 */
export function matchesSegment(element: Element, segment: Segment): boolean {
  let compared = 0;
  const compare = () => {
    if (++compared > MOST_COMPARED) throw new RangeError('too much to compare');
  };
  try {
    return segment.css === null
      ? fitsSteps(element, segment.steps, segment.steps.length - 1, compare)
      : matches(element, segment.css);
  } catch {
    return false;
  }
}

/**
 * Whether the element fits the step at `at` and stands to others as the steps before it say. As deep as the selector is
 * long.
 */
function fitsSteps(element: Element, steps: Step[], at: number, compare: () => void): boolean {
  const step = steps[at];
  if (!step || !matches(element, step.compound.css) || !fits(element, step.compound, compare)) return false;
  if (at === 0) return true;
  for (const other of before(element, step.combinator)) {
    if (fitsSteps(other, steps, at - 1, compare)) return true;
  }
  return false;
}

/** Those that what is left of the combinator may be, the nearest first. */
function* before(element: Element, combinator: string): Generator<Element> {
  const upwards = combinator === ' ' || combinator === '>';
  const next = (from: Element) => (upwards ? parentElementOf(from) : previousElementOf(from));
  for (let other = next(element); other; other = next(other)) {
    yield other;
    if (combinator === '>' || combinator === '+') return;
  }
}
