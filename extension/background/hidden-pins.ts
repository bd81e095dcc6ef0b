/** In which tabs the person hid the pins: as long as the tab is open, whatever it shows. */
import { KeptTabs } from './kept-tabs';

export class HiddenPins extends KeptTabs {
  constructor() {
    super('hiddenPins');
  }

  async toggle(tabId: number): Promise<void> {
    await this.set(tabId, !(await this.of(tabId)));
  }
}
