/**
 * An agent works on a comment, and its element changes: the person is asked whether that is what they wanted, not
 * warned.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { Agent } from './harness/agent.ts';
import { inOwn } from './harness/closed.ts';
import { inBothColours } from './harness/colours.ts';
import { own } from './harness/overlay.ts';
import { ARTIFACTS } from './harness/paths.ts';
import { Source } from './harness/source.ts';
import { scenario, type World } from './harness/world.ts';

const PAGES = 'moving.js';
const TITLE = "'Tides')";
const EDITED = "'Tides of the outer harbour')";
const QUESTION = /Changed, as asked\?/;

async function picture(world: World, name: string): Promise<void> {
  const folder = join(ARTIFACTS, 'as-asked', world.browser.name);
  await mkdir(folder, { recursive: true });
  const panel = await world.panel();
  for (const [where, page] of [
    ['page', world.page],
    ['panel', panel.page],
  ] as [string, Page][]) {
    await page.bringToFront();
    await inBothColours(world, page, `${name}-${where}`, async (title) => {
      // Colours go over into one another.
      await new Promise((resolve) => setTimeout(resolve, 250));
      await page.screenshot({ path: join(folder, `${title}.png`) });
    });
  }
  await world.page.bringToFront();
}

/** A comment that an agent began to work on, after which its element was edited. */
async function worked(world: World, stage: 'in_progress' | 'review'): Promise<{ id: string; agent: Agent }> {
  const id = await world.comment('#tides-title', 'Say for where');
  await world.overlay.says('notice', /Comment saved for “.+”\./);
  const agent = await world.agent();
  await world.delivered(agent, id);
  await agent.call('update_comment', { commentId: id, stage: 'in_progress' });
  await world.overlay.pin(id, 'is worked on', ({ stage: now }) => now === 'in_progress');
  await new Source(world.project).edit(PAGES, TITLE, EDITED);
  await world.until('the pin asks', () => world.overlay.$(`${own(`pin-${id}`)}[data-asked]`));
  if (stage === 'review') await agent.call('update_comment', { commentId: id, stage });
  return { id, agent };
}

/** Which of all that tells how a comment stands is in the colour of a warning; its thread is open. */
async function amber(world: World, id: string): Promise<string[]> {
  const { page } = await world.panel();
  const isAmber = (element: Element) => {
    const probe = element.appendChild(document.createElement('i'));
    probe.style.cssText = 'color: var(--otb-outdated); transition: none';
    const warning = getComputedStyle(probe).color;
    probe.remove();
    const own = getComputedStyle(element);
    const badge = getComputedStyle(element, '::after');
    if (!/^rgb/.test(warning)) throw new Error('there is no colour of a warning here');
    const drawn = [own.color, own.backgroundColor, badge.content === 'none' ? '' : badge.backgroundColor];
    return [...drawn, own.borderLeftWidth === '0px' ? '' : own.borderLeftColor].includes(warning);
  };
  const { overlay } = world;
  const all: [string, boolean][] = [
    ['pin', await overlay.$eval(own(`pin-${id}`), isAmber)],
    ['words of the thread', await overlay.$eval(`${own('pin-thread')} .thread-title span`, isAmber)],
    ['difference in the thread', await overlay.$eval(own('thread-verdict'), isAmber)],
    ['words in the panel', await page.$eval(`[data-testid="comment-${id}"] .status`, isAmber)],
    ['difference in the panel', await page.$eval(`[data-testid="verdict-${id}"]`, isAmber)],
  ];
  return all.flatMap(([name, is]) => (is ? [name] : []));
}

/** Colours go over into one another, and the panel hears of a change by itself. */
async function amberIs(world: World, id: string, wanted: string[]): Promise<void> {
  await world.until(`in the colour of a warning: ${wanted.join()}`, async () => {
    const seen = await amber(world, id);
    if (seen.join() === wanted.join()) return true;
    throw new Error(seen.join());
  });
}

/**
 * What is badly laid out within a part: what is cut off, and buttons of the answers that are not beside one another.
 */
const crowded = (part: Element): string[] => {
  const cut = [...part.querySelectorAll<HTMLElement>('*')].filter((each) => {
    const { overflowX } = getComputedStyle(each);
    const isSeen = each.getClientRects().length > 0 && each.clientWidth > 1;
    return isSeen && overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1;
  });
  const beyond = [...part.querySelectorAll('button, p, span, time')].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width > 1 && (box.right > part.getBoundingClientRect().right || box.left < 0);
  });
  const tops = [...part.querySelectorAll('.as-asked button')].map((each) => each.getBoundingClientRect().top);
  const [head, most] = [part.querySelector('.card-head, .top'), part.querySelector('.top') ? 28 : 48];
  const lines = (head?.getBoundingClientRect().height ?? 0) > most ? ['the head has more than one line'] : [];
  return [
    ...[...cut, ...beyond].map((each) => `${each.className || each.localName} is cut off`),
    ...(tops.length === 3 && new Set(tops.map(Math.round)).size === 1 ? [] : [`buttons at ${tops.join()}`]),
    ...lines,
  ];
};

/** Waits until nothing of the question is crowded in page and panel of these widths. */
async function hasRoom(world: World, id: string): Promise<void> {
  const panel = await world.panel();
  for (const width of [300, 360, 400]) {
    for (const page of [world.page, panel.page]) await page.setViewport({ width, height: 600 });
    await world.page.bringToFront();
    await world.until(`the thread is well laid out, ${width} px`, async () => {
      const found = await world.overlay.$eval(own('pin-thread'), crowded);
      if (found.length === 0) return true;
      throw new Error(found.join('; '));
    });
    await panel.page.bringToFront();
    await world.until(`the panel is well laid out, ${width} px`, async () => {
      const found = await panel.page.$eval(`[data-testid="comment-${id}"]`, crowded);
      if (found.length === 0) return true;
      throw new Error(found.join('; '));
    });
  }
  for (const page of [world.page, panel.page]) await page.setViewport({ width: 1280, height: 800 });
  await world.page.bringToFront();
}

async function stageFor(agent: Agent, id: string): Promise<unknown> {
  const { comments } = await agent.feedback({ status: 'all', detail: 'full' });
  return comments.find((comment) => comment.id === id)?.stage;
}

scenario(
  'what changes while an agent works asks whether it is as asked; Accept keeps it, and can be undone',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const { id } = await worked(world, 'in_progress');
    const { overlay } = world;
    const label = await world.overlay.$eval(own(`pin-${id}`), (pin) => pin.getAttribute('aria-label') ?? '');
    assert.match(label, /^Comment 1 Changed, as asked\? In progress/);
    const panel = await world.panel();
    await panel.says(`comment-${id}`, QUESTION);
    assert.doesNotMatch(await panel.text(`comment-${id}`), /Outdated/);
    await world.page.bringToFront();
    await overlay.openThread(id);
    await overlay.says('pin-thread', QUESTION);
    await overlay.says('thread-asked', /^An agent is working on it\./);
    await overlay.says('differences', /of the outer harbour/);
    await picture(world, 'asked');
    await hasRoom(world, id);
    // By the keyboard, as all of a thread.
    await world.overlay.$eval(own('thread-accept'), (button) => (button as HTMLElement).focus());
    await overlay.focused('thread-accept');
    await world.page.keyboard.press('Enter');
    await overlay.pin(id, 'is accepted', (pin) => pin.status === 'active' && pin.stage === 'in_progress');
    await overlay.says('notice', /accepted as it is now/);
    // In a low window there is no place for it beside the thread.
    await world.page.setViewport({ width: 640, height: 320 });
    await world.until('the message covers nothing of the thread', () =>
      inOwn(world.page, (root) => {
        const [thread, notice] = ['pin-thread', 'notice'].map((id) =>
          root.querySelector(`[data-testid="${id}"]`),
        );
        const [around, box] = [thread?.getBoundingClientRect(), notice?.getBoundingClientRect()];
        const foot = thread?.querySelector('footer')?.getBoundingClientRect();
        if (!around || !box || !foot || innerHeight !== 320) return false;
        // Within it, above its buttons; or beside it.
        return thread?.contains(notice ?? null)
          ? box.bottom <= foot.top + 1
          : box.top >= around.bottom || box.bottom <= around.top;
      }),
    );
    await world.page.setViewport({ width: 1280, height: 800 });
    await overlay.click('notice-action');
    await overlay.says('notice', /^Comment 1 is no longer accepted: it asks again\./);
    await world.until('it asks again', () => world.overlay.$(`${own(`pin-${id}`)}[data-asked]`));
  },
);

scenario(
  'what an agent says is ready and is not as asked is given back to it',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const { id, agent } = await worked(world, 'review');
    const { overlay } = world;
    await overlay.pin(id, 'is ready', ({ stage }) => stage === 'review');
    await overlay.openThread(id);
    await overlay.says('thread-asked', /The agent says that it is ready\./);
    await picture(world, 'ready');
    await overlay.click('thread-back');
    await overlay.focused('thread-reply-input');
    await world.until('the agents have it again', async () => (await stageFor(agent, id)) === 'open');
    await overlay.pin(id, 'is outdated and open', (pin) => pin.status === 'outdated' && pin.stage === 'open');
  },
);

scenario(
  'what an agent still works on is no warning in light and dark; it is given back to the agents too, which warns',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const { id, agent } = await worked(world, 'in_progress');
    const { overlay } = world;
    await overlay.openThread(id);
    await overlay.says('thread-asked', /^An agent is working on it\./);
    await (await world.panel()).says(`comment-${id}`, QUESTION);
    for (const scheme of ['dark', 'light'] as const) {
      await world.colours(world.page, scheme);
      await world.colours((await world.panel()).page, scheme);
      await amberIs(world, id, []);
    }
    await world.page.bringToFront();
    await picture(world, 'working');
    await overlay.click('thread-back');
    await overlay.focused('thread-reply-input');
    await world.until('the agents have it again', async () => (await stageFor(agent, id)) === 'open');
    const all = ['pin', 'words of the thread', 'difference in the thread'];
    await amberIs(world, id, [...all, 'words in the panel', 'difference in the panel']);
    await world.page.bringToFront();
    await overlay.says('notice', /^Comment 1 reopened\./);
  },
);

scenario(
  'what is accepted is the element’s own: the next edit is told from it, and one back to what it was is an edit too',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const { id } = await worked(world, 'in_progress');
    const { overlay } = world;
    await overlay.openThread(id);
    await overlay.click('thread-accept');
    await overlay.pin(id, 'is accepted', (pin) => pin.status === 'active' && pin.stage === 'in_progress');
    const source = new Source(world.project);
    await source.edit(PAGES, EDITED, "'Tides of the outer fjord')");
    await overlay.says('differences', /harbour.*fjord/);
    await source.edit(PAGES, "'Tides of the outer fjord')", TITLE);
    await world.until('it is as at first', async () => {
      const title = await world.page.$eval('#tides-title', (element) => element.textContent);
      const told = await overlay.$eval(own('differences'), (all) => all.textContent ?? '');
      return title === 'Tides' && told.includes('harbour') && !told.includes('fjord');
    });
    await world.until('the pin asks', () => overlay.$(`${own(`pin-${id}`)}[data-asked]`));
    await source.edit(PAGES, TITLE, EDITED);
    await overlay.pin(id, 'is as accepted', (pin) => pin.status === 'active');
  },
);

scenario(
  'what changed in the work of an agent that has ended is asked and no warning; asked for again, it warns',
  { app: 'moving', path: '/tides' },
  async (world) => {
    const { id, agent } = await worked(world, 'in_progress');
    const { overlay } = world;
    await agent.close();
    await overlay.pin(id, 'is open again', ({ stage }) => stage === 'open');
    await world.until('the pin asks still', () => overlay.$(`${own(`pin-${id}`)}[data-asked]`));
    await overlay.openThread(id);
    await overlay.says(
      'thread-asked',
      /^The agent has ended or gave it back, and did not say that it is ready\./,
    );
    await (await world.panel()).says(
      `asked-${id}`,
      /^The agent has ended or gave it back, and did not say that it is ready\./,
    );
    await amberIs(world, id, []);
    await world.page.bringToFront();
    await picture(world, 'ended');
    await overlay.click('thread-back');
    await overlay.focused('thread-reply-input');
    await overlay.says('notice', /^Comment 1 reopened\./);
    await overlay.gone('thread-asked');
    const all = ['pin', 'words of the thread', 'difference in the thread'];
    await amberIs(world, id, [...all, 'words in the panel', 'difference in the panel']);
  },
);

scenario('a resolved comment asks nothing', { app: 'moving', path: '/tides' }, async (world) => {
  const { id, agent } = await worked(world, 'review');
  await agent.call('resolve_comment', { commentId: id, summary: 'Says for where' });
  await world.overlay.pin(id, 'is resolved', ({ status }) => status === 'resolved');
  await world.overlay.click('answered-away');
  await world.overlay.openThread(id);
  await world.overlay.gone('thread-asked');
  await picture(world, 'resolved');
});
