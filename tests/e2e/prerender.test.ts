/** Pages that Chromium prepares ahead of a click: until somebody goes there they are nobody's. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { browserUnderTest } from './harness/paths.ts';
import { scenario } from './harness/world.ts';

if (browserUnderTest() === 'chromium') {
  scenario(
    'a prerendered page moves neither the session nor the pins, and works once it is gone to',
    {},
    async (world) => {
      const agent = await world.agent('codex');
      const here = await world.comment('#new-order', 'Here');
      await world.delivered(agent, here);
      const next = `${world.origin}/prepared`;
      await world.page.evaluate((url) => {
        const rules = document.createElement('script');
        rules.type = 'speculationrules';
        rules.textContent = JSON.stringify({
          prerender: [{ source: 'list', urls: [url], eagerness: 'immediate' }],
        });
        document.head.append(rules);
      }, next);
      await world.until('the page is prepared', async () => world.browser.prepared(next));
      // Time for the prepared page to say something, if it did.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const registry = await readFile(join(world.host.state, 'registry.json'), 'utf8');
      assert.ok(registry.includes(world.origin), registry);
      assert.ok(!registry.includes('/prepared'), registry);
      await world.overlay.pin(here, 'stands where it stood');

      await Promise.all([
        world.page.waitForNavigation(),
        world.page.evaluate((url) => {
          location.href = url;
        }, next),
      ]);
      const activated = () =>
        (performance.getEntriesByType('navigation')[0] as unknown as { activationStart: number })
          .activationStart > 0;
      assert.equal(
        await world.page.evaluate(activated),
        true,
        'the prepared page was not the one that was shown',
      );
      const there = await world.comment('#new-order', 'There');
      await world.delivered(agent, there);
    },
  );
}
