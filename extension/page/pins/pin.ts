/** One pin: a button with the comment's number, whose shape, colour and words tell how it stands. Draws only. */

import { commentLabel, unsentLook } from '../../design/comment-name';
import type { Comment } from '../../generated/Comment';
import { lookOf } from '../../verdict/asked';
import { sureness } from '../../verdict/words';
import type { Spot } from '../positioning/outline';
import { seenWindow } from '../positioning/seen-window';
import type { Standing } from '../sightings/standing';
import { GLIDE_MS } from './glide';
import { pinWidth, tipSide } from './spot';

const SVG = 'http://www.w3.org/2000/svg';
/** Places about which the last look's sureness says nothing. */
const UNSAID: ReadonlySet<Standing['place']> = new Set(['unread', 'away']);

/** A drawing in the colour of the words beside it. */
function drawing(...paths: SVGPathElement[]): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('fill', 'currentColor');
  svg.append(...paths);
  return svg;
}

export class Pin {
  readonly button = document.createElement('button');
  private readonly shape = document.createElementNS(SVG, 'path');
  private readonly number = document.createElement('span');
  private readonly unsent = drawing();
  private readonly tip = document.createElement('span');
  private readonly word = document.createElement('span');
  private readonly why = document.createElement('span');
  private readonly excerpt = document.createElement('span');
  private drawn = '';
  /** Its name on the page, and in the dock, where the first words of the comment are seen. */
  private names = { page: '', dock: '' };
  private isDocked = false;
  private spot: Spot | null = null;
  /** What hides its element, where that is known; else empty. */
  hiddenIn = '';

  constructor(commentId: string) {
    this.button.type = 'button';
    this.button.className = 'pin';
    this.button.dataset.testid = `pin-${commentId}`;
    this.button.dataset.part = '';
    this.button.hidden = true;
    this.button.setAttribute('aria-haspopup', 'dialog');
    this.open(false);
    const svg = drawing(this.shape);
    const mark = document.createElementNS(SVG, 'path');
    mark.setAttribute('d', unsentLook.path);
    this.unsent.append(mark);
    this.unsent.dataset.unsent = '';
    this.number.className = 'pin-number';
    this.tip.className = 'pin-tip';
    this.word.className = 'pin-word';
    this.why.className = 'pin-why';
    this.excerpt.className = 'pin-excerpt';
    this.tip.append(this.word, ' ', this.excerpt, ' ', this.why);
    this.shape.setAttribute('fill-rule', 'evenodd');
    this.button.append(svg, this.number, ' ', this.tip);
  }

  /** Says how the comment stands; returns whether anything of that is new. */
  describe(comment: Comment, standing: Standing, isAnswered = false): boolean {
    const excerpt = comment.text.length > 80 ? `${comment.text.slice(0, 80)}…` : comment.text;
    const sure =
      standing.reason &&
      standing.confidence !== null &&
      !UNSAID.has(standing.place) &&
      standing.cause !== 'unknown'
        ? ` (${sureness(standing.confidence)})`
        : '';
    // What the app's state does to its elements is told in the thread alone.
    const quiet = standing.cause === 'state' && standing.place === 'found';
    const why =
      standing.reason && !quiet ? standing.reason + (standing.place === 'scrolled' ? '' : sure) : '';
    // What is seen on it is in its name as it stands: people speak what they see.
    const { number } = comment;
    const isUnsent = number === undefined;
    const words = [
      standing.words,
      ...(isUnsent ? [unsentLook.word.toLowerCase()] : []),
      ...(isAnswered ? ['new answer'] : []),
    ].join(', ');
    const name = isUnsent ? 'Comment' : commentLabel(comment);
    const label = `${name} ${words}${why ? ` ${why}` : ''}: ${excerpt}`;
    const key = [
      label,
      standing.status,
      standing.isAsked,
      standing.place,
      comment.stage,
      standing.verdict,
      standing.cause,
    ].join('\n');
    if (key === this.drawn) return false;
    this.drawn = key;
    this.hiddenIn = standing.hiddenIn;
    const { dataset } = this.button;
    dataset.status = standing.status;
    if (isUnsent) delete dataset.number;
    else dataset.number = String(number);
    dataset.stage = comment.stage;
    dataset.place = standing.place;
    if (isAnswered) dataset.answered = '';
    else delete dataset.answered;
    if (standing.isAsked) dataset.asked = '';
    else delete dataset.asked;
    if (standing.cause) dataset.cause = standing.cause;
    else delete dataset.cause;
    if (standing.verdict) dataset.verdict = standing.verdict;
    else delete dataset.verdict;
    this.names = { page: label, dock: `${name} ${words} ${excerpt}${why ? `. ${why}` : ''}` };
    this.name();
    this.shape.setAttribute('d', lookOf(comment).path);
    this.number.replaceChildren(isUnsent ? this.unsent : String(number));
    this.word.textContent = words;
    this.why.textContent = why;
    this.excerpt.textContent = excerpt;
    return true;
  }

  private name(): void {
    const name = this.isDocked ? this.names.dock : this.names.page;
    if (this.button.getAttribute('aria-label') !== name) this.button.setAttribute('aria-label', name);
  }

  /** Whether its thread is open: then the thread says what the tip would. */
  open(open: boolean): void {
    this.button.setAttribute('aria-expanded', String(open));
  }

  /** Where it stands now, its top left corner in the viewport; null while it is hidden or docked. */
  get at(): Spot | null {
    return this.spot;
  }

  /** Whether a modal dialog of the page keeps its element out of reach. Returns whether that is new. */
  standsBehind(isBehind: boolean): boolean {
    const { dataset } = this.button;
    if ((dataset.behind !== undefined) === isBehind) return false;
    if (isBehind) dataset.behind = '';
    else delete dataset.behind;
    return true;
  }

  /** It is in the dock now, which has its own order. */
  docked(): void {
    this.isDocked = true;
    this.name();
    this.button.hidden = false;
    this.button.style.transform = '';
    this.spot = null;
  }

  /**
   * Top left corner in the viewport; null hides it. `glide`: it is seen to go there. `part`: what is seen of its
   * element. Returns whether it moved.
   */
  moveTo(at: Spot | null, glide = false, part: DOMRectReadOnly | null = null): boolean {
    this.isDocked = false;
    this.name();
    const next = at ? { x: Math.round(at.x), y: Math.round(at.y) } : null;
    const before = this.spot;
    const same = next === null ? before === null : before?.x === next.x && before.y === next.y;
    if (same && this.button.hidden === (next === null)) return false;
    this.spot = next;
    this.button.hidden = next === null;
    this.button.style.transform = next ? `translate(${next.x}px, ${next.y}px)` : '';
    // Its words go to where there is room.
    if (next) {
      const isTall = this.why.textContent !== '';
      const side = tipSide(next, pinWidth(this.button.dataset.number), isTall, part, seenWindow());
      if (this.button.dataset.tip !== side) this.button.dataset.tip = side;
    }
    if (glide && next && before) {
      // On top of the place itself, so that it follows the page while it glides.
      const from = `${before.x - next.x}px ${before.y - next.y}px`;
      this.button.animate([{ translate: from }, { translate: '0 0' }], {
        duration: GLIDE_MS,
        easing: 'ease-out',
      });
    }
    return true;
  }
}
