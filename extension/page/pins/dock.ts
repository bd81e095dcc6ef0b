/**
 * The strip at the edge for pins without a place on the page: not found, or found but not drawn. Draws only. A few are
 * listed; more are one line until the person opens it, so that it never covers half of the page by itself.
 */
import type { Place } from '../sightings/standing';
import type { Pin } from './pin';

/** From this many on they are one line. */
const FOLDED_FROM = 4;

/** Where the element is nowhere on the page, or cannot be looked for. Of the others it is there and is not drawn. */
const LOST: ReadonlySet<string | undefined> = new Set<Place>(['gone', 'unread']);

const isLost = ({ button }: Pin) => LOST.has(button.dataset.place);

/** `2 not shown here (in a closed dialog), 1 not found`. */
function summary(pins: readonly Pin[]): string {
  const hidden = pins.filter((pin) => !isLost(pin));
  const [first = '', ...others] = new Set(hidden.map(({ hiddenIn }) => hiddenIn));
  const where = first === '' || others.length > 0 ? '' : ` (${first})`;
  const lost = pins.length - hidden.length;
  const parts = [
    hidden.length > 0 ? `${hidden.length} not shown here${where}` : '',
    lost > 0 ? `${lost} not found` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `5 not shown here (2 not found)`: the one line. */
function heading(pins: readonly Pin[]): string {
  const lost = pins.filter(isLost).length;
  if (lost === pins.length) return `${lost} not found`;
  return `${pins.length} not shown here${lost > 0 ? ` (${lost} not found)` : ''}`;
}

export class Dock {
  private readonly strip = document.createElement('div');
  private readonly list = document.createElement('div');
  private readonly toggle = document.createElement('button');
  private key = '';
  /** What the person chose; null: by how many there are. */
  private chosen: 'open' | 'folded' | null = null;

  constructor(layer: HTMLElement, onChange: () => void) {
    this.strip.className = 'dock';
    this.strip.dataset.testid = 'pin-dock';
    this.strip.hidden = true;
    this.toggle.type = 'button';
    this.toggle.className = 'button dock-toggle';
    this.toggle.dataset.part = '';
    this.toggle.setAttribute('aria-expanded', 'true');
    this.list.className = 'dock-list';
    this.toggle.addEventListener('click', () => {
      this.chosen = this.list.hidden ? 'open' : 'folded';
      this.fold(!this.list.hidden);
      onChange();
    });
    this.strip.append(this.toggle, this.list);
    layer.append(this.strip);
  }

  private fold(folded: boolean): void {
    this.list.hidden = folded;
    this.toggle.setAttribute('aria-expanded', String(!folded));
  }

  /** Where a pin of the folded strip is taken to be; null for a pin that is seen itself. */
  boxFor(pin: Pin): DOMRect | null {
    return this.list.hidden && this.list.contains(pin.button) ? this.toggle.getBoundingClientRect() : null;
  }

  /** Shows exactly these pins; returns whether anything changed. */
  show(pins: readonly Pin[]): boolean {
    const many = pins.length >= FOLDED_FROM;
    const words = many ? heading(pins) : summary(pins);
    const key = [words, ...pins.map((pin) => pin.button.dataset.testid)].join();
    if (key === this.key && pins.every((pin) => pin.button.parentNode === this.list)) return false;
    this.key = key;
    this.strip.hidden = pins.length === 0;
    this.toggle.textContent = words;
    this.toggle.title = 'Comments whose elements are not shown here now, or not found on this page';
    for (const pin of pins) {
      pin.docked();
      this.list.append(pin.button);
    }
    // What a person is at stays as it is, also while the thread of one is open: the focus comes back from there.
    const isOpen = this.list.querySelector('[aria-expanded="true"]') !== null;
    const isUsed = isOpen || this.strip.matches(':hover, :focus-within');
    if (this.chosen === null && !isUsed) this.fold(many);
    return true;
  }
}
