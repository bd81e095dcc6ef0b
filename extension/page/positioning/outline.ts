/** Frames around elements with a label: what is hovered, what is picked, what a comment is about. Draws only. */

import { classListOf, idOf, localNameOf } from '../../capture/dom';
import { viewportBox } from '../../capture/geometry';
import { probe } from '../../capture/probe';
import type { ProbeFacts } from '../../generated/ProbeFacts';
import { seenWindow } from './seen-window';

/** A place in the window, pixels of the viewport. */
export interface Spot {
  x: number;
  y: number;
}

export interface OutlineOptions {
  kind: 'hover' | 'picked' | 'target' | 'candidate';
  /** Shown in the corner: the order of picking, or a letter. */
  mark?: string;
  label?: boolean;
}

/** Size of a mark, and what it keeps from the window's edge, CSS pixels. */
const BADGE = 20;
const EDGE = 2;

/** One frame around one element. `update` follows; `remove` takes it away. */
export class Outline {
  private readonly box = document.createElement('div');
  private readonly label: HTMLElement | null;
  private readonly mark: HTMLElement | null = null;
  private last = '';

  constructor(
    layer: HTMLElement,
    readonly element: Element,
    options: OutlineOptions,
  ) {
    this.box.className = `outline ${options.kind}`;
    this.box.dataset.testid = options.kind === 'hover' ? 'outline' : `outline-${options.kind}`;
    if (options.mark !== undefined) {
      // Beside the frame, not in it: other frames are drawn below it.
      this.mark = document.createElement('span');
      this.mark.className = options.kind === 'candidate' ? 'outline-mark letter' : 'outline-mark';
      this.mark.dataset.testid = `mark-${options.kind}`;
      this.mark.textContent = options.mark;
    }
    this.label = options.label ? document.createElement('div') : null;
    if (this.label) {
      this.label.className = 'outline-label';
      this.label.dataset.testid = 'outline-label';
      layer.append(this.box, this.label);
    } else layer.append(this.box);
    if (this.mark) layer.append(this.mark);
    this.update();
  }

  /** Whether it moved. */
  update(): boolean {
    const box = viewportBox(this.element);
    const seen = seenWindow();
    const key = `${box.x},${box.y},${box.width},${box.height},${seen.width},${seen.height}`;
    if (key === this.last) return false;
    this.last = key;
    Object.assign(this.box.style, {
      transform: `translate(${box.x}px, ${box.y}px)`,
      width: `${box.width}px`,
      height: `${box.height}px`,
    });
    this.moveMark(this.markSpot());
    if (this.label) {
      if (!this.label.firstChild) this.label.append(...labelParts(this.element));
      const size = this.label.querySelector('.label-size');
      if (size) size.textContent = `${Math.round(box.width)} × ${Math.round(box.height)}`;
      this.placeLabel(box);
    }
    return true;
  }

  /** Where its mark stands as long as none is in the way. */
  markSpot(): Spot {
    const { left, top, width, height } = viewportBox(this.element);
    return { x: left + badgeAt(left, width), y: top + badgeAt(top, height) };
  }

  moveMark({ x, y }: Spot): void {
    if (this.mark) this.mark.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Draws it stronger than the others. */
  emphasise(strong: boolean): void {
    this.box.classList.toggle('strong', strong);
  }

  remove(): void {
    this.box.remove();
    this.mark?.remove();
    this.label?.remove();
  }

  /** Above the element; below it where there is no room; inside its top where it fills the window. */
  private placeLabel(box: DOMRect): void {
    if (!this.label) return;
    const { offsetWidth: width, offsetHeight: height } = this.label;
    const seen = seenWindow();
    let y = box.top - height - 4;
    if (y < 4) y = box.bottom + 4;
    if (y + height > seen.height - 4) y = Math.max(4, box.top + 4);
    const x = Math.max(4, Math.min(box.left, seen.width - width - 4));
    this.label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
}

/** Across the frame's corner, inside of the window as long as the frame is: its offset from the frame's `start`. */
export function badgeAt(start: number, length: number): number {
  return Math.max(-BADGE / 2, Math.min(EDGE - start, length - BADGE / 2));
}

function labelParts(element: Element): HTMLElement[] {
  const facts = probe(element);
  const parts = [part('label-tag', nameOf(element))];
  if (facts?.component) parts.push(part('label-component', `<${facts.component}>`));
  if (facts?.file) parts.push(part('label-file', placeOf(facts)));
  parts.push(part('label-size', ''));
  return parts;
}

function part(className: string, text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
}

/** `button#save.primary`: tag, id, first two classes. */
export function nameOf(element: Element): string {
  const name = idOf(element);
  const id = name ? `#${name.slice(0, 40)}` : '';
  const classes = [...classListOf(element)].slice(0, 2).map((name) => `.${name.slice(0, 30)}`);
  return `${localNameOf(element)}${id}${id ? '' : classes.join('')}`;
}

/** `Card.tsx:12`: the last two steps of the path, and the line. */
export function placeOf(facts: ProbeFacts): string {
  const short = (facts.file ?? '').split(/[\\/]/).slice(-2).join('/');
  return facts.line ? `${short}:${facts.line}` : short;
}
