/**
 * The panel where people have it: Chromium's side panel, and Firefox's sidebar. Chromium's debugging protocol has the
 * side panel as a page of its own. Firefox's automation knows tabs alone: there another page of the extension looks
 * into the sidebar, and it is clicked and typed in by the mouse and the keyboard of the screen.
 */
import type { JSHandle, Page } from 'puppeteer-core';
import type { Point } from './aim.ts';
import { Panel } from './panel.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

export interface Api {
  commands: {
    getAll(): Promise<{ name?: string; shortcut?: string }[]>;
    update(command: { name: string; shortcut: string }): Promise<void>;
  };
  action: { getTitle(of: { tabId: number }): Promise<string> };
  extension: { getViews(): Window[] };
}

/** What a person does with it. */
export type Beside = Pick<Panel, 'click' | 'type' | 'says'>;

/** The person's keys by command, as the browser has them. */
export async function keysOf(world: World): Promise<Record<string, string>> {
  const panel = await world.panel();
  return panel.page.evaluate(async () => {
    const scope = globalThis as unknown as { browser?: Api; chrome?: Api };
    const commands = await (scope.browser ?? scope.chrome)?.commands.getAll();
    return Object.fromEntries((commands ?? []).map(({ name = '', shortcut = '' }) => [name, shortcut]));
  });
}

/** Opens it beside the page, which is in front, by the keys that the browser gave. */
export async function openBeside(world: World): Promise<Beside> {
  const { 'open-panel': keys = '' } = await keysOf(world);
  await world.page.bringToFront();
  await world.press(keys);
  if (world.browser.name === 'chromium') return new Panel(await world.browser.sidePanel());
  return new Sidebar(world, (await world.panel()).page);
}

/** Something in the sidebar: the clicks that came to it since, and where it is on the screen. */
interface Aimed {
  clicks: null[];
  point: Point;
}

/** Firefox's. */
class Sidebar implements Beside {
  private readonly world: World;
  /** Who looks into it. */
  private readonly asker: Page;

  constructor(world: World, asker: Page) {
    this.world = world;
    this.asker = asker;
  }

  async click(testId: string): Promise<void> {
    const first = await this.aim(testId);
    await this.world.clickAt(first.point);
    // What moved away as the finger went down is clicked once more.
    if (await first.isClicked(1_000)) return;
    const second = await this.aim(testId);
    await this.world.clickAt(second.point);
    if (!(await second.isClicked())) throw new Error(`no click comes to ${testId} in the sidebar`);
  }

  async type(testId: string, text: string): Promise<void> {
    await until(`${testId} in the sidebar has the focus`, async () =>
      (await this.view()).evaluate(
        ({ view }, testId) =>
          view.document.hasFocus() && view.document.activeElement?.matches(`[data-testid="${testId}"]`),
        testId,
      ),
    );
    await this.world.typeKeys(text);
  }

  async says(testId: string, wanted: RegExp): Promise<string> {
    return until(`${testId} in the sidebar says ${wanted}`, async () => {
      const text = await (await this.view()).evaluate(
        ({ view }, testId) => view.document.querySelector(`[data-testid="${testId}"]`)?.textContent ?? '',
        testId,
      );
      return wanted.test(text) ? text : null;
    });
  }

  /**
   * Where something is on the screen, once it stands still and nothing lies over it; and whether a click has come to it
   * since.
   */
  private async aim(testId: string) {
    const { aimed, point } = await until(`${testId} in the sidebar can be clicked`, async () => {
      const view = await this.view();
      const aimed: JSHandle<Aimed | null> = await view.evaluateHandle(async ({ view }, testId) => {
        const element = view.document.querySelector(`[data-testid="${testId}"]`);
        if (!element || element.matches(':disabled, [aria-disabled="true"]')) return null;
        const middle = () => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        };
        element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const { x, y } = middle();
        for (let frame = 0; frame < 3; frame++) {
          await new Promise((resolve) => view.requestAnimationFrame(resolve));
          if (middle().x !== x || middle().y !== y) return null;
        }
        if (!element.contains(view.document.elementFromPoint(x, y))) return null;
        const { mozInnerScreenX: left, mozInnerScreenY: top } = view as Window & {
          mozInnerScreenX: number;
          mozInnerScreenY: number;
        };
        const clicks: null[] = [];
        element.addEventListener('click', () => clicks.push(null), { once: true });
        return { clicks, point: { x: left + x, y: top + y } };
      }, testId);
      const point = await aimed.evaluate((it: Aimed | null) => it?.point ?? null);
      return point && { aimed: aimed as JSHandle<Aimed>, point };
    });
    const clicked = () => aimed.evaluate(({ clicks }) => clicks.length > 0);
    const isClicked = (within?: number) =>
      until(`a click comes to ${testId}`, clicked, within).catch(() => false);
    return { point, isClicked };
  }

  private async view(): Promise<JSHandle<{ view: Window }>> {
    return until('the sidebar is open', async () => {
      const view: JSHandle<{ view: Window } | null> = await this.asker.evaluateHandle(() => {
        const { browser } = globalThis as unknown as { browser: Api };
        const isIt = ({ location }: Window) => location.pathname === '/panel.html' && location.search === '';
        const view = browser.extension.getViews().find(isIt);
        return view ? { view } : null;
      });
      return (await view.evaluate((it: object | null) => it !== null))
        ? (view as JSHandle<{ view: Window }>)
        : null;
    });
  }
}
