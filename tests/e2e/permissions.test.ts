/** A page on a site that opentoolbar may not run on: what a person sees there, and what they can do. */
import assert from 'node:assert/strict';
import { Panel } from './harness/panel.ts';
import { otherSite } from './harness/sites.ts';
import { scenario } from './harness/world.ts';

scenario(
  'a site that is not allowed is said so, with a way to allow it; a local one works at once',
  { registered: false, localSitesOnly: true },
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
      assert.equal(await page.$('opentoolbar-root'), null);

      await panel.click('allow-address');
      await panel.page.keyboard.type('not an address');
      await panel.page.keyboard.press('Enter');
      await panel.says('allow-error', /no address of a web page/);
      await panel.find('allow-site');
    } finally {
      site.stop();
    }
    // The same build, on a local site.
    const own = await world.panel();
    await own.find('toggle-picking');
  },
);
