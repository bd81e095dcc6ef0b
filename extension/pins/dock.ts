/** The strip at the edge for pins without a place on the page: not found, or found but not drawn. Draws only. */
import type { Pin } from './pin';

/** `2 hidden (in a closed dialog), 1 not found`. */
function summary(pins: readonly Pin[]): string {
  const hidden = pins.filter(({ button }) => button.dataset.place === 'away');
  const [first = '', ...others] = new Set(hidden.map(({ hiddenIn }) => hiddenIn));
  const where = first === '' || others.length > 0 ? '' : ` (${first})`;
  const lost = pins.length - hidden.length;
  const parts = [
    hidden.length > 0 ? `${hidden.length} hidden${where}` : '',
    lost > 0 ? `${lost} not found` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

export class Dock {
  private readonly strip = document.createElement('div');
  private readonly list = document.createElement('div');
  private readonly toggle = document.createElement('button');
  private key = '';

  constructor(layer: HTMLElement, onChange: () => void) {
    this.strip.className = 'dock';
    this.strip.dataset.testid = 'pin-dock';
    this.strip.hidden = true;
    this.toggle.type = 'button';
    this.toggle.className = 'dock-toggle';
    this.toggle.dataset.part = '';
    this.toggle.setAttribute('aria-expanded', 'true');
    this.list.className = 'dock-list';
    this.toggle.addEventListener('click', () => {
      this.list.hidden = !this.list.hidden;
      this.toggle.setAttribute('aria-expanded', String(!this.list.hidden));
      onChange();
    });
    this.strip.append(this.toggle, this.list);
    layer.append(this.strip);
  }

  /** Shows exactly these pins; returns whether anything changed. */
  show(pins: readonly Pin[]): boolean {
    const words = summary(pins);
    const key = [words, ...pins.map((pin) => pin.button.dataset.testid)].join();
    if (key === this.key && pins.every((pin) => pin.button.parentNode === this.list)) return false;
    this.key = key;
    this.strip.hidden = pins.length === 0;
    this.toggle.textContent = words;
    this.toggle.title = 'Comments whose elements are hidden now, or not found on this page';
    for (const pin of pins) {
      pin.docked();
      this.list.append(pin.button);
    }
    return true;
  }
}
