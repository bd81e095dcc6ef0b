/** Tabs of which something holds. Kept in `storage.session`, because the background may restart meanwhile. */
import { browser } from 'wxt/browser';

export class KeptTabs {
  readonly #key: string;
  readonly #tabs: Promise<Set<number>>;

  /** `key`: under which name they are kept. */
  constructor(key: string) {
    this.#key = key;
    this.#tabs = browser.storage.session.get(key).then((stored) => new Set((stored[key] ?? []) as number[]));
  }

  async of(tabId: number): Promise<boolean> {
    return (await this.#tabs).has(tabId);
  }

  /** True when that is news. */
  async set(tabId: number, holds: boolean): Promise<boolean> {
    const tabs = await this.#tabs;
    if (tabs.has(tabId) === holds) return false;
    if (holds) tabs.add(tabId);
    else tabs.delete(tabId);
    await browser.storage.session.set({ [this.#key]: [...tabs] });
    return true;
  }
}
