/** A page of the extension behind all others, which shows nothing: what a panel says to the background is said here. */
import type { Page } from 'puppeteer-core';
import { askBackground } from './ask-background.ts';
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
    const message = { type: 'set_picking', payload: { tabId: this.tabId, picking: true } };
    await until('picking has started', async () => {
      await askBackground(this.page, message);
      return true;
    });
  }
}
