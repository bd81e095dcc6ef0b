/**
 * A page of 10,000 nodes that rewrites itself 60 times a second: the comments on it hold, and looking at it is
 * rationed. Nothing here passes or fails by time.
 */
import assert from 'node:assert/strict';
import { countCaptures } from './harness/captures.ts';
import { until } from './harness/until.ts';
import { scenariosInOneWorld, type World } from './harness/world.ts';

/** The sample's own, in `apps/busy/busy.js`. */
interface Busy {
  start(): void;
  stop(): void;
  record(milliseconds: number): Promise<{ took: number; beats: number }>;
}
declare global {
  interface Window {
    busy: Busy;
  }
}

const WATCHED_MS = 6_000;
const STILL = '#export';
const TICKING = '.gauge:nth-of-type(3) output';
const FLIPPING = '.gauge:nth-of-type(5)';

/** A page that rewrote itself this often did; a busy machine takes longer for it. */
const ENOUGH_BEATS = 50;

/** Lets the page rewrite itself, for so long at least, and tells what happened meanwhile. */
async function busyFor(world: World, milliseconds: number, meanwhile: () => Promise<void>) {
  const captures = await countCaptures(world);
  await world.page.evaluate(() => window.busy.start());
  const recording = world.page.evaluate(
    async (ms, enough) => {
      const all = { took: 0, beats: 0 };
      while (all.took < ms || all.beats <= enough) {
        const { took, beats } = await window.busy.record(ms);
        all.took += took;
        all.beats += beats;
      }
      return all;
    },
    milliseconds,
    ENOUGH_BEATS,
  );
  await meanwhile();
  const { took } = await recording;
  const captured = await captures();
  await world.page.evaluate(() => window.busy.stop());
  return { took, captures: captured };
}

async function status(world: World, id: string): Promise<string | undefined> {
  return (await world.overlay.pins()).find((pin) => pin.id === id)?.status;
}

scenariosInOneWorld(
  'a page that rewrites itself 60 times a second',
  { app: 'busy' },
  {
    'is captured at most once a second, and what nothing happens to stays active': async (world) => {
      const still = await world.comment(STILL, 'Export as CSV too');
      await world.comment(TICKING, 'Show no decimals');
      await world.comment(FLIPPING, 'Too warm a colour');
      const { took, captures } = await busyFor(world, WATCHED_MS, async () => undefined);
      // From the end of one to the beginning of the next is a second at least; one may fall on either end.
      assert.ok(captures <= took / 1_000 + 1, `${captures} captures in ${took} ms`);
      assert.ok(captures > 0, 'an element that changes is looked at, and counted here');
      assert.equal(await status(world, still), 'active');
    },

    'is not captured while no comment is on it': async (world) => {
      const path = new URL(world.page.url()).pathname;
      await world.page.goto(`${world.origin}/elsewhere`, { waitUntil: 'load' });
      const { captures } = await busyFor(world, 2_500, async () => undefined);
      assert.equal(captures, 0);
      await world.page.goto(world.origin + path, { waitUntil: 'load' });
    },

    'can be pointed at and commented on': async (world) => {
      let id = '';
      await busyFor(world, WATCHED_MS, async () => {
        id = await world.comment('.gauge:nth-of-type(4) h2', 'Name the drum');
      });
      assert.equal(await status(world, id), 'active');
    },

    'has its comments at their elements once it rests': async (world) => {
      await busyFor(world, 2_500, async () => undefined);
      await until('no pin is lost', async () => (await world.overlay.pins()).length === 4);
      const box = await world.page.$eval(STILL, (element) => {
        const { right, top } = element.getBoundingClientRect();
        return { right, top };
      });
      await until('a pin is beside the button', async () =>
        (await world.overlay.pins()).some(
          (pin) =>
            Math.abs(pin.x - box.right) < 40 && Math.abs(pin.y - box.top) < 40 && pin.status === 'active',
        ),
      );
    },
  },
);
