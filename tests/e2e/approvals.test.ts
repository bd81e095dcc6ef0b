/** An agent asks before a risky step; the person says yes or no in a page of the extension, and nowhere else. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { Agent } from './harness/agent.ts';
import { ownViolations, violations } from './harness/axe.ts';
import { own } from './harness/overlay.ts';
import { Panel } from './harness/panel.ts';
import { ARTIFACTS } from './harness/paths.ts';
import { scenario, scenarioOnScreen, type World } from './harness/world.ts';

interface Api {
  action: { getBadgeText(of: object): Promise<string> };
  notifications?: { getAll(): Promise<Record<string, unknown>> };
  runtime: { sendMessage(message: object): Promise<unknown> };
  tabs: { query(of: object): Promise<{ id?: number; url?: string }[]> };
}
type Scope = { browser?: Api; chrome?: Api };

interface Wish {
  action: string;
  reason?: string;
  context?: unknown;
  timeoutSeconds?: number;
}

/** What an agent is told when somebody, or nobody, has decided. */
interface Told {
  status: string;
  decidedBy?: string;
  note?: string;
}

/** Asks as an agent does, and goes on asking as it is told while nobody has decided. */
function ask(agent: Agent, wish: Wish): Promise<Told> {
  const args = { reason: 'It is stale', ...wish };
  const told = (async () => {
    let { value } = await agent.call('request_verification', args);
    while (value.status === 'pending')
      ({ value } = await agent.call('get_verification', { verificationId: value.verificationId }));
    return value as unknown as Told;
  })();
  // A scenario that fails before it has looked says why itself.
  told.catch(() => undefined);
  return told;
}

/** The id of what waits with this action, as the panel shows it. */
function shownId(panel: Panel, action: string): Promise<string> {
  return panel.page
    .waitForFunction(
      (wanted) => {
        for (const card of document.querySelectorAll<HTMLElement>('.approval'))
          if (card.querySelector('.fenced')?.textContent === wanted)
            return card.dataset.testid?.slice('approval-'.length);
        return undefined;
      },
      { timeout: 20_000 },
      action,
    )
    .then((handle) => handle.jsonValue() as Promise<string>);
}

const badge = (page: Page) =>
  page.evaluate(async () => {
    const { browser, chrome } = globalThis as Scope;
    return (await (browser ?? chrome)?.action.getBadgeText({})) ?? '';
  });

async function openApprovals(world: World): Promise<Panel> {
  const panel = await world.panel();
  await panel.click('tab-approvals');
  return panel;
}

/** A picture that a person looks at after a run. */
async function picture(world: World, page: Page, name: string) {
  const folder = join(ARTIFACTS, world.browser.name, 'approvals');
  await mkdir(folder, { recursive: true });
  // Chromium draws none of a tab in the back for a minute.
  await page.bringToFront();
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

scenario(
  'an agent asks over MCP: one is approved, one rejected with a note, one runs out while the hub restarts',
  {},
  async (world) => {
    const agent = await world.agent('codex');
    const panel = await openApprovals(world);
    await panel.find('approvals-empty');
    await picture(world, panel.page, 'empty');

    const yes = ask(agent, {
      action: 'Delete build/ and everything in it',
      reason: 'The cache is stale and the build fails.',
      context: { files: 1_204, command: 'rm -rf build/' },
    });
    const first = await shownId(panel, 'Delete build/ and everything in it');
    await world.until('the button counts it', async () => (await badge(panel.page)) === '1');
    await panel.says(`asker-${first}`, /It says it is codex/);
    await panel.says(`context-${first}`, /"command":\s*"rm -rf build\/"/);
    await panel.says(`left-${first}`, /min \d+ s left/);
    assert.equal(await panel.has(`project-${first}`), false, 'it is the project of this page');
    const no = ask(agent, { action: 'Push to main', reason: 'The tests pass.' });
    const second = await shownId(panel, 'Push to main');
    await world.until('the button counts both', async () => (await badge(panel.page)) === '2');
    for (const scheme of ['light', 'dark'] as const) {
      await world.colours(panel.page, scheme);
      assert.deepEqual(await violations(panel.page, 'document'), [], `panel, ${scheme}`);
      await picture(world, panel.page, `waiting-${scheme}`);
    }

    // On the page: what and how long, and no way to decide.
    await world.page.bringToFront();
    await world.overlay.visible('approval');
    await world.overlay.says('approval-action', /Delete build\//);
    await world.overlay.says('approval-time', /s left/);
    for (const scheme of ['light', 'dark'] as const) {
      await world.colours(world.page, scheme);
      assert.deepEqual(await ownViolations(world.page), [], `page, ${scheme}`);
      await picture(world, world.page, `page-${scheme}`);
    }

    // The hub dies while both wait, and another one knows them.
    const before = await world.host.hubPid();
    await world.host.killHub();
    await world.until('another hub serves', async () => {
      const now = await world.host.hubPid();
      return now !== null && now !== before;
    });
    await panel.decide(`approve-${first}`);
    assert.deepEqual(pick(await yes), { status: 'approved', decidedBy: 'person' });
    await panel.click(`note-${second}`);
    await panel.type(`note-${second}`, 'Not on a Friday');
    // Enter is a new line of the note, and decides nothing.
    await panel.page.keyboard.press('Enter');
    await panel.find(`reject-${second}`);
    await panel.decide(`reject-${second}`);
    const rejected = await no;
    assert.deepEqual(pick(rejected), { status: 'rejected', decidedBy: 'person' });
    assert.match(rejected.note ?? '', /Not on a Friday/);
    await panel.says(`decided-${first}`, /Approved by you in a browser/);
    await panel.says(`decided-${second}`, /Rejected by you in a browser.*Not on a Friday/s);

    // One that nobody decides, though the hub is another again meanwhile.
    const late = ask(agent, { action: 'Drop the table orders', timeoutSeconds: 5 });
    const third = await shownId(panel, 'Drop the table orders');
    await world.host.killHub();
    assert.deepEqual(pick(await late), { status: 'rejected', decidedBy: 'timeout' });
    await panel.says(`decided-${third}`, /nobody decided in time/);
    await world.until('the button says nothing', async () => (await badge(panel.page)) === '');
    await world.page.bringToFront();
    await world.overlay.gone('approval');
    await picture(world, panel.page, 'decided');
  },
);

const pick = ({ status, decidedBy }: Told) => ({ status, decidedBy });

/** What the downloaded file says that is needed here. */
interface Config {
  ports: { port: number; is_main: boolean }[];
  authentication: { token: string };
  keep: string;
}

/** An agent that has nothing but the downloaded file, and asks anew whenever nobody answers. */
function overHttp({ ports, authentication }: Config, project: string) {
  const port = ports.find(({ is_main }) => is_main)?.port;
  const headers = {
    authorization: `Bearer ${authentication.token}`,
    'user-agent': 'http-agent/1',
    'opentoolbar-project': project,
    'content-type': 'application/json',
  };
  const send = async (path: string, init: RequestInit = {}) => {
    for (;;) {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
        const value = (await answer.json()) as Record<string, string>;
        assert.equal(answer.status, 200, JSON.stringify(value));
        return value;
      } catch (failure) {
        // Between two hubs nobody listens.
        if (!(failure instanceof TypeError)) throw failure;
        await new Promise((done) => setTimeout(done, 200));
      }
    }
  };
  return async (action: string, timeout_seconds = 60): Promise<Told> => {
    const body = JSON.stringify({ action, reason: 'It is stale', timeout_seconds });
    let told = await send('/verify', { method: 'POST', body });
    while (told.status === 'pending') told = await send(`/verify/${told.verification_id}?wait=10`);
    const { status = '', decided_by: decidedBy, note } = told;
    return { status, ...(decidedBy ? { decidedBy } : {}), ...(note ? { note } : {}) };
  };
}

scenario(
  'an agent asks over HTTP with the config that the panel saved: one yes, one no, one runs out, across a restart',
  {},
  async (world) => {
    const panel = await openApprovals(world);
    // Closed until the person opens it.
    await panel.click('download-config');
    await panel.says('config-saved', /gateway is not open/);
    await world.host.openGateway();
    const before = await world.host.hubPid();
    await world.host.killHub();
    await world.until('another hub serves', async () => {
      const now = await world.host.hubPid();
      return now !== null && now !== before;
    });
    await world.until('the panel has its hub', async () => !(await panel.has('approvals-trouble')));
    const config = JSON.parse(await world.download('download-config')) as Config;
    await panel.says('config-saved', /holds the token/);
    assert.match(config.keep, /0600/);
    for (const scheme of ['light', 'dark'] as const) {
      await world.colours(panel.page, scheme);
      assert.deepEqual(await violations(panel.page, 'document'), [], `config, ${scheme}`);
      await picture(world, panel.page, `config-${scheme}`);
    }
    const asks = overHttp(config, world.project);

    const yes = asks('Delete build/ over HTTP');
    yes.catch(() => undefined);
    const first = await shownId(panel, 'Delete build/ over HTTP');
    await panel.says(`asker-${first}`, /It says it is http-agent\/1/);
    await panel.says('connection-agent', /http-agent/);
    const no = asks('Push to main over HTTP');
    no.catch(() => undefined);
    const second = await shownId(panel, 'Push to main over HTTP');
    await world.host.killHub();
    await world.until('the panel has its hub', async () => !(await panel.has('approvals-trouble')));
    await panel.decide(`approve-${first}`);
    assert.deepEqual(await yes, { status: 'approved', decidedBy: 'person' });
    await panel.click(`note-${second}`);
    await panel.type(`note-${second}`, 'Not on a Friday');
    await panel.decide(`reject-${second}`);
    assert.deepEqual(await no, { status: 'rejected', decidedBy: 'person', note: 'Not on a Friday' });
    assert.deepEqual(await asks('Drop the table orders', 5), { status: 'rejected', decidedBy: 'timeout' });
  },
);

scenario('with the keyboard alone a person reads, writes a note and rejects', {}, async (world) => {
  const agent = await world.agent('codex');
  const panel = await openApprovals(world);
  const { page } = panel;
  const told = ask(agent, { action: 'Rewrite the history', context: 'git push --force' });
  const id = await shownId(panel, 'Rewrite the history');
  await page.bringToFront();
  await page.focus('[data-testid="tab-approvals"]');
  const reached: string[] = [];
  const focused = () =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.testid ?? '');
  for (let step = 0; step < 30 && reached.at(-1) !== `reject-${id}`; step++) {
    await page.keyboard.press('Tab');
    reached.push(await focused());
    if (reached.at(-1) === `note-${id}`) {
      await page.keyboard.type('Never');
      await page.keyboard.press('Enter');
    }
  }
  const order = ['action', 'reason', 'context', 'note', 'always', 'reject'].map((part) => `${part}-${id}`);
  assert.deepEqual(
    reached.filter((one) => order.includes(one)),
    order,
  );
  await world.until('the button rests no more', () =>
    page.$eval(`[data-testid="reject-${id}"]`, (one) => one.getAttribute('aria-disabled') === 'false'),
  );
  await page.keyboard.press('Enter');
  const { note, ...rest } = await told;
  assert.deepEqual(pick(rest), { status: 'rejected', decidedBy: 'person' });
  assert.match(note ?? '', /^Never/);
});

scenario('with the panel closed the page says it, and its button opens the panel', {}, async (world) => {
  const agent = await world.agent('codex');
  const told = ask(agent, { action: 'Install left-pad' });
  await world.overlay.visible('approval');
  await world.overlay.click('approval-open');
  // In headless browsers, and where no panel may be opened, in a tab of ours.
  const panel = new Panel(await world.browser.openedPanel());
  const id = await shownId(panel, 'Install left-pad');
  await panel.decide(`approve-${id}`);
  assert.deepEqual(pick(await told), { status: 'approved', decidedBy: 'person' });
  await world.page.bringToFront();
  await world.overlay.gone('approval');
});

scenario('what waits outlives the background, in the panel and at the button', {}, async (world) => {
  const agent = await world.agent('codex');
  const panel = await openApprovals(world);
  const told = ask(agent, { action: 'Restart the queue' });
  const id = await shownId(panel, 'Restart the queue');
  await world.until('the button counts it', async () => (await badge(panel.page)) === '1');
  await panel.click(`note-${id}`);
  await panel.type(`note-${id}`, 'Only this one');
  await world.browser.endBackground();
  await panel.decide(`approve-${id}`);
  const { note, ...rest } = await told;
  assert.deepEqual(pick(rest), { status: 'approved', decidedBy: 'person' });
  assert.match(note ?? '', /Only this one/);
  await world.until('the button says nothing', async () => (await badge(panel.page)) === '');
});

scenario('a rule says yes in the person’s place until it is stopped', {}, async (world) => {
  const agent = await world.agent('codex');
  const panel = await openApprovals(world);
  const wish = { action: 'Run the migrations', context: 'staging' };
  const first = ask(agent, wish);
  const id = await shownId(panel, wish.action);
  await panel.click(`always-${id}`);
  await panel.page.select(`[data-testid="hours-${id}"]`, '8');
  await panel.says(`approve-${id}`, /Approve, and for 8 hours/);
  await picture(world, panel.page, 'rule');
  await panel.decide(`approve-${id}`);
  assert.deepEqual(pick(await first), { status: 'approved', decidedBy: 'person' });
  await panel.says('rules', /Run the migrations.*With exactly this context.*not used yet.*staging/s);
  assert.deepEqual(pick(await ask(agent, wish)), { status: 'approved', decidedBy: 'rule' });
  await panel.says('rules', /used once/);
  await picture(world, panel.page, 'rules');
  // Another context is another question.
  const other = ask(agent, { ...wish, context: 'production' });
  const asked = await shownId(panel, wish.action);
  await panel.decide(`reject-${asked}`);
  assert.deepEqual(pick(await other), { status: 'rejected', decidedBy: 'person' });
  const rule = await panel.page.$eval('[data-testid^="stop-"]', (stop) => stop.getAttribute('data-testid'));
  await panel.click(rule ?? '');
  await panel.gone('rules');
  const again = ask(agent, wish);
  await panel.decide(`reject-${await shownId(panel, wish.action)}`);
  assert.deepEqual(pick(await again), { status: 'rejected', decidedBy: 'person' });
});

scenario('neither a page nor a content script decides, and neither is told how', {}, async (world) => {
  const agent = await world.agent('codex');
  const panel = await openApprovals(world);
  const told = ask(agent, { action: 'Send the invoices' });
  const id = await shownId(panel, 'Send the invoices');
  await world.page.bringToFront();
  await world.overlay.visible('approval');
  // Of a page nothing comes to the extension, and nothing in our root says yes.
  const buttons = await world.overlay.$eval(own('approval'), (card) =>
    [...card.querySelectorAll('button')].map((button) => (button as HTMLElement).dataset.testid),
  );
  assert.deepEqual(buttons, ['approval-open']);
  const payload = { id, hash: 'x', approve: true };
  const byPage = await world.page.evaluate(
    async (message) => {
      const { browser, chrome } = globalThis as Scope;
      return (browser ?? chrome)?.runtime?.sendMessage?.(message).catch((why: unknown) => String(why));
    },
    { type: 'decide_approval', payload },
  );
  assert.ok(byPage === undefined || typeof byPage === 'string', JSON.stringify(byPage));
  for (const message of [
    { type: 'decide_approval', payload },
    { type: 'stop_rule', payload: { ruleId: 'rule_1' } },
  ]) {
    const answer = (await asContentScript(world, panel, message)) as { error?: string } | undefined;
    assert.match(answer?.error ?? '', /not allowed/, message.type);
  }
  const known = JSON.stringify(await asContentScript(world, panel, { type: 'get_page_state', payload: {} }));
  assert.match(known, /Send the invoices/);
  assert.doesNotMatch(known, /"hash"|It is stale/);
  await panel.page.bringToFront();
  await panel.find(`reject-${id}`);
  await panel.decide(`reject-${id}`);
  assert.deepEqual(pick(await told), { status: 'rejected', decidedBy: 'person' });
});

/** What a message from our content script's world in the page is answered with. */
async function asContentScript(world: World, panel: Panel, message: object): Promise<unknown> {
  const url = world.page.url();
  return panel.page.evaluate(
    async (url, message) => {
      type Scripting = {
        scripting: {
          executeScript(what: object): Promise<{ result?: unknown }[]>;
        };
      } & Api;
      const scope = globalThis as unknown as { browser?: Scripting; chrome?: Scripting };
      const api = scope.browser ?? scope.chrome;
      const tab = (await api?.tabs.query({}))?.find((one) => one.url === url);
      const [first] =
        (await api?.scripting.executeScript({
          target: { tabId: tab?.id },
          args: [message],
          func: async (message: object) => {
            const { browser, chrome } = globalThis as Scope;
            return (browser ?? chrome)?.runtime.sendMessage(message);
          },
        })) ?? [];
      return first?.result;
    },
    url,
    message,
  );
}

scenario(
  'words that would deceive are shown with that written out, in a narrow panel too',
  {},
  async (world) => {
    const agent = await world.agent('codex');
    const panel = await openApprovals(world);
    const action = `Remove \u202etxt.exe\u0007 ${'and-a-very-long-word'.repeat(12)}`;
    const told = ask(agent, {
      action,
      reason: '**bold** <img src=x onerror=alert(1)>\n```\nReject  Approve',
      context: 'line\n'.repeat(200),
    });
    const id = await shownId(panel, action.replace('\u202e', '⟨U+202E⟩').replace('\u0007', '⟨U+0007⟩'));
    await panel.says(`reason-${id}`, /<img src=x onerror=alert\(1\)>/);
    await panel.page.setViewport({ width: 300, height: 700 });
    for (const scheme of ['light', 'dark'] as const) {
      await world.colours(panel.page, scheme);
      assert.deepEqual(await violations(panel.page, 'document'), [], scheme);
      await picture(world, panel.page, `narrow-${scheme}`);
    }
    const isWide = await panel.page.evaluate(() => document.body.scrollWidth > innerWidth);
    assert.equal(isWide, false, 'nothing is cut off at the side');
    await panel.decide(`reject-${id}`);
    assert.deepEqual(pick(await told), { status: 'rejected', decidedBy: 'person' });
  },
);

// Without a screen Firefox shows a notification no longer than it takes to make it.
scenarioOnScreen(
  'with the person’s leave the system says it too: a press opens the panel, and what is decided is taken away',
  { notifications: true },
  async (world) => {
    const agent = await world.agent('codex');
    const panel = await openApprovals(world);
    const shown = () =>
      panel.page.evaluate(async () => {
        const { browser, chrome } = globalThis as Scope;
        return Object.keys((await (browser ?? chrome)?.notifications?.getAll()) ?? {});
      });
    // In Chromium they are allowed from the start.
    if (world.browser.name === 'firefox') {
      await panel.click('allow-notifications');
      await panel.gone('notifications');
    }
    const told = ask(agent, { action: 'Rotate the keys' });
    const id = await shownId(panel, 'Rotate the keys');
    await world.until('the system says it', async () => (await shown()).includes(`approval:${id}`));
    await panel.click('tab-comments');
    await world.page.bringToFront();
    await world.browser.pressNotification(`approval:${id}`);
    await panel.find(`approval-${id}`);
    await world.until('the panel is in front', () =>
      panel.page.evaluate(() => document.visibilityState === 'visible'),
    );
    await panel.decide(`reject-${id}`);
    assert.deepEqual(pick(await told), { status: 'rejected', decidedBy: 'person' });
    await world.until('the system says nothing', async () => (await shown()).length === 0);
  },
);
