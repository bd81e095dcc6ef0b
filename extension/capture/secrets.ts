/**
 * What a picture of the page must not show: fields that hold secrets, wherever they stand, and pages of other sites in frames,
 * which nobody can look into. Looked for at the moment of the picture. Reads only.
 */
import { attributeOf, localNameOf, selectIn } from './dom';
import { intersection, viewportBox } from './geometry';
import { isSecretField } from './redact';
import { anyShadowRootOf } from './shadow';
import { frameDocument, isOwn } from './tree';

export interface Secrets {
  fields: Element[];
  /** Frames and plug-ins with a page of another site. */
  embedded: Element[];
}

/** Fields that held a secret once: a button that shows a password makes a plain field of it. */
const everSecret = new WeakSet<Element>();

const FIELDS = new Set(['input', 'textarea', 'select']);
const FRAMES = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);

/** Everything of the page, in open and closed shadow roots and in frames of its own site. */
export function findSecrets(top: Document = document): Secrets {
  const found: Secrets = { fields: [], embedded: [] };
  const scopes: (Document | ShadowRoot)[] = [top];
  for (let scope = scopes.pop(); scope; scope = scopes.pop()) {
    for (const element of selectIn(scope, '*')) {
      const name = localNameOf(element);
      if (FIELDS.has(name)) {
        if (isSecretField(element)) everSecret.add(element);
        if (everSecret.has(element)) found.fields.push(element);
      } else if (FRAMES.has(name)) {
        const inner = documentIn(element, name);
        if (inner) scopes.push(inner);
        else if (!isPicture(element, name)) found.embedded.push(element);
      } else if (!isOwn(element)) {
        const shadow = anyShadowRootOf(element);
        if (shadow) scopes.push(shadow);
      }
    }
  }
  return found;
}

/** What of them is in view, in viewport pixels. */
export function boxesOf(elements: readonly Element[]): DOMRectInit[] {
  return elements.flatMap((element) => {
    const box = inView(element);
    return box ? [{ x: box.x, y: box.y, width: box.width, height: box.height }] : [];
  });
}

/** The part of an element that is in the viewport. */
export function inView(element: Element): DOMRect | null {
  return intersection(viewportBox(element), new DOMRect(0, 0, innerWidth, innerHeight));
}

function documentIn(element: Element, name: string): Document | null {
  if (name === 'iframe' || name === 'frame') return frameDocument(element);
  try {
    return name === 'object' ? (element as HTMLObjectElement).contentDocument : null;
  } catch {
    return null;
  }
}

/** Plug-ins' elements show pictures as well. */
function isPicture(element: Element, name: string): boolean {
  return (name === 'object' || name === 'embed') && /^image\//i.test(attributeOf(element, 'type') ?? '');
}
