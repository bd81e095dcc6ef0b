/** One pin: a numbered button whose shape, colour and words tell the comment's standing. Draws only. */
import { statusLook } from '../design/status';
import type { Comment } from '../generated/Comment';
import type { Standing } from './standing';

const SVG = 'http://www.w3.org/2000/svg';

export class Pin {
  readonly button = document.createElement('button');
  private readonly shape = document.createElementNS(SVG, 'path');
  private readonly number = document.createElement('span');
  private readonly word = document.createElement('span');
  private drawn = '';

  constructor(commentId: string) {
    this.button.type = 'button';
    this.button.className = 'pin';
    this.button.dataset.testid = `pin-${commentId}`;
    this.button.dataset.part = '';
    this.button.hidden = true;
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 16 16');
    svg.setAttribute('aria-hidden', 'true');
    this.shape.setAttribute('fill-rule', 'evenodd');
    this.shape.setAttribute('fill', 'currentColor');
    svg.append(this.shape);
    this.number.className = 'pin-number';
    this.word.className = 'pin-word';
    this.button.append(svg, this.number, ' ', this.word);
  }

  describe(comment: Comment, number: number, standing: Standing): void {
    const excerpt = comment.text.length > 80 ? `${comment.text.slice(0, 80)}…` : comment.text;
    // What is seen on it, number and word, is in its name as it stands: people speak what they see.
    const label = `Comment ${number} ${standing.words}: ${excerpt}${standing.reason ? ` (${standing.reason})` : ''}`;
    const key = [label, standing.status, standing.place, comment.stage, standing.verdict].join('\n');
    if (key === this.drawn) return;
    this.drawn = key;
    const { dataset } = this.button;
    dataset.status = standing.status;
    dataset.number = String(number);
    dataset.stage = comment.stage;
    dataset.place = standing.place;
    if (standing.verdict) dataset.verdict = standing.verdict;
    else delete dataset.verdict;
    this.button.setAttribute('aria-label', label);
    this.shape.setAttribute('d', statusLook[standing.status].path);
    this.number.textContent = String(number);
    this.word.textContent = standing.words;
  }

  /** Top left corner in the viewport; null hides it. Returns whether it moved. */
  moveTo(at: { x: number; y: number } | null): boolean {
    const transform = at ? `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px)` : '';
    if (this.button.hidden === (at === null) && this.button.style.transform === transform) return false;
    this.button.hidden = at === null;
    this.button.style.transform = transform;
    return true;
  }
}
