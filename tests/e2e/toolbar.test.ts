/** The toolbar button itself. Firefox offers automation no way to press it; there the panel's toggle is the way in. */
import { browserUnderTest } from './harness/paths.ts';
import { scenario } from './harness/world.ts';

if (browserUnderTest() === 'chromium') {
  scenario('the toolbar button starts and stops picking', { registered: false }, async (world) => {
    const panel = await world.panel();
    await world.page.bringToFront();
    await world.browser.pressToolbarButton(world.page);
    await world.overlay.picking();
    // Whoever decides what the next press means has heard of it.
    await panel.knowsPicking(true);
    await world.browser.pressToolbarButton(world.page);
    await world.overlay.gone('pick-bar');
  });
}
