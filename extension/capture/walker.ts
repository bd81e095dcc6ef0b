/**
 * Walks the live page into the flat wire form of `Capture` (core's `page/capture.rs`), a step at a time.
 * Reads only: no style, class, focus or scroll position changes. Knows no browser messaging.
 */
import type { Capture } from '../generated/Capture';
import { drawingOf } from './appearance';
import { eachAttribute } from './attributes';
import {
  attributeOf,
  boxOf,
  firstChildOf,
  hasAttribute,
  isEditable,
  localNameOf,
  nextSiblingOf,
  nodeTypeOf,
  ownerDocumentOf,
  shadowRootOf,
  viewOf,
} from './dom';
import { type Placement, placementInside, TOP } from './geometry';
import { beginningOf, redactUrl } from './redact';
import { frameDocument, isElement, isFrame, isOwn } from './tree';

export const CAPTURE_VERSION = 1;
export const NODE_STRIDE = 10;

export const KIND_DOCUMENT = 0;
export const KIND_ELEMENT = 1;
export const KIND_TEXT = 2;
export const KIND_SHADOW_ROOT = 3;

export const FLAG_VISIBLE = 1;
export const FLAG_INTERACTIVE = 2;
export const FLAG_OPAQUE = 4;
export const FLAG_TRUNCATED = 8;

/** Most nodes that are captured; below the 250,000 that the core accepts, so that a message stays small. */
export const MAX_NODES = 120_000;
/** Longest text of one text node, in UTF-16 units. */
const MAX_TEXT = 2_000;
/** Deepest nesting that is followed. */
const MAX_DEPTH = 500;

/** Their content is code or never drawn; the element itself stays, so that positions among siblings are right. */
const WITHOUT_TEXT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'textarea',
  'iframe',
  'frame',
  'object',
]);
const OPERABLE = new Set(['button', 'select', 'textarea', 'summary', 'option', 'label']);
const OPERABLE_ROLES = new Set([
  'button',
  'link',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'menuitem',
  'option',
  'slider',
  'combobox',
  'textbox',
]);

interface Pending {
  node: Node;
  parent: number;
  depth: number;
  placement: Placement;
  /** Cursor of the parent, to tell a pointer of its own from an inherited one. */
  cursor: string;
  /** Whether the parent is drawn; a text is as visible as its parent. */
  visible: boolean;
  /** White space alone stood right before it. */
  blankBefore?: boolean;
  blankAfter?: boolean;
}

/** A stretch of a capture's lists, going on where the one before ended. */
export type Stretch = Required<Pick<Capture, 'strings' | 'nodes' | 'attributes' | 'drawings'>>;
/** A capture without its lists. */
export type CaptureHead = Omit<Capture, keyof Stretch>;

/** The result: which live node each index names, and what goes before the lists. */
export interface WalkedPage {
  head: CaptureHead;
  /** Live nodes by index. Dies with the page: keep it no longer than the answer takes. */
  nodes: Node[];
  /** The page changed while it was being walked: an index may name a node that has left. */
  mutated: boolean;
}

export class Walker {
  readonly live: Node[] = [];
  private readonly interned = new Map<string, number>();
  /** What was walked and not taken yet. */
  private strings: string[] = [];
  private numbers: number[] = [];
  private attributes: number[] = [];
  private drawings: number[] = [];
  /** How many nodes and pairs of attributes were taken. */
  private takenNodes = 0;
  private takenPairs = 0;
  private readonly pending: Pending[] = [];
  private scrollX = 0;
  private scrollY = 0;

  constructor(private readonly top: Document) {
    this.pending.push({ node: top, parent: -1, depth: 0, placement: TOP, cursor: 'auto', visible: true });
  }

  /** Walks until nothing is left (true) or `enough()` says so (false); asked every 8 nodes. */
  step(enough: () => boolean): boolean {
    // Between two steps the page may have been scrolled.
    this.scrollX = viewOf(this.top)?.scrollX ?? 0;
    this.scrollY = viewOf(this.top)?.scrollY ?? 0;
    for (let walked = 1; this.pending.length > 0; walked++) {
      const next = this.pending.pop();
      if (next) this.visit(next);
      if (walked % 8 === 0 && enough()) return this.pending.length === 0;
    }
    return true;
  }

  /** What was walked since the last call. */
  take(): Stretch {
    const taken = {
      strings: this.strings,
      nodes: this.numbers,
      attributes: this.attributes,
      drawings: this.drawings,
    };
    this.takenNodes += this.numbers.length / NODE_STRIDE;
    this.takenPairs += this.attributes.length / 2;
    this.strings = [];
    this.numbers = [];
    this.attributes = [];
    this.drawings = [];
    return taken;
  }

  finish(mutated: boolean): WalkedPage {
    const view = viewOf(this.top);
    return {
      head: {
        version: CAPTURE_VERSION,
        url: redactUrl(this.top.URL),
        title: beginningOf(this.top.title, 300),
        viewport: { width: view?.innerWidth ?? 0, height: view?.innerHeight ?? 0 },
      },
      nodes: this.live,
      mutated,
    };
  }

  private visit(next: Pending): void {
    const { node } = next;
    if (isElement(node)) this.element(node, next);
    else if (nodeTypeOf(node) === 3) this.text(node as Text, next);
    else if (nodeTypeOf(node) === 9) this.document(node as Document, next);
    else if (nodeTypeOf(node) === 11) this.shadow(node as ShadowRoot, next);
  }

  private document(node: Document, next: Pending): void {
    const root = node.documentElement;
    const { placement } = next;
    const index = this.push(KIND_DOCUMENT, next.parent, redactUrl(node.URL), FLAG_VISIBLE, [
      placement.x + this.scrollX,
      placement.y + this.scrollY,
      (root?.scrollWidth ?? 0) * placement.scaleX,
      (root?.scrollHeight ?? 0) * placement.scaleY,
    ]);
    this.live.push(node);
    if (index === 0) this.setOrigin(index);
    this.children(node, index, next, { cursor: 'auto', visible: next.visible });
  }

  private shadow(node: ShadowRoot, next: Pending): void {
    const index = this.push(KIND_SHADOW_ROOT, next.parent, '', next.visible ? FLAG_VISIBLE : 0);
    this.live.push(node);
    this.children(node, index, next, next);
  }

  private text(node: Text, next: Pending): void {
    const text = (next.blankBefore ? ' ' : '') + node.data + (next.blankAfter ? ' ' : '');
    this.push(KIND_TEXT, next.parent, beginningOf(text, MAX_TEXT), next.visible ? FLAG_VISIBLE : 0);
    this.live.push(node);
  }

  private element(node: Element, next: Pending): void {
    if (isOwn(node)) return;
    const { placement } = next;
    const box = boxOf(node);
    const style =
      box.width > 0 && box.height > 0 ? viewOf(ownerDocumentOf(node))?.getComputedStyle(node) : null;
    const visible = style !== null && style?.visibility !== 'hidden' && style?.visibility !== 'collapse';
    const cursor = style?.cursor ?? next.cursor;
    let flags = visible ? FLAG_VISIBLE : 0;
    if (this.operable(node) || (cursor === 'pointer' && next.cursor !== 'pointer')) flags |= FLAG_INTERACTIVE;

    const first = this.pairs();
    eachAttribute(node, (name, value) => this.attributes.push(this.intern(name), this.intern(value)));
    const count = this.pairs() - first;
    const index = this.push(
      KIND_ELEMENT,
      next.parent,
      localNameOf(node),
      flags,
      [
        placement.x + box.x * placement.scaleX + this.scrollX,
        placement.y + box.y * placement.scaleY + this.scrollY,
        box.width * placement.scaleX,
        box.height * placement.scaleY,
      ],
      first,
      count,
    );
    this.live.push(node);
    const drawing = drawingOf(node);
    if (drawing !== '') this.drawings.push(index, this.intern(drawing));

    if (isFrame(node)) {
      const inner = frameDocument(node);
      if (!inner) this.flag(index, FLAG_OPAQUE);
      else if (this.hasRoom(next.depth)) {
        this.pending.push({
          node: inner,
          parent: index,
          depth: next.depth + 1,
          placement: placementInside(node, placement),
          cursor: 'auto',
          visible,
        });
      } else this.flag(index, FLAG_TRUNCATED);
      return;
    }
    // `display: contents` has no box, yet its content may be drawn.
    this.children(node, index, next, { cursor, visible: visible || (box.width === 0 && next.visible) });
    const shadow = shadowRootOf(node);
    if (shadow && this.hasRoom(next.depth)) {
      this.pending.push({
        ...next,
        node: shadow,
        parent: index,
        depth: next.depth + 1,
        cursor,
        visible,
      });
    }
  }

  private children(
    parent: Node,
    index: number,
    next: Pending,
    inherited: { cursor: string; visible: boolean },
  ): void {
    const first = firstChildOf(parent);
    if (!first) return;
    if (!this.hasRoom(next.depth)) {
      this.flag(index, FLAG_TRUNCATED);
      return;
    }
    const silent = isElement(parent) && (WITHOUT_TEXT.has(localNameOf(parent)) || isEditable(parent));
    const room = MAX_NODES - this.live.length - this.pending.length;
    const walked: { node: Node; blankBefore: boolean; blankAfter: boolean }[] = [];
    let blankBefore = false;
    for (let child: ChildNode | null = first; child; child = nextSiblingOf(child)) {
      const type = nodeTypeOf(child);
      if (type !== 1 && (type !== 3 || silent)) continue;
      // White space alone is no node, and what it stands beside has it.
      if (type === 3 && !/\S/.test((child as Text).data)) {
        const last = walked.at(-1);
        if (last) last.blankAfter = true;
        blankBefore = true;
        continue;
      }
      if (walked.length === room) {
        this.flag(index, FLAG_TRUNCATED);
        break;
      }
      walked.push({ node: child, blankBefore, blankAfter: false });
      blankBefore = false;
    }
    // Backwards, because the last one pushed is the first one visited.
    for (const child of walked.reverse()) {
      this.pending.push({
        ...child,
        parent: index,
        depth: next.depth + 1,
        placement: next.placement,
        cursor: inherited.cursor,
        visible: inherited.visible,
      });
    }
  }

  private operable(element: Element): boolean {
    const tag = localNameOf(element);
    if (tag === 'a' || tag === 'area') return hasAttribute(element, 'href');
    if (tag === 'input') return attributeOf(element, 'type')?.toLowerCase() !== 'hidden';
    if (OPERABLE.has(tag) || hasAttribute(element, 'tabindex')) return true;
    return OPERABLE_ROLES.has(attributeOf(element, 'role') ?? '');
  }

  private hasRoom(depth: number): boolean {
    return this.live.length + this.pending.length < MAX_NODES && depth < MAX_DEPTH;
  }

  private pairs(): number {
    return this.takenPairs + this.attributes.length / 2;
  }

  /** For the node that is being visited: what was taken cannot be changed any more. */
  private flag(index: number, flag: number): void {
    const at = (index - this.takenNodes) * NODE_STRIDE + 9;
    this.numbers[at] = (this.numbers[at] ?? 0) | flag;
  }

  /** The top document's box starts at the origin that all boxes are relative to. */
  private setOrigin(index: number): void {
    this.numbers[index * NODE_STRIDE + 5] = 0;
    this.numbers[index * NODE_STRIDE + 6] = 0;
  }

  private push(
    kind: number,
    parent: number,
    string: string,
    flags: number,
    box: [number, number, number, number] = [0, 0, 0, 0],
    firstAttribute = this.pairs(),
    attributeCount = 0,
  ): number {
    const index = this.takenNodes + this.numbers.length / NODE_STRIDE;
    this.numbers.push(
      kind,
      parent,
      this.intern(string),
      firstAttribute,
      attributeCount,
      pixels(box[0]),
      pixels(box[1]),
      Math.max(0, pixels(box[2])),
      Math.max(0, pixels(box[3])),
      flags,
    );
    return index;
  }

  private intern(raw: string): number {
    // A lone surrogate is not valid UTF-8; attribute names and tags can hold one as well.
    const string = raw.toWellFormed();
    const known = this.interned.get(string);
    if (known !== undefined) return known;
    // It ends a string on the way to the core. HTML's parser puts the same in its place; scripts can still write it.
    if (string.includes('\0')) return this.intern(string.replaceAll('\0', '\uFFFD'));
    const index = this.interned.size;
    this.strings.push(string);
    this.interned.set(string, index);
    return index;
  }
}

/** Whole pixels that fit 32 bits; layout can hand out infinities and NaN. */
function pixels(value: number): number {
  if (!Number.isFinite(value)) return 0;
  return Math.max(-1_000_000_000, Math.min(1_000_000_000, Math.round(value))) || 0;
}
