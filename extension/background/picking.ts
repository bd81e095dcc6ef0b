/** In which tabs the overlay is picking. */
import { Late, PAGE_ANSWERS_WITHIN, within } from '../deadline';
import { KeptTabs } from './kept-tabs';
import { attach, injectOverlay } from './permissions';
import { tellInTime } from './tell-page';

/** A content script just put into a page may take a moment until it listens. */
const ATTEMPTS = 5;
const PAUSE = 60;

export class Picking {
  readonly #tabs = new KeptTabs('picking');

  of(tabId: number): Promise<boolean> {
    return this.#tabs.of(tabId);
  }

  /** The content script says so. True when that is news. */
  heard(tabId: number, picking: boolean): Promise<boolean> {
    return this.#tabs.set(tabId, picking);
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
