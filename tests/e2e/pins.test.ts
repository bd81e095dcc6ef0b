/** What a pin says and where it stands are drawn together: who reads it may click it. */
import assert from 'node:assert/strict';
import { scenario, type World } from './harness/world.ts';

/** Notes, each time a pin is drawn with another word of its place, whether it is in the dock at that moment. */
async function watchPlaces(world: World, id: string): Promise<() => Promise<[string, boolean][]>> {
  const noted = await world.page.evaluateHandle((testId) => {
    const root = document.querySelector('[data-opentoolbar-root]')?.shadowRoot;
    const pin = root?.querySelector<HTMLElement>(`[data-testid="${testId}"]`);
    if (!pin) throw new Error('no pin');
    const seen: [string, boolean][] = [];
    // Called when the script that drew is done, before a frame is drawn and before the next click is heard.
    new MutationObserver(() => seen.push([pin.dataset.place ?? '', pin.closest('.dock') !== null])).observe(
      pin,
      { attributeFilter: ['data-place'] },
    );
    return seen;
  }, `pin-${id}`);
  return () => noted.evaluate((seen) => seen);
}

scenario(
  'a pin that says its element is gone is in the dock already, and one that found it is there no more',
  { app: 'moving', path: '/tides', registered: false },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#high', 'Which day?');
    await world.overlay.pin(id, 'stands');
    const places = await watchPlaces(world, id);
    const last = async (wanted: string) =>
      world.until(`the pin says ${wanted}`, async () => (await places()).at(-1)?.[0] === wanted);
    await page.evaluate(() => {
      const item = document.getElementById('high');
      Object.assign(globalThis, { item, list: item?.parentElement });
      item?.remove();
    });
    await last('gone');
    await page.evaluate(() => {
      const { item, list } = globalThis as unknown as { item: Element; list: Element };
      list.prepend(item);
    });
    await last('found');
    for (const [place, isDocked] of await places()) assert.equal(isDocked, place === 'gone', place);
  },
);
