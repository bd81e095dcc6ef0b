/**
 * What a picture of the page must not show: fields that hold secrets, wherever they stand, and pages of other sites in
 * frames, which nobody can look into. Looked for at the moment of the picture. Reads only.
 */
import { controlOf, localNameOf, selectIn } from './dom';
import { isStraight, reachOf } from './drawing';
import { intersection, viewportBox } from './geometry';
import { isSecretField } from './redact';
import { anyShadowRootOf } from './shadow';
import { showsSecret } from './shown-secrets';
import { frameDocument, isOwn } from './tree';

export interface Secrets {
  /** Fields, and frames that hold some and are turned: where a field is in the picture, only its frame tells then. */
  fields: Element[];
  /** What shows a document that cannot be looked into: frames with pages of other sites, plug-ins. */
  embedded: Element[];
  /** Every document and shadow root that was searched, those that are not drawn included. */
  roots: (Document | ShadowRoot)[];
}

/** Fields that held a secret once: a button that shows a password makes a plain field of it. */
const everSecret = new WeakSet<Element>();

const FIELDS = new Set(['input', 'textarea', 'select']);
/** Labels of one field that are read, at most. */
const MAX_LABELS = 8;
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe', 'portal']);

interface Scope {
  root: Document | ShadowRoot;
  /** The outermost frame around it that is turned, skewed or mirrored. */
  turned: Element | null;
}

/** Everything of the page, in open and closed shadow roots and in frames of its own site. */
export function findSecrets(top: Document = document): Secrets {
  const fields = new Set<Element>();
  const embedded = new Set<Element>();
  const scopes: Scope[] = [{ root: top, turned: null }];
  const roots: (Document | ShadowRoot)[] = [];
  for (let scope = scopes.pop(); scope; scope = scopes.pop()) {
    const { root, turned } = scope;
    roots.push(root);
    const here: Element[] = [];
    const labels: Element[] = [];
    for (const element of selectIn(root, '*')) {
      const name = localNameOf(element);
      if (FIELDS.has(name)) here.push(element);
      else if (name === 'label') labels.push(element);
      else if (FRAMES.has(name)) {
        const inner = documentIn(element, name);
        if (inner) scopes.push({ root: inner, turned: turned ?? (isStraight(element) ? null : element) });
        else embedded.add(turned ?? element);
      } else if (!isOwn(element)) {
        const shadow = anyShadowRootOf(element);
        if (shadow) scopes.push({ root: shadow, turned });
      }
    }
    // A field that is asked for its labels goes through the whole page for them.
    const labelled = byField(labels);
    for (const field of here) {
      const isShown = () => localNameOf(field) !== 'select' && showsSecret(field, labelled.get(field));
      if (isSecretField(field) || isShown()) everSecret.add(field);
      if (everSecret.has(field)) fields.add(turned ?? field);
    }
  }
  return { fields: [...fields], embedded: [...embedded], roots };
}

/** Labels by the field that each is of. */
function byField(labels: readonly Element[]): Map<Element, Element[]> {
  const found = new Map<Element, Element[]>();
  for (const label of labels) {
    const field = controlOf(label);
    if (field) found.set(field, [...(found.get(field) ?? []), label].slice(0, MAX_LABELS));
  }
  return found;
}

/** What of them and of their shadows is in view, in viewport pixels; null when some may be drawn anywhere. */
export function boxesOf(elements: readonly Element[]): DOMRectInit[] | null {
  const boxes: DOMRectInit[] = [];
  for (const element of elements) {
    const { x, y, width, height } = viewportBox(element);
    if (width <= 0 || height <= 0) continue;
    const reach = reachOf(element);
    if (reach === Number.POSITIVE_INFINITY) return null;
    const around = new DOMRect(x - reach, y - reach, width + 2 * reach, height + 2 * reach);
    const box = intersection(around, viewport());
    if (box) boxes.push({ x: box.x, y: box.y, width: box.width, height: box.height });
  }
  return boxes;
}

/** The part of an element that is in the viewport. */
export function inView(element: Element): DOMRect | null {
  return intersection(viewportBox(element), viewport());
}

function viewport(): DOMRect {
  return new DOMRect(0, 0, innerWidth, innerHeight);
}

function documentIn(element: Element, name: string): Document | null {
  if (name === 'iframe' || name === 'frame') return frameDocument(element);
  try {
    if (name === 'object') return (element as HTMLObjectElement).contentDocument;
    return name === 'embed' ? (element as HTMLEmbedElement).getSVGDocument() : null;
  } catch {
    return null;
  }
}
