/** What a pin says and where it stands are drawn together: who reads it may click it. */
import assert from 'node:assert/strict';
import { handleInOwn, inOwn } from './harness/closed.ts';
import { own } from './harness/overlay.ts';
import { Source } from './harness/source.ts';
import { scenario, type World } from './harness/world.ts';

/** Notes, each time a pin is drawn with another word of its place, whether it is in the dock at that moment. */
async function watchPlaces(world: World, id: string): Promise<() => Promise<[string, boolean][]>> {
  const noted = await handleInOwn(
    world.page,
    (root, testId) => {
      const pin = root.querySelector<HTMLElement>(`[data-testid="${testId}"]`);
      if (!pin) throw new Error('no pin');
      const seen: [string, boolean][] = [];
      // Called when the script that drew is done, before a frame is drawn and before the next click is heard.
      new MutationObserver(() => seen.push([pin.dataset.place ?? '', pin.closest('.dock') !== null])).observe(
        pin,
        { attributeFilter: ['data-place'] },
      );
      return seen;
    },
    `pin-${id}`,
  );
  if (!noted) throw new Error('opentoolbar is not on this page');
  return () => noted.evaluate((seen) => seen);
}

scenario(
  'a pin that says its element is gone is in the dock already, and one that found it is there no more',
  { app: 'moving', path: '/tides', registered: false },
  async (world) => {
    const id = await world.comment('#high', 'Which day?');
    await world.overlay.pin(id, 'stands');
    const places = await watchPlaces(world, id);
    const last = async (wanted: string) =>
      world.until(`the pin says ${wanted}`, async () => (await places()).at(-1)?.[0] === wanted);
    const source = new Source(world.project);
    await source.edit(
      'moving.js',
      "element('p', {}, 'High water at ', element('b', { id: 'high' }, '14:20')),",
      '',
    );
    await last('gone');
    await source.undo();
    await last('found');
    for (const [place, isDocked] of await places()) assert.equal(isDocked, place === 'gone', place);
  },
);

scenario(
  'a pin that says its element is not in view is in the dock already, and one that found it is there no more',
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
    await last('away');
    await page.evaluate(() => {
      const { item, list } = globalThis as unknown as { item: Element; list: Element };
      list.append(item);
    });
    await last('found');
    for (const [place, isDocked] of await places()) assert.equal(isDocked, place === 'away', place);
  },
);

scenario('a pin that the keyboard reaches highlights its element', { registered: false }, async (world) => {
  const { page } = world;
  const elements = ['#refresh', '#new-order'];
  const ids: string[] = [];
  for (const element of elements) ids.push(await world.comment(element, `About ${element}`));
  const reached = () => inOwn(page, (root) => root.activeElement?.getAttribute('data-testid') ?? null);
  /** The elements that are framed. */
  const framed = async () => {
    const boxes = (all: Element[]) =>
      all.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join();
      });
    const frames = await world.overlay.$$eval(own('outline-target'), boxes);
    const known = await Promise.all(elements.map((element) => page.$$eval(element, boxes)));
    return frames.map((frame) => elements[known.findIndex(([box]) => box === frame)] ?? frame);
  };
  const frames = (...wanted: string[]) =>
    world.until(`framed are ${wanted.join() || 'none'}`, async () => {
      const now = await framed();
      if (now.join() === wanted.join()) return true;
      throw new Error(`framed: ${now.join()}`);
    });
  await page.bringToFront();
  // Away from every pin.
  await page.mouse.move(2, 2);
  await frames();
  await page.focus('.save-card');
  await world.until('Tab reaches the first pin', async () => {
    await page.keyboard.press('Tab');
    return (await reached()) === `pin-${ids[0]}`;
  });
  await frames('#refresh');
  await page.keyboard.press('Tab');
  assert.equal(await reached(), `pin-${ids[1]}`);
  await frames('#new-order');
  // Its thread takes the focus and gives it back.
  await page.keyboard.press('Enter');
  await world.overlay.focused('pin-thread');
  await frames('#new-order');
  await page.keyboard.press('Escape');
  await world.overlay.gone('pin-thread');
  await world.until('the pin has the focus again', async () => (await reached()) === `pin-${ids[1]}`);
  await frames('#new-order');
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
  await frames('#refresh');
  // The pointer on another pin goes before, as long as it is there.
  const second = await world.overlay.pin(ids[1] ?? '', 'is there');
  await page.mouse.move(second.x, second.y);
  await frames('#new-order');
  await page.mouse.move(2, 2);
  await frames('#refresh');
  await page.focus('.save-card');
  await frames();
});
