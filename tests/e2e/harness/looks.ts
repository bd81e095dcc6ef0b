/** Scenarios that lead through states of the overlay and the panel, each looked at in light and in dark. */
import assert from 'node:assert/strict';
import type { Page } from 'puppeteer-core';
import { ownViolations, violations } from './axe.ts';
import { inBothColours } from './colours.ts';
import { unreached } from './tabbed.ts';
import { scenario, type World, type WorldOptions } from './world.ts';

/**
 * Looks at states one after the other; what is wrong with any of them is told in the end, so that one run finds all.
 */
export class Looks {
  private readonly world: World;
  private readonly found: string[] = [];

  constructor(world: World) {
    this.world = world;
  }

  /** What we show on the page. */
  async page(state: string): Promise<void> {
    await this.world.page.bringToFront();
    await this.look(this.world.page, state, ownViolations);
  }

  async panel(state: string, page?: Page): Promise<void> {
    const panel = page ?? (await this.world.panel()).page;
    await panel.bringToFront();
    await this.look(panel, state, async (each) => [
      ...(await violations(each, 'document')),
      ...(await each.evaluate(torn)),
    ]);
  }

  /** The same, and that the keyboard reaches whatever can be used there. Takes the focus. */
  async usable(state: string, page?: Page): Promise<void> {
    await this.panel(state, page);
    const panel = page ?? (await this.world.panel()).page;
    this.found.push(...(await unreached(panel)).map((each) => `${state}: ${each}`));
  }

  end(): void {
    assert.deepEqual(this.found, []);
  }

  private look(page: Page, state: string, wrong: (page: Page) => Promise<string[]>): Promise<void> {
    return inBothColours(this.world, page, state, async (name) => {
      this.found.push(...(await wrong(page)).map((each) => `${name}: ${each}`));
    });
  }
}

/**
 * Sentences with something in the middle that stand in a row or a grid, which tears them apart. Runs in the browser.
 */
function torn(): string[] {
  const says = (node: ChildNode | undefined) => node?.nodeType === Node.TEXT_NODE && node.textContent?.trim();
  return [...document.querySelectorAll('*')].flatMap((element) => {
    const nodes = [...element.childNodes];
    const isTorn = nodes.some(
      (node, at) =>
        node instanceof Element && nodes.slice(0, at).some(says) && nodes.slice(at + 1).some(says),
    );
    const { display } = getComputedStyle(element);
    return isTorn && /flex|grid/.test(display) && element.checkVisibility()
      ? [`torn apart: ${element.outerHTML.slice(0, 160)}`]
      : [];
  });
}

export const accessible = (
  name: string,
  options: WorldOptions,
  play: (world: World, looks: Looks) => Promise<void>,
) =>
  scenario(`axe-core finds nothing: ${name}`, options, async (world) => {
    const looks = new Looks(world);
    await play(world, looks);
    looks.end();
  });
