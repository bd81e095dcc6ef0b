/**
 * A browser that finds no host: it is paired with the hub's gateway by a code, and all goes on as over native
 * messaging.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { answerThrough, pictures, read, selectSayAnswer, write } from './conversation.ts';
import type { Panel } from './harness/panel.ts';
import { scenario, type World } from './harness/world.ts';

const WITHOUT_HOST = { registered: false };

/** What a person does with the code and the address from the terminal, by the keyboard alone. */
async function enter(world: World, address: string, code: string): Promise<void> {
  const panel = await world.panel();
  await panel.page.bringToFront();
  if (!(await panel.has('pairing-form'))) {
    await world.until('the keyboard is at the button', async () => {
      await (await panel.find('pair')).focus();
      return (await focus(panel)) === 'pair';
    });
    await panel.page.keyboard.press('Enter');
  }
  await panel.find('pairing-form');
  const { keyboard } = panel.page;
  // The code has the focus; the address is the next field.
  await panel.page.waitForFunction(() => document.activeElement?.matches('[data-testid=pairing-code]'));
  await overwrite(world, code);
  await keyboard.press('Tab');
  await overwrite(world, address);
  await keyboard.press('Enter');
}

/** What of the panel hears the keyboard. */
function focus({ page }: Panel): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
}

async function overwrite(world: World, text: string): Promise<void> {
  const { keyboard } = (await world.panel()).page;
  await keyboard.down('Control');
  await keyboard.press('a');
  await keyboard.up('Control');
  await keyboard.type(text);
}

async function refused(world: World, sentence: RegExp): Promise<void> {
  const panel = await world.panel();
  await panel.says('pairing-error', sentence);
  // For another try: nothing that was typed is lost, and the keyboard starts at the code.
  await (await panel.find('pairing-code')).focus();
}

async function connected(world: World): Promise<void> {
  const panel = await world.panel();
  await panel.find('paired-button');
  await world.until('the host answers', async () => {
    const light = await panel.find('connection-hub');
    return (await light.evaluate((node) => node.getAttribute('data-state'))) === 'good';
  });
}

async function paired(world: World): Promise<string> {
  const address = await world.host.serve();
  await enter(world, address, await world.host.code());
  await connected(world);
  return address;
}

scenario(
  'paired by a code, the conversation runs over the gateway',
  { ...WITHOUT_HOST, everySite: true },
  async (world) => {
    const panel = await world.panel();
    await panel.says('pairing-offer', /No host was found on this machine/);
    await pictures(world, 'pairing-offer');
    const address = await paired(world);
    await world.until(
      'the keyboard is not lost with the form',
      async () => (await focus(panel)) === 'paired-button',
    );
    await panel.page.keyboard.press('Enter');
    await panel.says('paired', new RegExp(`Connected to .+ \\(${address}\\) by pairing`));
    await pictures(world, 'pairing-in-use');
    await panel.click('paired-button');
    await panel.gone('paired');

    await selectSayAnswer(world);

    const [{ token, origin }] = JSON.parse(await readFile(join(world.host.state, 'paired.json'), 'utf8')) as [
      { token: string; origin: string },
    ];
    assert.equal(origin, world.browser.extensionOrigin);
    for (const page of [world.page, panel.page]) assert.ok(!(await page.content()).includes(token));
  },
);

scenario(
  'the hub killed and started again in the middle of an answer, over the gateway',
  WITHOUT_HOST,
  async (world) => {
    const address = await paired(world);
    const port = Number(address.split(':')[1]);
    const panel = await world.panel();
    await answerThrough(world, async () => {
      await world.host.killHub();
      // The agent may have started the next hub by now: then this opens the gateway of that one.
      await world.host.serve(port);
    });
    await connected(world);
    // The other direction: said while nobody is there, heard once when somebody is.
    await write(world, 'And now?');
    const agent = await world.agent('second');
    await read(world, agent, 'And now?');
    await panel.says('chat-log', /Read/);
  },
);

scenario('what can go wrong with a code is told apart', WITHOUT_HOST, async (world) => {
  const panel = await world.panel();
  await enter(world, '127.0.0.1:1', 'AAAA-AAAA');
  await refused(world, /Nobody listens at 127\.0\.0\.1:1\. Start opentoolbar serve where your agent runs/);
  await enter(world, 'buildbox:7847', 'AAAA-AAAA');
  await refused(world, /connects to this machine only.+ssh -L/);
  await enter(world, new URL(world.origin).host.replace('localhost', '127.0.0.1'), 'AAAA-AAAA');
  await refused(world, /is not opentoolbar/);
  const address = await world.host.serve();
  await enter(world, address, 'AAAA-AAAA');
  await refused(world, /No code is good now\. Run opentoolbar pair for a new code/);
  const code = await world.host.code();
  await enter(world, address, 'AAAA-AAAA');
  await refused(world, /The code is wrong; 4 more tries/);
  await pictures(world, 'pairing-refused');
  await panel.page.keyboard.press('Escape');
  await panel.gone('pairing-form');
  await world.until('the keyboard is back at the button', async () => (await focus(panel)) === 'pair');
  await enter(world, address, ` ${code.toLowerCase().replace('-', ' ')} `);
  await connected(world);
});

scenario(
  'a pairing that was taken back is said so, and can be made again or forgotten',
  WITHOUT_HOST,
  async (world) => {
    const address = await paired(world);
    const panel = await world.panel();
    await world.host.run(['pair', '--forget']);
    await panel.says('paired', /This browser was paired with/);
    await panel.says('connection-hub', /the pairing was taken back\. Pair again with a new code/);
    await pictures(world, 'pairing-taken-back');
    await enter(world, address, await world.host.code());
    await connected(world);

    await panel.click('paired-button');
    await panel.click('forget-pairing');
    await panel.gone('paired-button');
    await panel.find('pairing-offer');
    await world.until(
      'the host has forgotten it',
      async () => (await readFile(join(world.host.state, 'paired.json'), 'utf8')) === '[]',
    );
  },
);

scenario('paired through a forward from another port, as by ssh -L', WITHOUT_HOST, async (world) => {
  const address = await world.host.serve();
  const far = Number(address.split(':')[1]);
  const forward = createServer((near) => {
    const hub = connect(far, '127.0.0.1');
    near.pipe(hub).pipe(near);
    for (const [one, other] of [
      [near, hub],
      [hub, near],
    ] as const)
      one.on('error', () => other.destroy());
  });
  await new Promise<void>((resolve) => forward.listen(0, '127.0.0.1', resolve));
  const { port } = forward.address() as AddressInfo;
  assert.notEqual(port, far);
  try {
    await enter(world, `127.0.0.1:${port}`, await world.host.code());
    await connected(world);
    await (await world.panel()).click('tab-chat');
    await write(world, 'Through the forward');
    await read(world, await world.agent('codex'), 'Through the forward');
  } finally {
    forward.close();
  }
});

scenario('a host that is registered later is preferred', WITHOUT_HOST, async (world) => {
  await paired(world);
  const panel = await world.panel();
  // Before the words beside the button change, which move it.
  await panel.click('paired-button');
  await panel.says('paired', /by pairing/);
  await world.host.register();
  await world.host.killHub();
  // The browser tries by itself; the relay that it finds now starts the next hub.
  await panel.says('paired', /The host of this machine is in use\. This browser is also paired/);
});
