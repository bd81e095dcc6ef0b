/**
 * Resolves a selector on the live page: each segment is CSS, ` >>> ` enters a shadow root or a frame. Segments that test
 * texts (`:text-is()`, `:text-starts()`), which no browser knows, are taken step by step. The notation is the core's.
 * Knows nothing of comments or anchors.
 */
import { type Compound, parseSelector, type Segment } from './notation';
import { frameDocument, isElement, isOwn } from './tree';

type Scope = Document | ShadowRoot;

/** Candidates that are compared before it is asked whether there is time for more. */
const AT_ONCE = 16;

/** Every element that the selector hits now; empty for a selector that is not valid here. */
export function resolveSelector(selector: string, top: Document = document): Element[] {
  return resolveUnless(() => false, selector, top) ?? [];
}

/**
 * The same, given up (null) when `over()` says so. A browser finds what is plain CSS in no time; texts are compared one by one,
 * and a page may have 100,000 elements.
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
      const inner = element.shadowRoot ?? frameDocument(element);
      return inner ? [inner] : [];
    });
  }
  return found;
}

class OutOfTime extends Error {}

/** `compare` is called before every comparison of texts, and throws to end it all. */
function inScope(scope: Scope, segment: Segment, compare: () => void): Element[] {
  if (segment.css !== null) return [...scope.querySelectorAll(segment.css)];
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
  if (combinator === ' ' || !isElement(from)) return [...from.querySelectorAll(css)];
  const reached: Element[] = [];
  if (combinator === '>') {
    reached.push(...from.children);
  } else {
    for (let next = from.nextElementSibling; next; next = next.nextElementSibling) {
      reached.push(next);
      if (combinator === '+') break;
    }
  }
  return reached.filter((element) => element.matches(css));
}

function fits(element: Element, compound: Compound, compare: () => void): boolean {
  compare();
  return (
    compound.texts.every(({ whole, letters }) => says(element, letters, whole)) &&
    compound.has.every((inner) => {
      for (const one of element.querySelectorAll(inner.css)) if (fits(one, inner, compare)) return true;
      return false;
    })
  );
}

/** Elements whose text is not compared, and neither is the head's. */
const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'textarea']);

/**
 * Whether the element's text without white space, as the core reads it, begins with these letters, and with `whole` is no more
 * than them. Reads up to the first difference: hundreds of elements may be asked, on a page that never rests.
 */
function says(element: Element, letters: string, whole: boolean): boolean {
  // Texts alone, and no filter: each call from the browser into a filter costs more than the whole rest.
  const walker = element.ownerDocument.createTreeWalker(element, 4);
  let read = 0;
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (isUnread(text, element)) continue;
    const piece = withoutBlanks(text.nodeValue ?? '');
    const rest = letters.length - read;
    if (piece.length > rest) return !whole && piece.startsWith(letters.slice(read));
    if (!letters.startsWith(piece, read)) return false;
    read += piece.length;
    if (read === letters.length && !whole) return true;
  }
  return read === letters.length;
}

function isUnread(text: Node, within: Element): boolean {
  const parent = text.parentElement;
  if (!parent) return false;
  return UNREAD.has(parent.localName) || (within.localName === 'html' && parent.closest('head') !== null);
}

function withoutBlanks(text: string): string {
  return text.replace(/\p{White_Space}+/gu, '');
}
