/** A page of the extension behind all others, which shows nothing: what a panel says to the background is said here. */
import type { Page } from 'puppeteer-core';
import { askTabId, type TestBrowser } from './browser.ts';
import { until } from './until.ts';

export class Behind {
  private readonly page: Page;
  private readonly tabId: number;

  private constructor(page: Page, tabId: number) {
    this.page = page;
    this.tabId = tabId;
  }

  /** For the tab on an address. */
  static async of(browser: TestBrowser, url: string): Promise<Behind> {
    const page = await browser.openBehind();
    return new Behind(page, await askTabId(page, url));
  }

  /** A page that came just now may not answer yet: it is asked again, as a person would. */
  async startPicking(): Promise<void> {
    await until('picking has started', () => this.ask());
  }

  private ask(): Promise<boolean> {
    return this.page.evaluate(async (tabId) => {
      type Runtime = { runtime: { sendMessage(message: object): Promise<{ error?: unknown } | undefined> } };
      const scope = globalThis as unknown as { browser?: Runtime; chrome?: Runtime };
      const message = { type: 'set_picking', payload: { tabId, picking: true } };
      const answer = await (scope.browser ?? scope.chrome)?.runtime.sendMessage(message);
      if (!answer || answer.error !== undefined) throw new Error(`not picking: ${JSON.stringify(answer)}`);
      return true;
    }, this.tabId);
  }
}
