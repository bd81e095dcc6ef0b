/** Turns live elements into targets: captures the page, asks the probe, lets the background describe. */
import { intersection, viewportBox } from '../capture/geometry';
import { probe } from '../capture/probe';
import { isSecretField } from '../capture/redact';
import { isAttached, isElement } from '../capture/tree';
import type { Target } from '../generated/Target';
import type { ChatShot } from '../messages';
import { ask } from './link';
import { sendPage } from './send-page';

export interface Described {
  targets: Target[];
  /** Fields of the page that a screenshot must mask. */
  secretFields: WeakRef<Element>[];
}

/** Rejects with a sentence for people. */
export async function describe(elements: readonly Element[], signal: AbortSignal): Promise<Described> {
  if (!elements.every(isAttached)) throw new Error('An element has left the page. Pick it again.');
  const page = await sendPage(signal);
  const index = new Map(page.nodes.map((node, at) => [node, at]));
  const nodes = elements.map((element) => index.get(element) ?? -1);
  if (nodes.includes(-1)) {
    throw new Error(
      elements.every(isAttached)
        ? 'This page is too large to describe that element. Pick one nearer to the top of the page.'
        : 'An element has left the page. Pick it again.',
    );
  }
  const targets = await ask('describe', {
    capture: page.capture,
    nodes,
    probes: elements.map(probe),
  });
  return {
    targets,
    secretFields: page.nodes
      .filter(isElement)
      .filter(isSecretField)
      .map((element) => new WeakRef(element)),
  };
}

type Screenshot = { crop: DOMRectInit; mask: DOMRectInit[]; devicePixelRatio: number };

/** What to cut out and what to mask, in viewport pixels; null when none of the elements is in view. */
export function screenshotOf(
  elements: readonly Element[],
  secretFields: readonly WeakRef<Element>[],
): Screenshot | null {
  const boxes = elements.flatMap((element) => seen(element) ?? []);
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return {
    crop: { x: left, y: top, width: right - left, height: bottom - top },
    mask: masksOf(secretFields),
    devicePixelRatio,
  };
}

/** As `screenshotOf`, for the whole viewport too: that is worth a picture though the elements are out of view. */
export function chatShotOf(
  elements: readonly Element[],
  secretFields: readonly WeakRef<Element>[],
): ChatShot {
  return screenshotOf(elements, secretFields) ?? { mask: masksOf(secretFields), devicePixelRatio };
}

/** The part of an element that is in the viewport. */
function seen(element: Element): DOMRect | null {
  return intersection(viewportBox(element), new DOMRect(0, 0, innerWidth, innerHeight));
}

function masksOf(secretFields: readonly WeakRef<Element>[]): DOMRectInit[] {
  return secretFields.flatMap((ref) => {
    const element = ref.deref();
    const box = element ? seen(element) : null;
    return box ? [{ x: box.x, y: box.y, width: box.width, height: box.height }] : [];
  });
}
