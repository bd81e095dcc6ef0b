/**
 * Whether an element fits the tests of texts that no browser knows: `:text-is()`, `:text-starts()`, and `:has()` of
 * them. Texts are compared as the core compares them: letter by letter, without white space.
 */
import { closest, localNameOf, ownerDocumentOf, parentElementOf, selectIn } from './dom';
import type { Compound } from './notation';

/**
 * Whether an element of which the compound's CSS is known to fit also says and holds what the compound asks for.
 * `compare` is called before every comparison of texts, and throws to end it all.
 */
export function fits(element: Element, compound: Compound, compare: () => void): boolean {
  compare();
  return (
    compound.texts.every(({ whole, letters }) => says(element, letters, whole)) &&
    compound.has.every((inner) => {
      for (const one of selectIn(element, inner.css)) if (fits(one, inner, compare)) return true;
      return false;
    })
  );
}

/** Elements whose text is not compared, and neither is the head's. */
const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'textarea']);

/**
 * Whether the element's text without white space, as the core reads it, begins with these letters, and with `whole` is
 * no more than them. Reads up to the first difference: hundreds of elements may be asked, on a page that never rests.
 */
function says(element: Element, letters: string, whole: boolean): boolean {
  // Texts alone, and no filter: each call from the browser into a filter costs more than the whole rest.
  const walker = ownerDocumentOf(element).createTreeWalker(element, 4);
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
  const parent = parentElementOf(text);
  if (!parent) return false;
  return (
    UNREAD.has(localNameOf(parent)) || (localNameOf(within) === 'html' && closest(parent, 'head') !== null)
  );
}

function withoutBlanks(text: string): string {
  return text.replace(/\p{White_Space}+/gu, '');
}
