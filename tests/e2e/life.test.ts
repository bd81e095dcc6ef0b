/**
 * How long our scripts live in a page that stays open: through a reload of the extension, and not beyond a person's
 * permission.
 */
import assert from 'node:assert/strict';
import { browserUnderTest } from './harness/paths.ts';
import { otherSite } from './harness/sites.ts';
import { scenario, type World } from './harness/world.ts';

const roots = (world: World) =>
  world.page.evaluate(() => document.querySelectorAll('[data-opentoolbar-root]').length);

// Firefox ends content scripts with their extension by itself.
if (browserUnderTest() === 'chromium') {
  scenario(
    'an extension that was reloaded takes the place of what it left in an open page',
    { registered: false },
    async (world) => {
      const { page, overlay } = world;
      const id = await world.comment('#new-order', 'Through a reload');
      await overlay.pin(id, 'is there');
      await page.evaluate(() => {
        const old = document.querySelector('[data-opentoolbar-root]');
        Object.assign(globalThis, { old });
      });
      await world.browser.reloadExtension();
      await world.until('another root stands there', () =>
        page.evaluate(() => {
          const { old } = globalThis as unknown as { old: Element | null };
          const now = document.querySelector('[data-opentoolbar-root]');
          return now !== null && now !== old;
        }),
      );
      await overlay.pin(id, 'is there again');
      // The one that was left would come back at once and each second.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      assert.equal(await roots(world), 1);
      await overlay.pin(id, 'is still there');
    },
  );
}

scenario(
  'a permission that is taken back ends what we show in open pages, and given again brings it back',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('#new-order', 'While I may');
    await overlay.pin(id, 'is there');
    await world.browser.allowEverywhere(false);
    await page.bringToFront();
    await world.until('nothing of ours is in the page', async () => (await roots(world)) === 0);
    await world.browser.allowEverywhere(true);
    await page.bringToFront();
    await overlay.pin(id, 'is there again');
    assert.equal(await roots(world), 1);
  },
);

/**
 * Takes the permission back while a page with a pin waits for the way back, and goes back; whether that page was kept.
 */
async function isKept({ page, browser, origin, overlay, until }: World, url: string, id: string) {
  await page.goto(url);
  await overlay.pin(id, 'is there');
  await page.evaluate(() => {
    document.title = 'left';
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.title = 'kept';
    });
  });
  await page.goto(`${origin}/`);
  await browser.allowEverywhere(false);
  await page.bringToFront();
  // Firefox tells automation nothing of a page that comes back.
  await page.goBack({ timeout: 2_000 }).catch(() => null);
  await until('the page is there again', async () => page.url() === url || (await page.title()) === 'kept');
  await until('the page is loaded', () => page.evaluate(() => document.readyState === 'complete'));
  return (await page.title()) === 'kept';
}

/** Why the browser did not keep the page, where it says so. */
const notKept = ({ page }: World): Promise<string> =>
  page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as { notRestoredReasons?: unknown }[];
    return JSON.stringify(entry?.notRestoredReasons ?? null);
  });

scenario(
  'a permission that is taken back while a page is kept for the way back ends what we show there',
  { registered: false, everySite: true },
  async (world) => {
    const { page } = world;
    const site = await otherSite();
    try {
      await page.goto(site.url);
      const id = await world.comment('h1', 'While I may');
      // What is kept is for the browser to say, and a busy one lets a page go: then it is gone to once more.
      const lost: string[] = [];
      while (!(await isKept(world, site.url, id))) {
        lost.push(await notKept(world));
        assert.ok(lost.length < 5, `no page was kept: ${lost.join('; ')}`);
        await world.browser.allowEverywhere(true);
      }
      await world.until('nothing of ours is in the page', async () => (await roots(world)) === 0);
    } finally {
      site.stop();
    }
  },
);
