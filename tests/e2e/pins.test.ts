/** What a pin says and where it stands are drawn together: who reads it may click it. */
import assert from 'node:assert/strict';
import { askBackground } from './harness/ask-background.ts';
import { handleInOwn, inOwn } from './harness/closed.ts';
import { Overlay, own } from './harness/overlay.ts';
import { pinIs } from './harness/pins.ts';
import { rest } from './harness/shop.ts';
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

/** Until it is known that the source has changed too, what is not there is not in view: the dock has both. */
function isDockedWhereSaid(places: [string, boolean][]): void {
  for (const [place, isDocked] of places) assert.equal(isDocked, place === 'gone' || place === 'away', place);
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
    isDockedWhereSaid(await places());
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
    isDockedWhereSaid(await places());
  },
);

scenario(
  'a pin is wholly in the window, and covers no word of the dock',
  { registered: false },
  async (world) => {
    const { page } = world;
    const id = await world.comment('#refresh', 'Here');
    const docked = await world.comment('#new-order', 'Not there');
    await page.$eval('#new-order', (element) => element.remove());
    await pinIs(world, docked, 'is in the dock', ({ place }) => place === 'away');
    /** Boxes of the pin and of the dock's heading, and whether the heading is what is seen of both. */
    const drawn = () =>
      inOwn(
        page,
        (root, testId) => {
          const button = root.querySelector(`[data-testid="${testId}"]`);
          const pin = button?.getBoundingClientRect();
          const heading = root.querySelector('.dock-toggle');
          const box = heading?.getBoundingClientRect();
          if (!button || !pin || !box) return null;
          const x = (Math.max(pin.left, box.left) + Math.min(pin.right, box.right)) / 2;
          const y = (Math.max(pin.top, box.top) + Math.min(pin.bottom, box.bottom)) / 2;
          const isOver =
            pin.left < box.right && pin.right > box.left && pin.top < box.bottom && pin.bottom > box.top;
          const { left, top, right } = pin;
          const { left: headed, top: above } = box;
          return {
            left,
            top,
            right,
            headed,
            above,
            isOver,
            isHeadingSeen: root.elementFromPoint(x, y) === heading,
            // On its way it may pass where it never stands.
            isGliding: button.getAnimations().length > 0,
          };
        },
        `pin-${id}`,
      );
    const place = (left: number, top: number) =>
      page.$eval(
        '#refresh',
        (element, style) => (element as HTMLElement).setAttribute('style', style),
        `position: fixed; left: ${left}px; top: ${top}px; width: 80px; height: 30px`,
      );
    const { headed, above } = await world.until('the dock is drawn', drawn);
    await place(headed - 40, above + 26);
    const over = await world.until('the pin comes to the heading', async () => {
      const now = await drawn();
      return now?.isOver ? now : null;
    });
    assert.equal(over.isHeadingSeen, true);
    for (const [left, top] of [
      [1_230, 20],
      [1_260, 300],
      [-60, 0],
    ] as const) {
      await place(left, top);
      const at = await world.until('the pin follows', async () => {
        const now = await drawn();
        return now && !now.isGliding && Math.hypot(now.left - left, now.top - top) < 150 ? now : null;
      });
      const { width } = await page.evaluate(() => ({ width: innerWidth }));
      assert.ok(at.left >= 0 && at.top >= 0 && at.right <= width, JSON.stringify([at, width]));
    }
  },
);

scenario(
  'from four pins on the dock is one line, which the keyboard opens; what is in it is told by its first words',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const elements = ['#refresh', '#new-order', '.save-card', '.brand', '.roaster'];
    const ids: string[] = [];
    for (const element of elements) ids.push(await world.comment(element, `About ${element}`));
    const take = (some: string[]) =>
      page.evaluate((all) => {
        for (const css of all) document.querySelector(css)?.remove();
      }, some);
    const height = () => overlay.$eval(own('pin-dock'), (dock) => dock.getBoundingClientRect().height);
    const seen = async () => (await overlay.pins()).length;
    // Away from the dock: what is pointed at stays as it is.
    await page.mouse.move(2, 2);
    await take(elements);
    await overlay.says('pin-dock', /^5 not shown here/);
    assert.equal(await seen(), 0);
    assert.ok((await height()) < 50, 'one line');
    // A thread that the panel leads to stands beside it.
    const panel = await world.panel();
    await panel.click(`jump-${ids[4]}`);
    await page.bringToFront();
    const thread = await overlay.visible('pin-thread');
    const dock = await (await overlay.visible('pin-dock')).boundingBox();
    await world.until('the thread is beside the dock', async () => {
      const box = await thread.boundingBox();
      return box && dock && box.x + box.width <= dock.x + 40 && box.x + box.width > dock.x - 40;
    });
    await page.keyboard.press('Escape');
    await overlay.gone('pin-thread');

    await overlay.$eval('.dock-toggle', (toggle) => (toggle as HTMLElement).focus());
    await page.keyboard.press('Enter');
    await world.until('all are listed', async () => (await seen()) === 5);
    assert.match(await overlay.says(`pin-${ids[2]}`, /About/), /Active, not shown here.*About \.save-card/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await overlay.says('thread-text', /About #refresh/);
    await page.keyboard.press('Escape');

    // It does not fold under who is at it.
    await page.reload({ waitUntil: 'load' });
    await world.until('all stand', async () => (await seen()) === 5);
    // Its server lets nobody keep the document: what looks as before after the load is known once all of that is.
    await rest();
    await take(elements.slice(0, 3));
    await overlay.says('pin-dock', /^3 not shown here/);
    await overlay.$eval('.dock-toggle', (toggle) => (toggle as HTMLElement).focus());
    await take(elements);
    await overlay.says('pin-dock', /^5 not shown here/);
    assert.equal(await seen(), 5);
  },
);

scenario(
  'the mark of what is worked on stands inside of its line in the dock, which does not scroll sideways',
  {},
  async (world) => {
    const { page, overlay } = world;
    const id = await world.comment('.save-card', 'Say what for');
    const agent = await world.agent();
    await world.delivered(agent, id);
    await agent.call('update_comment', { commentId: id, stage: 'in_progress' });
    await overlay.pin(id, 'is worked on', ({ stage }) => stage === 'in_progress');
    await page.$eval('.save-card', (button) => button.remove());
    await pinIs(world, id, 'is in the dock', ({ place }) => place === 'away' || place === 'gone');
    const [mark, over] = await overlay.$eval('.dock-list', (list) => {
      const pin = list.querySelector('.pin');
      const { content, right } = pin ? getComputedStyle(pin, '::after') : { content: 'none', right: '' };
      return [content === 'none' ? '' : right, list.scrollWidth - list.clientWidth];
    });
    assert.deepEqual([mark, over], ['4px', 0]);
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

scenario(
  'while picking a click means the page, also where a pin stands, and over a dialog of the page',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    await page.evaluate(() => {
      const dialog = document.createElement('dialog');
      dialog.style.cssText = 'inset: 200px auto auto 300px; margin: 0; width: 300px; height: 200px';
      // As small as a pin, which covers it.
      dialog.innerHTML =
        '<button id="tiny" style="width: 12px; height: 12px; padding: 0; margin: 60px"></button>';
      document.body.append(dialog);
      dialog.show();
    });
    const id = await world.comment('#tiny', 'The first');
    for (const isModal of [false, true]) {
      await page.evaluate((modal) => {
        const dialog = document.querySelector('dialog:has(#tiny)') as HTMLDialogElement;
        dialog.close();
        if (modal) dialog.showModal();
        else dialog.show();
      }, isModal);
      await world.startPicking();
      const pin = await overlay.pin(id, 'stands');
      await page.mouse.move(pin.x + 1, pin.y);
      await page.mouse.move(pin.x, pin.y);
      await overlay.visible('outline');
      await page.mouse.click(pin.x, pin.y);
      await overlay.visible('comment-box');
      assert.equal(await overlay.shows('pin-thread'), false);
      await overlay.focused('comment-input');
      await page.keyboard.press('Escape');
      await overlay.gone('comment-box');
      await world.until('picking is over, or on with nothing picked', async () => {
        if (!(await overlay.shows('pick-bar'))) return true;
        await page.keyboard.press('Escape');
        return false;
      });
      // Nothing is picked any more: it is a pin again. By geometry alone: under a modal dialog ours is inert.
      const again = await overlay.pin(id, 'stands');
      await page.mouse.click(again.x, again.y);
      await overlay.visible('pin-thread');
      await page.keyboard.press('Escape');
      await overlay.gone('pin-thread');
    }
  },
);

scenario(
  'pins of what is behind a modal dialog of the page are faint, and can be pressed',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const behind = await world.comment('#refresh', 'Behind it');
    const shows = (id: string, opacity: string) =>
      world.until(`the pin’s opacity is ${opacity}`, () =>
        overlay
          .$eval(own(`pin-${id}`), (pin) => getComputedStyle(pin).opacity)
          .then((is) => is === opacity || Promise.reject(new Error(is))),
      );
    await shows(behind, '1');
    await overlay.clickPage('#new-order');
    await shows(behind, '0.35');
    const inside = await world.comment('#place-order', 'Inside of it');
    await shows(inside, '1');
    await shows(behind, '0.35');
    const pin = await overlay.pin(behind, 'stands');
    await page.mouse.click(pin.x, pin.y);
    await overlay.visible('pin-thread');
    await page.keyboard.press('Escape');
    await overlay.gone('pin-thread');
    await page.$eval('#order-dialog', (dialog) => (dialog as HTMLDialogElement).close());
    await shows(behind, '1');
  },
);

scenario(
  'pins are hidden in a tab from the panel and stay so when the page is loaded again; one button on the page brings them back',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const ids = [await world.comment('#refresh', 'Here'), await world.comment('#new-order', 'And here')];
    const panel = await world.panel();
    await panel.says('filter-all', /^All ?2$/);
    await panel.click('toggle-pins');
    await panel.says('toggle-pins', /^Show pins$/);
    assert.match(await panel.text('filter-all'), /^All ?2$/, 'they count all the same');
    await page.bringToFront();
    await overlay.says('show-pins', /^ ?Show 2 pins$/);
    assert.deepEqual(await overlay.pins(), []);
    await page.reload({ waitUntil: 'load' });
    await overlay.visible('show-pins');
    assert.deepEqual(await overlay.pins(), []);
    // Other tabs have theirs.
    const other = new Overlay(await world.browser.open(page.url()));
    await other.pin(ids[0] ?? '', 'is seen in another tab');
    await page.bringToFront();
    // A thread that the panel leads to is in the window.
    await page.$eval('#new-order', (element) => element.remove());
    await panel.click(`jump-${ids[1]}`);
    await page.bringToFront();
    const thread = await overlay.visible('pin-thread');
    await world.until('the thread is where pins would be', async () => {
      const box = await thread.boundingBox();
      return box && box.x > 300;
    });
    await page.keyboard.press('Escape');
    await overlay.gone('pin-thread');

    await overlay.click('show-pins');
    await overlay.gone('show-pins');
    await world.until('both are seen', async () => (await overlay.pins()).length === 2);
    await panel.says('toggle-pins', /^Hide pins$/);
  },
);

scenario(
  'who hides the pins of a page that has none is told so, and shown the way back',
  { registered: false },
  async (world) => {
    const { page, overlay } = world;
    const panel = await world.panel();
    // By the keys: there the panel has no button for it.
    const tabId = await world.browser.tabId(page.url());
    await askBackground(panel.page, { type: 'set_pins_hidden', payload: { tabId, hidden: true } });
    await page.bringToFront();
    await overlay.says('show-pins', /^ ?Show pins$/);
    await overlay.click('show-pins');
    await overlay.gone('show-pins');
  },
);
