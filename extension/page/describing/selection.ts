/**
 * A selection as an agent is told of it: the first element with what is around it, and every target. Read from the live
 * page and redacted here, before it leaves the content script. Knows no messaging.
 */
import { eachAttribute } from '../../capture/attributes';
import {
  childNodesOf,
  classListOf,
  idOf,
  localNameOf,
  nodeTypeOf,
  shadowRootOf,
  tagNameOf,
} from '../../capture/dom';
import { viewportBox } from '../../capture/geometry';
import { beginningOf, isSecretField } from '../../capture/redact';
import { childrenOf, isElement, isOwn, parentOf } from '../../capture/tree';
import type { RelatedElement } from '../../generated/RelatedElement';
import type { Selection } from '../../generated/Selection';
import type { Target } from '../../generated/Target';

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
  const id = idOf(element);
  return {
    tagName: tagNameOf(element),
    classList: [...classListOf(element)].slice(0, MAX_CLASSES).map((name) => name.slice(0, MAX_NAME)),
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

/** Most nodes that are read for one text: an element may hold the whole page, and no text at all. */
const MAX_READ = 20_000;

/** Text as people read it, in one line. A stack of its own, because pages may be as deep as they like. */
function textOf(element: Element, longest: number): string {
  let text = '';
  const pending: (Node | ' ')[] = [element];
  // Enough is read when the rest would be cut off, whatever the spaces were.
  for (let read = 0; pending.length > 0 && read < MAX_READ && text.length < longest * 4; read++) {
    const node = pending.pop();
    if (node === undefined || node === ' ') {
      text += ' ';
      continue;
    }
    if (nodeTypeOf(node) === 3) text += (node as Text).data;
    if (!isElement(node) || isOwn(node) || SILENT.has(localNameOf(node)) || isSecretField(node)) continue;
    text += ' ';
    pending.push(' ');
    const children = firstOf(childNodesOf(shadowRootOf(node) ?? node), MAX_READ);
    // Backwards, because the last one pushed is the first one read.
    for (const child of children.reverse()) pending.push(child);
  }
  return beginningOf(text.replace(/\s+/g, ' ').trim(), longest).toWellFormed();
}

function firstOf(nodes: NodeListOf<ChildNode>, most: number): Node[] {
  const first: Node[] = [];
  for (const node of nodes) {
    if (first.length === most) break;
    first.push(node);
  }
  return first;
}
