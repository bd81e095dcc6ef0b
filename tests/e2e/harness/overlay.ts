/** Overlay and pins as a person meets them: by mouse and keyboard. */
import type { ElementHandle, Page } from 'puppeteer-core';
import { focused, type Point, press, resting } from './aim.ts';
import { findOwn, handleInOwn, inOwn } from './closed.ts';
import type { Panel } from './panel.ts';
import { until } from './until.ts';

/**
 * Selector of something of ours, for `Overlay.$` and its like alone: no selector crosses into our root from outside.
 */
export const own = (testId: string) => `[data-testid="${testId}"]`;

export interface Pin {
  id: string;
  status: string;
  stage: string;
  number: string;
  x: number;
  y: number;
}

export class Overlay {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The first of ours that a selector names. */
  $(selector: string): Promise<ElementHandle | null> {
    return findOwn(this.page, selector);
  }

  /** Asks the first of ours that a selector names; throws where there is none. */
  async $eval<Result>(selector: string, look: (element: Element) => Result): Promise<Awaited<Result>> {
    const element = await this.$(selector);
    if (!element) throw new Error(`nothing of ours is ${selector}`);
    return element.evaluate(look);
  }

  /** Asks all of ours that a selector names. */
  async $$eval<Result>(selector: string, look: (all: Element[]) => Result): Promise<Awaited<Result>> {
    const all = await handleInOwn(this.page, (root, css) => [...root.querySelectorAll(css)], selector);
    if (!all) throw new Error('opentoolbar is not on this page');
    return (await all.evaluate(look)) as Awaited<Result>;
  }

  /** Something of ours that a person can see. */
  async visible(testId: string): Promise<ElementHandle> {
    return until(`${testId} is visible`, async () => {
      const element = await this.$(own(testId));
      return element && (await element.isVisible()) ? element : null;
    });
  }

  async gone(testId: string): Promise<void> {
    await until(`${testId} is gone`, async () => !(await this.shows(testId)));
  }

  /** Whether it can be seen now. */
  async shows(testId: string): Promise<boolean> {
    return (await (await this.$(own(testId)))?.isVisible()) ?? false;
  }

  /** Waits until some text stands in something of ours. */
  async says(testId: string, wanted: RegExp): Promise<string> {
    return until(`${testId} says ${wanted}`, async () => {
      const text = (await this.$eval(own(testId), (node) => node.textContent)) ?? '';
      if (wanted.test(text)) return text;
      throw new Error(text);
    });
  }

  /** Whether picking is on, as a person sees it. */
  async picking(): Promise<void> {
    await this.visible('pick-bar');
  }

  /** Clicks something of ours. */
  async click(testId: string): Promise<void> {
    const element = await this.$(own(testId));
    if (await element?.evaluate((each) => each.localName === 'iframe')) return this.clickField(testId);
    await press(this.page, testId, () => this.$(own(testId)));
  }

  /** Clicks something of the page. */
  async clickPage(selector: string): Promise<void> {
    await press(this.page, selector, () => this.page.$(selector));
  }

  /** Opens the thread of a comment by its pin. */
  async openThread(id: string): Promise<ElementHandle> {
    await this.click(`pin-${id}`);
    return this.visible('pin-thread');
  }

  /** Something of ours that hears the keyboard now; of a text field what is in its frame. */
  async focused(testId: string, within?: number): Promise<ElementHandle> {
    const element = await focused(testId, () => this.$(own(testId)), within);
    const isFrame = await element.evaluate((each) => each.localName === 'iframe');
    return isFrame ? focused(`the field of ${testId}`, () => this.field(testId), within) : element;
  }

  /** A text field of ours: in its frame, or in the page where that allows none. */
  async field(testId = 'comment-input'): Promise<ElementHandle | null> {
    const element = await this.$(own(testId));
    const frame = await element?.contentFrame();
    return frame ? frame.$('textarea') : element;
  }

  /** What stands in a text field of ours, as a person sees it. */
  async written(testId = 'comment-input'): Promise<string | undefined> {
    const field = await this.field(testId);
    return field?.evaluate((each) => (each as HTMLTextAreaElement).value);
  }

  /**
   * A click into a frame is none in the page: that the field has the focus tells that it came. What moved away is
   * clicked once more.
   */
  private async clickField(testId: string): Promise<void> {
    const at = await this.restingField(testId);
    await this.page.mouse.click(at.x, at.y);
    const isFocused = await this.focused(testId, 1_000).then(
      () => true,
      () => false,
    );
    if (isFocused) return;
    const now = await this.restingField(testId);
    if (Math.abs(now.x - at.x) >= 1 || Math.abs(now.y - at.y) >= 1) {
      console.error(`    ${testId} moved away from ${at.x}, ${at.y} as it was clicked`);
      await this.page.mouse.click(now.x, now.y);
    }
    await this.focused(testId);
  }

  /**
   * The middle of a text field's frame that rests, once what is in it can be written in: a frame that still loads hears
   * no click.
   */
  private async restingField(testId: string): Promise<Point> {
    return until(`${testId} rests in sight, and can be written in`, async () => {
      const field = await this.field(testId);
      if (!(await field?.evaluate((each) => each.matches('textarea:enabled')))) return null;
      const element = await this.$(own(testId));
      return element && resting(element);
    });
  }

  /** Types into the comment box, which takes the focus as it opens. */
  async type(text: string): Promise<void> {
    await this.visible('comment-input');
    await this.focused('comment-input');
    await this.page.keyboard.type(text);
  }

  /** Middle of an element that rests in the viewport; `>>>` crosses shadow roots. */
  async middle(selector: string, frame?: string): Promise<Point> {
    return until(`${selector}${frame ? ` in ${frame}` : ''} rests in sight`, async () => {
      const element = await this.find(selector, frame);
      return element && resting(element);
    });
  }

  /** Points at an element until it, or what of it is under the pointer, is framed; returns where it is pointed at. */
  async hover(selector: string, frame?: string): Promise<Point> {
    return until(`${selector}${frame ? ` in ${frame}` : ''} is framed`, async () => {
      const element = await this.find(selector, frame);
      const at = element && (await resting(element));
      if (!at) return null;
      await this.page.mouse.move(at.x - 2, at.y);
      await this.page.mouse.move(at.x, at.y);
      const [box, outline] = await Promise.all([
        element.boundingBox(),
        this.$(own('outline')).then((frame) => frame?.boundingBox()),
      ]);
      if (!box || !outline) return null;
      const isWithin = (['x', 'y'] as const).every((axis) => {
        const size = axis === 'x' ? 'width' : 'height';
        const end = outline[axis] + outline[size];
        const isAround = outline[axis] <= at[axis] && end >= at[axis];
        return isAround && outline[axis] > box[axis] - 2 && end < box[axis] + box[size] + 2;
      });
      return isWithin && at;
    });
  }

  /** Points at an element and clicks it, with keys held. */
  async pick(selector: string, options: { frame?: string; shift?: boolean } = {}): Promise<void> {
    const { x, y } = await this.hover(selector, options.frame);
    if (options.shift) await this.page.keyboard.down('Shift');
    await this.page.mouse.click(x, y);
    if (options.shift) await this.page.keyboard.up('Shift');
  }

  /** Writes into the comment box and saves with the keyboard; returns the new pin, which comes within `patience` ms. */
  async write(text: string, patience?: number): Promise<Pin> {
    // Also those that are hidden: one that is shown again meanwhile is not new.
    const before = new Set((await this.allPins()).map((pin) => pin.id));
    await this.type(text);
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('Enter');
    await this.page.keyboard.up('Control');
    try {
      const isNew = async () => (await this.pins()).find((pin) => !before.has(pin.id));
      return await until('the new pin', isNew, patience);
    } catch (error) {
      // What the person would see then.
      const seen = await inOwn(this.page, (root) =>
        [...root.querySelectorAll('[data-testid]')].map(
          (part) => `${(part as HTMLElement).dataset.testid}: ${part.textContent?.slice(0, 200)}`,
        ),
      );
      throw new Error(`${String(error)}; instead: ${JSON.stringify(seen)}`);
    }
  }

  /** All pins that can be seen. */
  async pins(): Promise<Pin[]> {
    const pins = await this.allPins();
    return pins.filter((pin) => pin.shown).map(({ shown: _shown, ...pin }) => pin);
  }

  private async allPins(): Promise<(Pin & { shown: boolean })[]> {
    const pins = await inOwn(this.page, (root) =>
      [...root.querySelectorAll<HTMLElement>('[data-testid^="pin-c_"]')].map((pin) => {
        const box = pin.getBoundingClientRect();
        return {
          id: pin.dataset.testid?.slice('pin-'.length) ?? '',
          status: pin.dataset.status ?? '',
          stage: pin.dataset.stage ?? '',
          number: pin.dataset.number ?? '',
          x: box.x + box.width / 2,
          y: box.y + box.height / 2,
          shown: box.width > 0 && box.height > 0,
        };
      }),
    );
    return pins ?? [];
  }

  /** Waits until the page shows that a comment is outdated; its pin may be off the element, so the panel is asked. */
  async outdated(world: { panel(): Promise<Panel> }, id: string): Promise<void> {
    const panel = await world.panel();
    await until(
      `${id} is outdated`,
      async () => (await panel.page.$(`[data-testid="comment-${id}"][data-status="outdated"]`)) !== null,
    );
  }

  /** A comment's pin once it satisfies a condition. */
  async pin(id: string, what: string, condition: (pin: Pin) => boolean = () => true): Promise<Pin> {
    return until(`pin ${id} ${what}`, async () =>
      (await this.pins()).find((pin) => pin.id === id && condition(pin)),
    );
  }

  /**
   * Notes, in the page, the moment at which a pin gets a status. Returns a function that waits for it: milliseconds
   * since the epoch, on the same clock as this process.
   */
  async watchStatus(id: string, status: string): Promise<() => Promise<number>> {
    const seen = await handleInOwn(
      this.page,
      (root, testId, wanted) => {
        const seen: { at?: number } = {};
        const look = () => {
          const pin = root.querySelector(`[data-testid="${testId}"]`);
          if (pin?.getAttribute('data-status') !== wanted) return;
          seen.at = performance.timeOrigin + performance.now();
          observer.disconnect();
        };
        const observer = new MutationObserver(look);
        observer.observe(root, { subtree: true, childList: true, attributes: true });
        look();
        return seen;
      },
      `pin-${id}`,
      status,
    );
    if (!seen) throw new Error('opentoolbar is not on this page');
    return () => until(`pin ${id} becomes ${status}`, () => seen.evaluate(({ at }) => at));
  }

  private async find(selector: string, frame?: string): Promise<ElementHandle | null | undefined> {
    const scope = frame ? await (await this.page.$(frame))?.contentFrame() : this.page;
    return scope?.$(selector);
  }
}
