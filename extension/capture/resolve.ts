/**
 * Resolves a selector on the live page: each segment is CSS, ` >>> ` enters a shadow root or a frame. Segments that
 * test texts (`:text-is()`, `:text-starts()`), which no browser knows, are taken step by step. The notation is the
 * core's. Knows nothing of comments or anchors.
 */
import { childElementsOf, matches, nextElementOf, selectIn, shadowRootOf } from './dom';
import { fits } from './fits';
import { parseSelector, type Segment } from './notation';
import { frameDocument, isElement, isOwn } from './tree';

type Scope = Document | ShadowRoot;

/** Candidates that are compared before it is asked whether there is time for more. */
const AT_ONCE = 16;

/** Every element that the selector hits now; empty for a selector that is not valid here. */
export function resolveSelector(selector: string, top: Document = document): Element[] {
  return resolveUnless(() => false, selector, top) ?? [];
}

/**
 * The same, given up (null) when `over()` says so. A browser finds what is plain CSS in no time; texts are compared one
 * by one, and a page may have 100,000 elements.
 */
export function resolveUnless(
  over: () => boolean,
  selector: string,
  top: Document = document,
): Element[] | null {
  let compared = 0;
  const compare = () => {
    if (++compared % AT_ONCE === 0 && over()) throw new OutOfTime();
  };
  const segments = parseSelector(selector);
  let scopes: Scope[] = [top];
  let found: Element[] = [];
  for (const [at, segment] of segments.entries()) {
    found = [];
    for (const scope of scopes) {
      try {
        found.push(...inScope(scope, segment, compare));
      } catch (error) {
        return error instanceof OutOfTime ? null : [];
      }
    }
    found = found.filter((element) => !isOwn(element));
    if (at === segments.length - 1) break;
    scopes = found.flatMap((element) => {
      const inner = shadowRootOf(element) ?? frameDocument(element);
      return inner ? [inner] : [];
    });
  }
  return found;
}

class OutOfTime extends Error {}

/** `compare` is called before every comparison of texts, and throws to end it all. */
function inScope(scope: Scope, segment: Segment, compare: () => void): Element[] {
  if (segment.css !== null) return [...selectIn(scope, segment.css)];
  let found = new Set<Element>();
  for (const [at, { combinator, compound }] of segment.steps.entries()) {
    const next = new Set<Element>();
    const outer: Iterable<Scope | Element> = at === 0 ? [scope] : found;
    for (const from of outer) {
      for (const element of reached(from, at === 0 ? ' ' : combinator, compound.css)) {
        if (!next.has(element) && fits(element, compound, compare)) next.add(element);
      }
    }
    found = next;
  }
  return [...found];
}

function reached(from: Scope | Element, combinator: string, css: string): Element[] {
  if (combinator === ' ' || !isElement(from)) return [...selectIn(from, css)];
  const reached: Element[] = [];
  if (combinator === '>') {
    for (const child of childElementsOf(from)) reached.push(child);
  } else {
    for (let next = nextElementOf(from); next; next = nextElementOf(next)) {
      reached.push(next);
      if (combinator === '+') break;
    }
  }
  return reached.filter((element) => matches(element, css));
}
