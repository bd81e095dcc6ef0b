/**
 * The keyboard shortcuts that a browser gives in a fresh profile, pressed as by a keyboard; and the panel where it
 * belongs.
 */
import assert from 'node:assert/strict';
import { type Api, keysOf } from './harness/beside.ts';
import { browserUnderTest } from './harness/paths.ts';
import { scenario, scenarioOnScreen, type World } from './harness/world.ts';

/** What the toolbar button says when it is pointed at while the page is shown: a tab may have a title of its own. */
async function buttonSays(world: World): Promise<string | undefined> {
  const panel = await world.panel();
  return panel.page.evaluate(() => {
    const scope = globalThis as unknown as { browser?: Api; chrome?: Api };
    // The panel stands in a tab, and its address names the page's.
    const tabId = Number(new URLSearchParams(location.search).get('tabId'));
    return (scope.browser ?? scope.chrome)?.action.getTitle({ tabId });
  });
}

/** What the panels show but the one that asks: `beside` the page (the side panel, Firefox's sidebar), and in tabs. */
async function others(world: World): Promise<{ beside: string[]; tabs: string[] }> {
  const panel = await world.panel();
  return panel.page.evaluate(() => {
    const scope = globalThis as unknown as { browser?: Api; chrome?: Api };
    const views = (scope.browser ?? scope.chrome)?.extension.getViews() ?? [];
    const panels = views.filter((view) => view !== window && view.location.pathname === '/panel.html');
    const shown = (isTab: boolean) =>
      panels
        // In a tab it is told of which page it is.
        .filter(({ location }) => (location.search !== '') === isTab)
        .map(({ document }) => document.body.innerHTML);
    return { beside: shown(false), tabs: shown(true) };
  });
}

const opens = (world: World, where: 'beside' | 'tabs', id: string) =>
  world.until(`one panel (${where}) is open, and shows the comment of the page`, async () => {
    const { [where]: panels } = await others(world);
    return panels.length === 1 && panels[0]?.includes(`data-testid="comment-${id}"`);
  });

scenarioOnScreen(
  'the keys that the browser gave start and stop picking and open the panel beside the page; what is shown are those',
  { registered: false },
  async (world) => {
    const panel = await world.panel();
    const keys = await keysOf(world);
    const { 'toggle-picking': picking = '', 'open-panel': open = '' } = keys;
    assert.notEqual(picking, '', 'a fresh profile has keys that start picking');
    assert.notEqual(open, '', 'a fresh profile has keys that open the panel');
    await panel.says(
      'empty',
      new RegExp(`in the browser’s toolbar or ${picking.replaceAll('+', '\\+')}: a picture`),
    );
    await world.until(
      'the button says so',
      async () => (await buttonSays(world)) === `opentoolbar: comment on this page (${picking})`,
    );

    await world.page.bringToFront();
    await world.press(picking);
    await world.overlay.picking();
    await panel.knowsPicking(true);
    await world.press(picking);
    await world.overlay.gone('pick-bar');

    await panel.knowsPicking(false);
    const id = await world.comment('#refresh', 'Beside the page');
    const pins = keys['toggle-pins'] ?? '';
    assert.notEqual(pins, '', 'a fresh profile has keys that hide the pins');
    await world.overlay.pin(id, 'is seen');
    await world.page.bringToFront();
    await world.press(pins);
    await world.overlay.visible('show-pins');
    assert.deepEqual(await world.overlay.pins(), []);
    await world.press(pins);
    await world.overlay.pin(id, 'is seen again');

    assert.deepEqual(await others(world), { beside: [], tabs: [] });
    await world.page.bringToFront();
    await world.press(open);
    await opens(world, 'beside', id);
  },
);

scenario(
  'where the browser has no keys for picking, panel and button say so and lead to where they are set',
  { registered: false },
  async (world) => {
    const panel = await world.panel();
    await panel.find('empty');
    assert.equal(await panel.has('no-shortcut'), false);
    await world.browser.setShortcut('toggle-picking', '');
    await world.until('no keys are set', async () => (await keysOf(world))['toggle-picking'] === '');
    // Back from the browser's settings.
    await world.page.bringToFront();
    await panel.page.bringToFront();
    const where =
      browserUnderTest() === 'chromium'
        ? 'chrome://extensions/shortcuts'
        : 'about:addons, gear menu, Manage Extension Shortcuts';
    await panel.says('no-shortcut', new RegExp(`^No keyboard shortcut is set for picking\\. .*${where}$`));
    const button = await panel.find('toggle-picking');
    assert.equal(
      await button.evaluate((each) => each.getAttribute('title')?.split('\n')[0]),
      `Pick an element to comment on (no shortcut is set: ${where})`,
    );
    await world.browser.endBackground();
    await panel.click('toggle-picking');
    await world.until(
      'the button says so',
      async () =>
        (await buttonSays(world)) === `opentoolbar: comment on this page (no shortcut is set: ${where})`,
    );
    await panel.page.bringToFront();
    await (await panel.find('no-shortcut')).$('button').then((each) => each?.click());
    await world.until('the browser shows its settings of shortcuts', () => world.browser.showsShortcuts());
  },
);

scenario('the button of the bar on the page opens the panel', { registered: false }, async (world) => {
  const id = await world.comment('#refresh', 'Beside the page');
  await world.startPicking();
  await world.overlay.click('pick-panel');
  // Firefox lets only its own buttons and shortcuts open the sidebar: there it is a tab.
  await opens(world, browserUnderTest() === 'chromium' ? 'beside' : 'tabs', id);
});
