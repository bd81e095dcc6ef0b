/** The panel, opened in a tab of its own on the same page as in the side panel. */
import type { ElementHandle, Page } from 'puppeteer-core';
import { focused, press } from './aim.ts';
import { until } from './until.ts';

export class Panel {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async find(testId: string): Promise<ElementHandle> {
    return until(`the panel shows ${testId}`, async () => {
      const element = await this.page.$(`[data-testid="${testId}"]`);
      return element && (await element.isVisible()) ? element : null;
    });
  }

  async has(testId: string): Promise<boolean> {
    const element = await this.page.$(`[data-testid="${testId}"]`);
    return element !== null && (await element.isVisible());
  }

  async gone(testId: string): Promise<void> {
    await until(`the panel no longer shows ${testId}`, async () => !(await this.has(testId)));
  }

  /** A real click, in a panel that is in front. */
  async click(testId: string): Promise<void> {
    await this.page.bringToFront();
    await press(this.page, testId, () => this.page.$(`[data-testid="${testId}"]`));
  }

  /** A real click on a button that rests when it has only just come in sight, once it does so no more. */
  async decide(testId: string): Promise<void> {
    await this.page.bringToFront();
    // The page hears of it a moment later, and its buttons rest from then on.
    await new Promise((done) => setTimeout(done, 150));
    await until(`${testId} rests no more`, () =>
      this.page.$eval(`[data-testid="${testId}"]`, (one) => one.getAttribute('aria-disabled') === 'false'),
    );
    await this.click(testId);
  }

  /** Types into a field that takes the focus by itself. */
  async type(testId: string, text: string): Promise<void> {
    await this.page.bringToFront();
    await focused(testId, () => this.page.$(`[data-testid="${testId}"]`));
    await this.page.keyboard.type(text);
  }

  /** Waits until the panel has heard that picking is on, or off: its button turns it to the other. */
  async knowsPicking(isOn: boolean): Promise<void> {
    await until(`the panel knows that picking is ${isOn ? 'on' : 'off'}`, () =>
      this.page.$(`[data-testid="toggle-picking"][aria-pressed="${isOn}"]`),
    );
  }

  async text(testId: string): Promise<string> {
    const element = await this.find(testId);
    return element.evaluate((node) => node.textContent ?? '');
  }

  /** Waits until some text stands in a part of the panel. */
  async says(testId: string, wanted: RegExp): Promise<string> {
    return until(`${testId} says ${wanted}`, async () => {
      const text = await this.text(testId);
      return wanted.test(text) ? text : null;
    });
  }
}
