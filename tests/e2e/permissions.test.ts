/** A page on a site that opentoolbar may not run on: what a person sees there, and what they can do. */
import assert from 'node:assert/strict';
import { LOCAL_SITES } from '../../extension/sites.ts';
import { Panel } from './harness/panel.ts';
import { browserUnderTest } from './harness/paths.ts';
import { otherSite } from './harness/sites.ts';
import { scenario } from './harness/world.ts';

scenario(
  'a site that is not allowed is said so, with a way to allow it; a local one works at once',
  { registered: false },
  async (world) => {
    const site = await otherSite();
    try {
      const page = await world.browser.open(site.url);
      await page.bringToFront();
      // The panel follows the tab that is looked at. The browser does not tell it the address.
      const panel = new Panel(await world.browser.openExtensionPage('panel.html'));
      await panel.says(
        'not-allowed',
        /Not allowed on this page yet.+opentoolbar’s button in the browser’s toolbar/s,
      );
      await panel.says('not-allowed', /Nothing was read from this page/);
      assert.equal(await panel.has('toggle-picking'), false);
      assert.equal(await page.$('[data-opentoolbar-root]'), null);

      await panel.click('allow-address');
      await panel.page.keyboard.type('not an address');
      await panel.page.keyboard.press('Enter');
      await panel.says('allow-error', /no address of a web page/);
      await panel.find('allow-site');
    } finally {
      site.stop();
    }
    // On a local site.
    const own = await world.panel();
    await own.find('toggle-picking');
  },
);

scenario(
  'a comment on a local site reaches the agent, and no page sees inside our element',
  {},
  async (world) => {
    const { page } = world;
    const panel = await world.panel();
    await panel.click('toggle-picking');
    await page.bringToFront();
    await world.until('our element is in the page', () => page.$('[data-opentoolbar-root]'));
    await panel.knowsPicking(true);
    await (await page.$('#new-order'))?.click();
    await world.until('what we show has the focus', () =>
      page.evaluate(() => document.activeElement?.matches('[data-opentoolbar-root]')),
    );
    assert.equal(await page.$eval('[data-opentoolbar-root]', (root) => root.shadowRoot), null);
    await page.keyboard.type('As installed');
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    const agent = await world.agent('codex');
    await world.until(
      'the agent has it',
      async () => (await agent.feedback()).comments[0]?.text === 'As installed',
    );
  },
);

// Firefox's settings give the optional sites. Chromium's give automation none of them, but those that are asked for at
// once, when they were kept back before.
const isFirefox = browserUnderTest() === 'firefox';
scenario(
  'a site that is allowed gets each script once, at once, and loses them when it is taken back',
  { registered: false, everySite: !isFirefox },
  async (world) => {
    const site = await otherSite();
    const pattern = 'http://127.0.0.2/*';
    try {
      if (!isFirefox) {
        await world.browser.allowEverywhere(false);
        for (const local of LOCAL_SITES) await world.browser.allow(local, true);
      }
      const page = await world.browser.open(site.url);
      await page.bringToFront();
      const panel = new Panel(await world.browser.openExtensionPage('panel.html'));
      await panel.says('not-allowed', /Not allowed on this page yet/);
      const scripts = () =>
        panel.page.evaluate(async () => {
          type Api = {
            scripting: { getRegisteredContentScripts(): Promise<{ id: string; matches?: string[] }[]> };
          };
          const scope = globalThis as unknown as { browser?: Api; chrome?: Api };
          const all = await (scope.browser ?? scope.chrome)?.scripting.getRegisteredContentScripts();
          return all?.map(({ id, matches }) => [id, ...(matches ?? [])].join(' ')).sort();
        });
      assert.deepEqual(await scripts(), []);
      await world.browser.allow(pattern, true);
      await page.bringToFront();
      await world.until('the panel may pick', () => panel.has('toggle-picking'));
      await world.until('each script is registered once', async () => {
        assert.deepEqual(await scripts(), [`content ${pattern}`, `probe ${pattern}`]);
        return true;
      });
      await panel.click('toggle-picking');
      await page.bringToFront();
      await world.until('our element is in the page', () => page.$('[data-opentoolbar-root]'));
      await world.browser.allow(pattern, false);
      await page.bringToFront();
      await world.until('it has left', async () => (await page.$('[data-opentoolbar-root]')) === null);
      await world.until('no script is registered', async () => (await scripts())?.length === 0);
    } finally {
      site.stop();
    }
  },
);
