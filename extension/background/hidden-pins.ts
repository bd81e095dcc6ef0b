/** In which tabs the person hid the pins. Kept in `storage.session`: as long as the tab is open, whatever it shows. */
import { browser } from 'wxt/browser';

const KEY = 'hiddenPins';

export class HiddenPins {
  #tabs: Promise<Set<number>>;

  constructor() {
    this.#tabs = browser.storage.session.get(KEY).then((stored) => new Set((stored[KEY] ?? []) as number[]));
  }

  async of(tabId: number): Promise<boolean> {
    return (await this.#tabs).has(tabId);
  }

  async set(tabId: number, hidden: boolean): Promise<void> {
    const tabs = await this.#tabs;
    if (tabs.has(tabId) === hidden) return;
    if (hidden) tabs.add(tabId);
    else tabs.delete(tabId);
    await browser.storage.session.set({ [KEY]: [...tabs] });
  }

  async toggle(tabId: number): Promise<void> {
    await this.set(tabId, !(await this.of(tabId)));
  }
}
