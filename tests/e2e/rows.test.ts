/**
 * By use of a list a pin stays at its own row's element: numbers and words change places, rows are sorted and taken
 * out.
 */
import assert from 'node:assert/strict';
import type { Drawn } from './harness/pins.ts';
import { pinIs, statusFor } from './harness/pins.ts';
import { scenario, type World } from './harness/world.ts';

const STORES = { app: 'moving', path: '/stores' } as const;
/** How far a pin may be from the middle of its element, in pixels: it stands at a corner, and aside of other pins. */
const NEAR = 45;

/** Whether a pin stands at this element, and nearer to it than to those of the other rows. */
async function standsAt(world: World, pin: Drawn, selector: string): Promise<boolean> {
  const boxes = await world.page.$$eval(
    '.stores .count, .stores .mark',
    (all, wanted) => {
      const far = (element: Element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return { isIt: element.matches(wanted), x: x + width / 2, y: y + height / 2 };
      };
      return all.map(far);
    },
    selector,
  );
  const off = boxes.map(({ isIt, x, y }) => ({ isIt, off: Math.hypot(pin.x - x, pin.y - y) }));
  off.sort((one, other) => one.off - other.off);
  return off[0]?.isIt === true && off[0].off < NEAR;
}

/**
 * Waits until the pin stands at the element and says so, and whether it still does once nothing can follow any more.
 */
async function staysAt(world: World, id: string, what: string, selector: string): Promise<Drawn> {
  let at = false;
  await world.until(`the pin of ${selector} stands at it ${what}`, async () => {
    const pin = await pinIs(world, id, `is drawn ${what}`, () => true);
    at = pin.place === 'found' && (await standsAt(world, pin, selector));
    return at || null;
  });
  // A look that was under way comes out; nothing is told before this.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const pin = await pinIs(world, id, `is found ${what}`, ({ place }) => place === 'found');
  assert.ok(await standsAt(world, pin, selector), `${what}: ${JSON.stringify(pin)} is not at ${selector}`);
  assert.equal(pin.words, 'Active', what);
  return pin;
}

scenario(
  'quantities and words that change places, rows that are turned round and one that is taken out leave each pin at its own row',
  STORES,
  async (world) => {
    const { overlay } = world;
    const count = await world.comment('#tar .count', 'Show it in barrels');
    const mark = await world.comment('#rope .mark', 'Say it in red');
    const agent = await world.agent();
    await world.delivered(agent, count);
    await world.delivered(agent, mark);
    const before = [await statusFor(agent, count), await statusFor(agent, mark)];
    const all = async (what: string) => {
      await staysAt(world, count, what, '#tar .count');
      await staysAt(world, mark, what, '#rope .mark');
    };
    await all('at first');
    // Rope says 2, as tar did, and tar says 1, as rope did; so do their words.
    await overlay.clickPage('#rope .more');
    await overlay.clickPage('#tar .less');
    await all('after the first two changed places in number and word');
    await overlay.clickPage('#turn');
    await all('turned round');
    // The lamps are above both now.
    await overlay.clickPage('#lamps .gone');
    await all('after a row above was taken out');
    await overlay.clickPage('#turn');
    await all('turned back');
    // Sails say what tar said at first, in the row after it, which goes up to where tar stood.
    for (let at = 0; at < 3; at++) await overlay.clickPage('#sails .less');
    await overlay.clickPage('#tar .gone');
    const pin = await pinIs(world, count, 'is not in view, as its row went', ({ place }) => place === 'away');
    assert.equal(pin.words, 'Active, not shown here');
    await staysAt(world, mark, 'after the row below was taken out', '#rope .mark');
    assert.deepEqual([await statusFor(agent, count), await statusFor(agent, mark)], before, 'nobody is told');
  },
);
