/** Pages that are laid out unlike most, and pages where there is nothing to show. */
import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { read, write } from './conversation.ts';
import { browserUnderTest } from './harness/paths.ts';
import { scenario } from './harness/world.ts';

// Firefox tells of no shifts.
if (browserUnderTest() === 'chromium') {
  scenario('the panel’s parts stay where they are from the first frame on', {}, async (world) => {
    await world.comment('#refresh', 'With a picture');
    await world.agent('never-asked');
    const panel = await world.panel();
    const { page } = panel;
    await panel.click('tab-chat');
    await world.startPicking();
    await world.overlay.pick('.payment');
    await world.overlay.type('With a picture, too');
    await world.overlay.click('chat-submit');
    // Until then it is picking, which the panel shows.
    await world.overlay.gone('comment-box');
    await page.bringToFront();
    await panel.says('chat-log', /With a picture, too/);
    // What still waits for the host is told below, until it has gone.
    await panel.gone('waiting');
    await page.evaluateOnNewDocument(() => {
      const shifts: string[] = [];
      Object.assign(globalThis, { shifts });
      type Shift = PerformanceEntry & { value: number; sources: { node?: Element | null }[] };
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries() as Shift[]) {
          const moved = sources.map(({ node }) => node?.className ?? node?.nodeName);
          shifts.push(`${value.toFixed(5)}: ${moved.join(', ')}`);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const width of [280, 420]) {
      await page.setViewport({ width, height: 800 });
      for (const view of ['chat', 'comments'] as const) {
        await panel.click(`tab-${view}`);
        await page.reload();
        // The agent's light has been asked for, which is the last to come.
        await panel.says('connection-agent', /never-asked/);
        await world.until('what moved is known', () =>
          page.evaluate(() => performance.now() > 1_500 && document.querySelector('.advice') !== null),
        );
        const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
        assert.deepEqual(shifts, [], `${view}, ${width} px`);
      }
    }
  });
}

scenario(
  'in a panel as narrow as a sidebar gets the light keeps its word and the project its name',
  {},
  async (world) => {
    const { page } = await world.panel();
    await page.bringToFront();
    /** How wide something is, and whether all of its words are seen. */
    const seen = (part: string) =>
      page.$eval(part, (it) => ({ width: it.clientWidth, isWhole: it.scrollWidth <= it.clientWidth }));
    for (const [agent, word] of [
      [false, 'None'],
      [true, 'Not asked yet'],
    ] as const) {
      if (agent) await world.agent('claude-code');
      for (const width of [242, 300]) {
        await page.setViewport({ width, height: 700 });
        await world.until(`${word} is seen at ${width} px`, async () => {
          const light = '[data-testid="connection-agent"] .light-word';
          const text = await page.$eval(light, (it) => it.textContent);
          const { width: wide, isWhole } = await seen(light);
          if (text === word && wide > 0 && isWhole) return true;
          throw new Error(`${text}, ${wide} px`);
        });
        const name = await seen('[data-testid="project"] .ellipsis');
        assert.ok(name.width > 40, `the project’s name has ${name.width} px at ${width} px`);
      }
    }
  },
);

scenario(
  'pins stand at their elements on zoomed and right-to-left pages',
  { registered: false },
  async (world) => {
    const id = await world.comment('#refresh', 'Here, whatever the layout');
    await world.page.evaluate(() => {
      document.documentElement.dir = 'rtl';
      document.documentElement.style.zoom = '1.5';
    });
    const corner = await world.page.$eval('#refresh', (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.right, y: box.top };
    });
    await world.overlay.pin(
      id,
      'stands at the corner',
      (pin) => Math.hypot(pin.x - corner.x, pin.y - corner.y) < 40,
    );
    // And a click on it opens its thread, which is where it is drawn.
    await world.overlay.openThread(id);
  },
);

scenario('a page without comments gets nothing of ours', { registered: false }, async (world) => {
  const panel = await world.panel();
  await panel.find('empty');
  assert.equal(await world.page.$('[data-opentoolbar-root]'), null);
  const id = await world.comment('#refresh', 'Now there is something');
  await world.overlay.pin(id, 'is there');
  const other = await world.browser.open(`${world.origin}/customers`);
  await panel.page.bringToFront();
  await panel.find(`comment-${id}`);
  assert.equal(
    await other.$('[data-opentoolbar-root]'),
    null,
    'comments of another page bring nothing either',
  );
});

/** Which of these a press at their middle would reach, once they are scrolled to. */
const reached = (page: Page, testIds: string[]) =>
  page.evaluate(
    (all) =>
      all.filter((testId) => {
        const element = document.querySelector(`[data-testid="${testId}"]`);
        element?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        const { x = 0, y = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
        return element?.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }),
    testIds,
  );

/** The panel's message: it stays as long as the keyboard is on it. */
async function heldMessage(page: Page): Promise<ElementHandle> {
  const message = await page.waitForSelector('.message');
  assert.ok(message);
  await page.focus('.message button[aria-label="Close message"]');
  return message;
}

scenario('a message covers nothing that a person is asked', {}, async (world) => {
  const id = await world.comment('#refresh', 'Make it blue');
  const agent = await world.agent('claude-code');
  await world.delivered(agent, id);
  const panel = await world.panel();
  const { page } = panel;
  await page.bringToFront();
  // What is offered is looked for when a hub begins.
  const kept = join(world.host.state, 'projects');
  const [data = ''] = await readdir(kept);
  await cp(join(kept, data, 'opentoolbar.db'), join(world.project, '.opentoolbar', 'opentoolbar.db'));
  await world.host.killHub();
  await panel.says('offer', /somebody else’s/);

  for (const width of [320, 420]) {
    await page.setViewport({ width, height: 600 });
    await panel.click('tab-comments');
    await panel.click('copy-prompt');
    const message = await heldMessage(page);
    for (const [view, way] of [
      ['comments', 'copy-prompt'],
      ['chat', 'composer'],
    ] as const) {
      // Without a press, which would take the keyboard from the message.
      await page.$eval(`[data-testid="tab-${view}"]`, (tab) => (tab as HTMLElement).click());
      await panel.find(way);
      const asked = ['offer-accept', 'offer-decline', way].join();
      await world.until(
        `${asked} can be pressed: ${view}, ${width} px`,
        async () => (await reached(page, asked.split(','))).join() === asked,
      );
      const isSeen = await message.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      });
      assert.ok(isSeen, `the message is seen: ${view}, ${width} px`);
    }
    await page.keyboard.press('Enter');
    await world.until('the message is closed', async () => !(await page.$('.message')));
  }
});

scenario('a message does not cover the way to what is new in the chat', {}, async (world) => {
  const panel = await world.panel();
  const { page } = panel;
  await page.setViewport({ width: 320, height: 600 });
  await panel.click('tab-chat');
  await write(world, 'Tell me at length');
  const agent = await world.agent('claude-code');
  const { about } = await read(world, agent, 'Tell me at length');
  const message = 'A line.\n\n'.repeat(60);
  await agent.call('respond_to_browser', { ...about, message, isComplete: true });
  await panel.says('chat-log', /A line\./);
  // What is at the top when something new comes is read on there.
  const log = await panel.find('chat-log');
  const scroll = (top: number) =>
    log.evaluate((each, to) => each.parentElement?.scrollTo({ top: to, behavior: 'instant' }), top);
  await world.until('the end is shown', () =>
    log.evaluate((each) => {
      const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = each.parentElement ?? {};
      return scrollTop > 100 && scrollHeight - scrollTop - clientHeight < 2;
    }),
  );
  await scroll(0);
  await agent.call('respond_to_browser', { ...about, message: 'One thing more.', isComplete: true });
  await panel.find('new-messages');
  await page.$eval('[data-testid^="copy-m"]', (button) => (button as HTMLElement).click());
  await heldMessage(page);
  const asked = ['new-messages', 'composer'];
  await world.until('both can be pressed', async () => (await reached(page, asked)).join() === asked.join());
});

scenario(
  'in a narrow panel no word is cut, and in a narrow page buttons stay in one line',
  {},
  async (world) => {
    const { overlay } = world;
    await world.comment('.save-card', 'Make it blue');
    const panel = await world.panel();
    const { page } = panel;
    for (const width of [300, 360, 400]) {
      await page.setViewport({ width, height: 700 });
      for (const view of ['chat', 'comments'] as const) {
        await panel.click(`tab-${view}`);
        await world.until(`no word is cut: ${view}, ${width} px`, async () => {
          const cut = await page.$$eval('#root *', (all) =>
            all
              .filter((each) => each.clientWidth > 4 && getComputedStyle(each).textOverflow === 'ellipsis')
              .filter((each) => each.scrollWidth > each.clientWidth)
              .map((each) => each.textContent),
          );
          if (cut.length === 0) return true;
          throw new Error(cut.join('; '));
        });
      }
    }
    await world.startPicking();
    await world.page.setViewport({ width: 320, height: 600 });
    const bar = await overlay.visible('pick-bar');
    await world.until('the bar is one line', async () => ((await bar.boundingBox())?.height ?? 99) < 50);
    await overlay.pick('#refresh');
    await overlay.visible('comment-box');
    await world.until('its buttons are one line', async () => {
      const tops = await overlay.$$eval('.comment-box .card-foot button', (all) =>
        all.map((each) => Math.round(each.getBoundingClientRect().top)),
      );
      return tops.length === 3 && new Set(tops).size === 1;
    });
  },
);
