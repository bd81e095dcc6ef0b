/** In which tabs the overlay is picking. Kept in `storage.session`, because the background may restart meanwhile. */
import { browser } from 'wxt/browser';
import { Late, PAGE_ANSWERS_WITHIN, within } from '../deadline';
import { attach, injectOverlay } from './permissions';
import { tellInTime } from './views';

const KEY = 'picking';
/** A content script just put into a page may take a moment until it listens. */
const ATTEMPTS = 5;
const PAUSE = 60;

export class Picking {
  #tabs: Promise<Set<number>>;

  constructor() {
    this.#tabs = browser.storage.session.get(KEY).then((stored) => new Set((stored[KEY] ?? []) as number[]));
  }

  async of(tabId: number): Promise<boolean> {
    return (await this.#tabs).has(tabId);
  }

  /** The content script says so. True when that is news. */
  async heard(tabId: number, picking: boolean): Promise<boolean> {
    const tabs = await this.#tabs;
    if (tabs.has(tabId) === picking) return false;
    if (picking) tabs.add(tabId);
    else tabs.delete(tabId);
    await browser.storage.session.set({ [KEY]: [...tabs] });
    return true;
  }

  /** Starts or stops picking, putting the content script into the page when it is not there yet. */
  async set(tabId: number, picking: boolean): Promise<void> {
    const message = { type: 'set_picking', payload: { picking } } as const;
    if (!picking) {
      await tellInTime(tabId, message);
      return;
    }
    await within(PAGE_ANSWERS_WITHIN, injectOverlay(tabId)).catch((failure: unknown) => {
      if (failure instanceof Late) throw failure;
      throw new Error(
        `opentoolbar cannot run on this page (${reasonOf(failure)}). Open one of your app's pages.`,
      );
    });
    if (await tellInTime(tabId, message)) return;
    await within(PAGE_ANSWERS_WITHIN, attach(tabId));
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await tellInTime(tabId, message)) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    throw new Error('The page does not answer. Reload it and try again.');
  }
}

function reasonOf(failure: unknown): string {
  return (failure instanceof Error ? failure.message : String(failure)).replace(/\.$/, '');
}
