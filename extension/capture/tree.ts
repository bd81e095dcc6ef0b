/**
 * The page's tree as opentoolbar sees it: open shadow roots and same-origin frames are part of it, our own root is not.
 * Knows the DOM only. Node kinds are told by `nodeType`: nodes of a frame are no instances of this window's classes.
 */

import {
  childElementsOf,
  isConnected,
  localNameOf,
  nodeTypeOf,
  parentNodeOf,
  rootNodeOf,
  shadowRootOf,
  viewOf,
} from './dom';

/** Attribute of our own host element, for tests and for our next version. Any page can set it, so nothing trusts it. */
export const ROOT_MARK = 'data-opentoolbar-root';

/** Our host elements. By identity, because a page can imitate whatever else tells them apart. */
const own = new WeakSet<Node>();

/** From now on nothing of `host` is captured, picked or measured. */
export function claim(host: Element): void {
  own.add(host);
}

export function isElement(node: Node | null | undefined): node is Element {
  return !!node && nodeTypeOf(node) === 1;
}

export function isDocument(node: Node | null | undefined): node is Document {
  return !!node && nodeTypeOf(node) === 9;
}

export function isShadowRoot(node: Node | null | undefined): node is ShadowRoot {
  return !!node && nodeTypeOf(node) === 11 && 'host' in node;
}

export function isOwn(node: Node): boolean {
  return own.has(node);
}

export function isFrame(element: Element): element is HTMLIFrameElement {
  const name = localNameOf(element);
  return name === 'iframe' || name === 'frame';
}

/** The document inside a frame, or null when it belongs to another origin (or is not there yet). */
export function frameDocument(element: Element): Document | null {
  if (!isFrame(element)) return null;
  try {
    const inner = element.contentDocument;
    // Touching a property tells at once whether we may read it.
    return inner?.documentElement ? inner : null;
  } catch {
    return null;
  }
}

/** The frame element that shows this document in our page; null for the top document. */
export function frameOf(document: Document): Element | null {
  try {
    return viewOf(document)?.frameElement ?? null;
  } catch {
    return null;
  }
}

/** The parent element, out of shadow roots and frames; null for the top document's root. */
export function parentOf(element: Element): Element | null {
  const parent = parentNodeOf(element);
  if (isElement(parent)) return parent;
  if (isShadowRoot(parent)) return parent.host;
  return isDocument(parent) ? frameOf(parent) : null;
}

/** Element children as a person would walk them: a shadow root's before the light ones, a frame's root. */
export function childrenOf(element: Element): Element[] {
  const inner = frameDocument(element);
  if (inner) return inner.documentElement ? [inner.documentElement] : [];
  const children = [...(shadowRootOf(element)?.children ?? []), ...childElementsOf(element)];
  return children.filter((child) => !isOwn(child));
}

/** Every document and shadow root from the node's own up to the top document, innermost first. */
export function rootsOf(node: Node): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [];
  let next: Node | null = node;
  while (next) {
    const root: Node = rootNodeOf(next);
    if (isShadowRoot(root)) {
      roots.push(root);
      next = root.host;
    } else if (isDocument(root)) {
      roots.push(root);
      next = frameOf(root);
    } else {
      return roots;
    }
  }
  return roots;
}

/** Whether the node is in the page that this content script runs in, through every shadow root and frame. */
export function isAttached(node: Node): boolean {
  if (!isConnected(node)) return false;
  const roots = rootsOf(node);
  return roots[roots.length - 1] === document;
}

/** All same-origin documents, the top one first. */
export function documentsOf(top: Document): Document[] {
  const found = [top];
  for (const each of found) {
    for (const frame of each.querySelectorAll('iframe, frame')) {
      const inner = frameDocument(frame);
      if (inner && !found.includes(inner)) found.push(inner);
    }
  }
  return found;
}
