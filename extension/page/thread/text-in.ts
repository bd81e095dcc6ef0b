/** The beginning of the text that an element holds, for people: texts of different elements stand apart. Reads only. */
import { localNameOf, ownerDocumentOf, parentNodeOf } from '../../capture/dom';
import { isElement } from '../../capture/tree';

/** Nodes that are looked at, at most: much of a page may be empty. */
const MOST_NODES = 500;
const NO_TEXT = new Set(['script', 'style', 'template', 'noscript']);

/** At least `length` characters of it, if there are so many. White space in it is as it stands in the page. */
export function textIn(element: Element, length: number): string {
  const texts = ownerDocumentOf(element).createTreeWalker(element, 4);
  let text = '';
  let last: Node | null = null;
  for (let seen = 0; seen < MOST_NODES && text.length < length; seen++) {
    const node = texts.nextNode();
    if (!node) break;
    const parent = parentNodeOf(node);
    if (isElement(parent) && NO_TEXT.has(localNameOf(parent))) continue;
    const own = (node.nodeValue ?? '').replace(/\s+/g, ' ');
    if (own.trim() === '') continue;
    // What stands in the same element was one text before it was split: "Open (" and "3" and ")".
    text += last === parent ? own : ` ${own}`;
    last = parent;
  }
  return text.replace(/\s+/g, ' ').trim();
}
