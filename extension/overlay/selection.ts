/**
 * A selection as an agent is told of it: the first element with what is around it, and every target. Read from the live
 * page and redacted here, before it leaves the content script. Knows no messaging.
 */
import { eachAttribute } from '../capture/attributes';
import { viewportBox } from '../capture/geometry';
import { isSecretField, redactText } from '../capture/redact';
import { childrenOf, isElement, isOwn, parentOf } from '../capture/tree';
import type { RelatedElement } from '../generated/RelatedElement';
import type { Selection } from '../generated/Selection';
import type { Target } from '../generated/Target';

/** Characters of the element's text, and of a child's. */
const MAX_TEXT = 2_000;
const MAX_CHILD_TEXT = 200;
const MAX_ANCESTORS = 32;
const MAX_CHILDREN = 24;
const MAX_CLASSES = 32;
/** Longest name of a class or an id. */
const MAX_NAME = 200;

/** What is no text for people, and what a person typed. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'select', 'iframe', 'object']);

export function selectionOf(element: Element, targets: Target[]): Omit<Selection, 'page'> {
  const box = viewportBox(element);
  const attributes: Record<string, string> = {};
  eachAttribute(element, (name, value) => {
    attributes[name] = value;
  });
  return {
    element: {
      ...named(element),
      textContent: textOf(element, MAX_TEXT),
      attributes,
      boundingBox: { x: box.x, y: box.y, width: box.width, height: box.height },
    },
    ancestors: ancestorsOf(element),
    children: childrenOf(element)
      .slice(0, MAX_CHILDREN)
      .map((child) => ({ ...named(child), textContent: textOf(child, MAX_CHILD_TEXT) })),
    targets,
  };
}

function named(element: Element): RelatedElement {
  const { id } = element;
  return {
    tagName: element.tagName,
    classList: [...element.classList].slice(0, MAX_CLASSES).map((name) => name.slice(0, MAX_NAME)),
    ...(id ? { id: id.slice(0, MAX_NAME) } : {}),
  };
}

function ancestorsOf(element: Element): RelatedElement[] {
  const ancestors: RelatedElement[] = [];
  for (let next = parentOf(element); next && ancestors.length < MAX_ANCESTORS; next = parentOf(next)) {
    ancestors.push(named(next));
  }
  return ancestors;
}

/** Text as people read it, in one line. */
function textOf(element: Element, longest: number): string {
  let text = '';
  const read = (node: Node): boolean => {
    if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue ?? '';
    else if (isElement(node)) {
      if (isOwn(node) || SILENT.has(node.localName) || isSecretField(node)) return true;
      text += ' ';
      for (const child of node.shadowRoot?.childNodes ?? node.childNodes) if (!read(child)) return false;
      text += ' ';
    }
    // Enough is read that the rest is cut off, whatever the spaces were.
    return text.length < longest * 4;
  };
  read(element);
  return redactText(text.replace(/\s+/g, ' ').trim()).slice(0, longest).toWellFormed();
}
