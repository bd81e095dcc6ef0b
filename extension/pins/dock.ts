/** The strip at the edge for pins without a place on the page: not found, or found but not drawn. Draws only. */
import type { Pin } from './pin';

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
    const key = pins.map((pin) => pin.button.dataset.testid).join();
    if (key === this.key && pins.every((pin) => pin.button.parentNode === this.list)) return false;
    this.key = key;
    this.strip.hidden = pins.length === 0;
    this.toggle.textContent = pins.length === 1 ? '1 not in view' : `${pins.length} not in view`;
    this.toggle.title = 'Comments whose elements are not found, or not shown at the moment';
    for (const pin of pins) {
      pin.docked();
      this.list.append(pin.button);
    }
    return true;
  }
}
