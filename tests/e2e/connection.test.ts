/**
 * The connection's lights, with every link between page and agent broken in turn: killed, stopped (it keeps its sockets
 * and answers nothing), missing, of another project or version. Each must be told within a few seconds, and mended.
 */
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import identity from '../../extension/identity.json' with { type: 'json' };
import type { Host } from './harness/host.ts';
import { agentProcess, relayPid, whileStopped } from './harness/processes.ts';
import { scenariosInOneWorld, type World } from './harness/world.ts';

type LightId = 'connection-hub' | 'connection-agent';

/** Waits until a light has this state and this word. */
async function shows(world: World, light: LightId, state: string, word: RegExp): Promise<void> {
  const { page } = await world.panel();
  await world.until(`${light} is ${state}, ${word}`, async () => {
    const now = await page.$eval(`[data-testid="${light}"]`, (node) => ({
      state: node.getAttribute('data-state'),
      text: node.textContent ?? '',
    }));
    if (now.state === state && word.test(now.text)) return true;
    throw new Error(`${now.state}: ${now.text}`);
  });
}

/** Whether a light had a state, or one that is not good, since it was asked to watch. */
async function watch(
  world: World,
  light: LightId,
  wanted: 'good' | 'not good',
): Promise<() => Promise<boolean>> {
  const { page } = await world.panel();
  const seen = await page.evaluateHandle((id) => {
    const states: (string | null)[] = [];
    const look = () =>
      states.push(document.querySelector(`[data-testid="${id}"]`)?.getAttribute('data-state') ?? null);
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    return states;
  }, light);
  return () =>
    seen.evaluate(
      (states, isGood) => states.some((state) => (state === 'good') === isGood),
      wanted === 'good',
    );
}

/** The files by which browsers find the host. */
async function manifests({ home }: Host): Promise<string[]> {
  const folders = ['.config/chromium/NativeMessagingHosts', '.mozilla/native-messaging-hosts'];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(home, folder)).catch(() => []);
      return names
        .filter((name) => name === `${identity.nativeHost}.json`)
        .map((name) => join(home, folder, name));
    }),
  );
  return found.flat();
}

/** A host that answers every message with a hello of a protocol that does not exist yet. */
const NEWER = `let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE(0)) {
    const end = 4 + rest.readUInt32LE(0);
    const { id } = JSON.parse(rest.subarray(4, end).toString());
    rest = rest.subarray(end);
    const payload = { protocol: 9, version: '9.0.0', role: 'cli', client: 'opentoolbar hub', capabilities: [] };
    const json = Buffer.from(JSON.stringify({ replyTo: id, type: 'hello', payload }));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(json.length);
    process.stdout.write(Buffer.concat([head, json]));
  }
});
`;

scenariosInOneWorld(
  'connection',
  { registered: false },
  {
    'the host is missing, then of another version, then it is there: without a reload': async (world) => {
      const panel = await world.panel();
      await shows(world, 'connection-hub', 'broken', /Stored in this browser/);
      await panel.says('advice-run', /opentoolbar setup/);

      await world.host.register();
      const script = join(world.host.home, 'newer-host.mjs');
      await writeFile(script, `#!${process.execPath}\n${NEWER}`);
      await chmod(script, 0o755);
      const registered = await manifests(world.host);
      assert.ok(registered.length > 0, 'setup registered the host');
      const before = await Promise.all(registered.map((file) => readFile(file, 'utf8')));
      for (const [at, file] of registered.entries()) {
        await writeFile(file, JSON.stringify({ ...JSON.parse(before[at] ?? ''), path: script }));
      }
      await shows(world, 'connection-hub', 'broken', /Other version.*protocol 9.*Update this extension/);

      for (const [at, file] of registered.entries()) await writeFile(file, before[at] ?? '');
      await panel.click('advice-button');
      await shows(world, 'connection-hub', 'good', /Connected/);
    },

    'an agent: none, not asked yet, listening, connected, gone': async (world) => {
      const panel = await world.panel();
      await shows(world, 'connection-agent', 'broken', /None/);
      await panel.says('advice-run', /opentoolbar setup --dry-run/);
      const agent = await world.agent('codex');
      await shows(world, 'connection-agent', 'waiting', /Not asked yet.*codex/);
      await panel.says('advice-tell', /Fix the comments I left/);
      const waiting = agent.call('wait_for_feedback', { timeoutSeconds: 5 });
      await shows(world, 'connection-agent', 'good', /Listening.*codex/);
      await waiting;
      await shows(world, 'connection-agent', 'good', /Connected.*codex/);

      await whileStopped(agent.serverPid, () =>
        shows(world, 'connection-agent', 'broken', /No answer.*codex/),
      );
      await shows(world, 'connection-agent', 'good', /Connected/);
      process.kill(agent.serverPid, 'SIGKILL');
      await shows(world, 'connection-agent', 'broken', /None/);
    },

    'an agent’s program that hangs is not called connected, although its MCP server answers': async (
      world,
    ) => {
      const agent = await agentProcess(world.host, world.project);
      try {
        await shows(world, 'connection-agent', 'good', /Connected.*agent-process/);
        await whileStopped(agent.pid, () =>
          shows(world, 'connection-agent', 'broken', /No answer.*its program does not answer/),
        );
        await shows(world, 'connection-agent', 'good', /Connected/);
      } finally {
        agent.kill('SIGKILL');
      }
      await shows(world, 'connection-agent', 'broken', /None/);
    },

    'an agent’s program that never answered is not called connected, although it asked': async (world) => {
      const wasSeen = await watch(world, 'connection-agent', 'good');
      const agent = await agentProcess(world.host, world.project, 'mute');
      try {
        await shows(
          world,
          'connection-agent',
          'waiting',
          /Asked.*agent-process.*answered no question so far/,
        );
        assert.equal(await wasSeen(), false);
      } finally {
        agent.kill('SIGKILL');
      }
      await shows(world, 'connection-agent', 'broken', /None/);
    },

    'an agent of another project is said to be one': async (world) => {
      const other = join(world.host.home, 'other-app');
      await mkdir(other, { recursive: true });
      await writeFile(join(other, 'package.json'), '{}');
      const agent = await agentProcess(world.host, other);
      try {
        await shows(world, 'connection-agent', 'broken', /None here.*agent-process .* works in other-app/);
        await (await world.panel()).says('advice-choose_project', /other-app/);
      } finally {
        agent.kill('SIGKILL');
      }
      await shows(world, 'connection-agent', 'broken', /None/);
    },

    'a hub that is killed is said to be lost, and the next one is found': async (world) => {
      await shows(world, 'connection-hub', 'good', /Connected/);
      const old = await world.host.hubPid();
      const wasLost = await watch(world, 'connection-hub', 'not good');
      await world.host.killHub();
      await world.until('the light told of it', wasLost);
      await shows(world, 'connection-hub', 'good', /Connected/);
      assert.notEqual(await world.host.hubPid(), old);
    },

    'a hub that hangs is not called connected': async (world) => {
      const hub = await world.host.hubPid();
      assert.ok(hub !== null);
      await whileStopped(hub, async () => {
        await shows(world, 'connection-hub', 'broken', /No answer/);
        await shows(world, 'connection-agent', 'waiting', /Unknown/);
      });
      await shows(world, 'connection-hub', 'good', /Connected/);
    },

    'a relay that hangs is not called connected; one that is killed is replaced': async (world) => {
      const relay = await relayPid(world.host);
      await whileStopped(relay, () => shows(world, 'connection-hub', 'broken', /No answer/));
      await shows(world, 'connection-hub', 'good', /Connected/);
      const wasLost = await watch(world, 'connection-hub', 'not good');
      process.kill(await relayPid(world.host), 'SIGKILL');
      await world.until('the light told of it', wasLost);
      await shows(world, 'connection-hub', 'good', /Connected/);
    },

    'a page that is stuck, and one that lost our script, are told, although the host answers': async (
      world,
    ) => {
      const panel = await world.panel();
      // Told after six seconds at the latest where nothing else is slow: it is asked every three, and waited for three.
      const stuck = world.page.evaluate(() => {
        const end = Date.now() + 14_000;
        while (Date.now() < end);
      });
      await shows(world, 'connection-hub', 'broken', /Page is stuck/);
      await panel.says('advice-reload_page', /Reload the page/);
      await stuck;
      await shows(world, 'connection-hub', 'good', /Connected/);

      // As the background does when the site is not allowed any more; here it is, and none follows.
      const tabId = await world.browser.tabId(world.page.url());
      const leave = { type: 'leave', payload: { origin: world.origin } };
      const send = async (tab: number, message: object) => {
        type Tabs = { tabs: { sendMessage(tab: number, message: object, to: object): Promise<unknown> } };
        const scope = globalThis as unknown as { browser?: Tabs; chrome?: Tabs };
        await (scope.browser ?? scope.chrome)?.tabs.sendMessage(tab, message, { frameId: 0 });
      };
      await panel.page.evaluate(send, tabId, leave);
      await shows(world, 'connection-hub', 'broken', /Not in the page/);
      await panel.click('advice-button');
      await shows(world, 'connection-hub', 'good', /Connected/);
    },
  },
);
