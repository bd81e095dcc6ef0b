/** Pictures of one moment in light and in dark. */
import type { Page } from 'puppeteer-core';
import { atRest, ownAtRest } from './at-rest.ts';
import type { World } from './world.ts';

/** Called with a name and the page that shows it. */
export type Moment = (name: string, page: Page) => Promise<void>;

export async function inBothColours(world: World, page: Page, name: string, moment: Moment): Promise<void> {
  await moment(name, page);
  // Firefox takes its colours from the profile and stays with them.
  if (world.browser.name === 'firefox') return;
  await world.colours(page, 'dark');
  await moment(`${name}-dark`, page);
  await world.colours(page, 'light');
  // Chromium never ends a change of colours that had not begun when its page went to the back.
  await atRest(page);
  await ownAtRest(page);
}
