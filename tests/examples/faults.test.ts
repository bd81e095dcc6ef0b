/** What the examples do when the other side fails: the scenarios of the requirement by their names. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { APPROVED, closedPort, ID, PENDING, type Reply, type Seen, TOKEN } from './fault-server.ts';
import { ended } from './languages.ts';
import { scenario } from './trial.ts';

/** Milliseconds between one and the next. */
const pauses = (seen: Seen[]) => seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0));

/** That each pause is at least what it should be, in milliseconds; a busy machine makes them longer. */
function waited(seen: Seen[], least: number[]): void {
  assert.equal(seen.length, least.length + 1);
  for (const [index, pause] of pauses(seen).entries()) {
    assert.ok(pause >= (least[index] ?? 0) - 5, `${pauses(seen)} should be at least ${least}`);
  }
}

describe('faults', { concurrency: 4 }, () => {
  scenario('Connection Error: refused for good, it tries five times, then says so', async (trial) => {
    const port = await closedPort();
    const config = trial.config;
    const ports = [{ ...config.ports[0], port, url: `http://127.0.0.1:${port}` }];
    const began = performance.now();
    const outcome = await trial.run([], trial.folder.write('c.json', { ...config, ports }), {
      pause: '0.05',
    });
    ended(outcome, 'failed', /GET \/context: gave up after 5 attempts: .*refused/i);
    // 50, 100, 200 and 400 ms.
    assert.ok(performance.now() - began >= 750);
  });

  scenario('Connection Error: a gateway that opens a little later is found', async (trial) => {
    const port = await closedPort();
    const config = trial.config;
    const ports = [{ ...config.ports[0], port, url: `http://127.0.0.1:${port}` }];
    const run = trial.begin([], trial.folder.write('c.json', { ...config, ports }), { pause: '0.3' });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await trial.another(port);
    ended(await run.outcome(), 'approved', /would delete build with 3 entries/);
  });

  scenario('Connection Error: a connection that breaks is tried again', async (trial) => {
    trial.server.behave = ({ path }, count, connection) => {
      if (path !== '/context' || count > 2) return null;
      connection.destroy();
      return 'nothing';
    };
    ended(await trial.run(), 'approved', /would delete/);
    assert.equal(trial.server.of('GET /context').length, 3);
    // Whoever answers after a failure may be another program.
    assert.equal(trial.server.of('GET /health').length, 3);
  });

  scenario('Connection Error: a server that hangs is given up', async (trial) => {
    trial.server.behave = ({ path }) => (path === '/context' ? 'nothing' : null);
    const outcome = await trial.run([], undefined, { patience: '0.5' });
    ended(outcome, 'failed', /gave up after 5 attempts: .*time/i);
  });

  scenario('Endpoint Not Found: it is asked for once', async (trial) => {
    for (const [name, path] of [
      ['GET', '/context'],
      ['POST', '/verify'],
      ['GET', `/verify/${ID}`],
    ]) {
      trial.server.seen.length = 0;
      const body = { code: 'not_found', message: 'there is no such path', nextStep: 'See GET /config.' };
      trial.server.behave = (seen) =>
        seen.path === path && seen.method === name ? { status: 404, body } : null;
      const outcome = await trial.run();
      ended(outcome, 'failed', new RegExp(`${name} ${path}.*: 404 there is no such path\\. See GET /config`));
      assert.equal(trial.server.of(`${name} ${path}`).length, 1);
    }
  });

  scenario('Server Error: it asks again after pauses that double, and gives up', async (trial) => {
    trial.server.behave = ({ path }) =>
      path === '/context' ? { status: 500, body: { message: 'a disk that fails' } } : null;
    const outcome = await trial.run([], undefined, { pause: '0.1' });
    ended(outcome, 'failed', /GET \/context: gave up after 5 attempts: 500 a disk that fails/);
    waited(trial.server.of('GET /context'), [100, 200, 400, 800]);
  });

  scenario('Server Error: twice, and all is well', async (trial) => {
    trial.server.behave = ({ path }, count) => (path === '/verify' && count < 3 ? { status: 503 } : null);
    ended(await trial.run(), 'approved', /would delete/);
    const asked = trial.server.of('POST /verify');
    assert.equal(asked.length, 3);
    // The same words are the same question.
    assert.ok(asked.every(({ body }) => body === asked[0]?.body));
  });

  scenario('Server Error: too much at once, it waits as long as it is told', async (trial) => {
    trial.server.behave = ({ path }, count) =>
      path === '/verify' && count === 1 ? { status: 429, headers: { 'Retry-After': '1' } } : null;
    ended(await trial.run(), 'approved', /would delete/);
    waited(trial.server.of('POST /verify'), [1000]);
  });

  scenario('Server Error: too much at once for an hour, it does not wait so long', async (trial) => {
    trial.server.behave = ({ path }) =>
      path === '/verify'
        ? { status: 429, headers: { 'Retry-After': '3600' }, body: { message: 'full' } }
        : null;
    const outcome = await trial.run();
    ended(outcome, 'failed', /POST \/verify: gave up, 3600 s are too long to wait: 429 full/);
    assert.equal(trial.server.of('POST /verify').length, 1);
  });

  scenario('Server Error: too much at once for good, it gives up', async (trial) => {
    trial.server.behave = ({ path }) =>
      path === '/verify' ? { status: 429, headers: { 'Retry-After': '0' } } : null;
    ended(await trial.run(), 'failed', /POST \/verify: gave up after 5 attempts: 429/);
    // A number that is none is not obeyed.
    trial.server.behave = ({ path }, count) =>
      path === '/verify' && count < 7 ? { status: 429, headers: { 'Retry-After': 'for ever' } } : null;
    ended(await trial.run(), 'approved', /would delete/);
  });

  scenario('Port Binding Verification: another program at the port never sees the token', async (trial) => {
    const others: Reply[] = [
      { body: { status: 'ok', name: 'postgres' } },
      { body: 'opentoolbar' },
      { body: '["opentoolbar"]' },
      { status: 404, body: { name: 'opentoolbar' } },
      { status: 302, headers: { Location: '/config' }, body: { name: 'opentoolbar' } },
    ];
    for (const other of others) {
      trial.server.seen.length = 0;
      trial.server.behave = ({ path }) => (path === '/health' ? other : null);
      ended(await trial.run(), 'failed', /port \d+ is not opentoolbar's: another program has it/);
      assert.deepEqual(
        trial.server.seen.map(({ path, headers }) => [path, headers.authorization]),
        [['/health', undefined]],
      );
    }
  });

  scenario('Port Binding Verification: nor one that takes the port later', async (trial) => {
    let isAnother = false;
    trial.server.behave = ({ path, method }, _, connection) => {
      if (isAnother) return path === '/health' ? { body: { name: 'thief' } } : { body: APPROVED };
      if (method !== 'GET' || !path.startsWith('/verify/')) return null;
      // The gateway goes away while it is asked.
      isAnother = true;
      connection.destroy();
      return 'nothing';
    };
    ended(await trial.run(), 'failed', /another program has it/);
    const last = trial.server.seen.at(-1);
    assert.deepEqual([last?.path, last?.headers.authorization], ['/health', undefined]);
  });

  scenario('Port Binding Verification: a redirect is not followed', async (trial) => {
    const elsewhere = await trial.another();
    for (const status of [302, 307, 308]) {
      const headers = { Location: `http://127.0.0.1:${elsewhere.port}/context` };
      trial.server.behave = ({ path }) => (path === '/context' ? { status, headers } : null);
      const said = new RegExp(`GET /context: ${status}; a redirect is not followed`);
      ended(await trial.run(), 'failed', said);
    }
    assert.deepEqual(elsewhere.seen, []);
  });

  scenario('Port Binding Verification: no proxy of the environment is used', async (trial) => {
    const proxy = await trial.another();
    const url = `http://127.0.0.1:${proxy.port}`;
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'all_proxy']) trial.env[name] = url;
    trial.env.NODE_USE_ENV_PROXY = '1';
    ended(await trial.run(), 'approved', /would delete/);
    assert.deepEqual(proxy.seen, []);
  });

  scenario('Port Binding Verification: what is no answer of the gateway is none', async (trial) => {
    const wrong: [string, unknown, RegExp][] = [
      ['/context', '{"system": ', /GET \/context answered something else/],
      ['/context', '[]', /GET \/context answered something else/],
      ['/context', { role: 'developer' }, /something else: `system` is missing/],
      ['/verify', { ...PENDING, verification_id: undefined }, /something else: `verification_id` is missing/],
      ['/verify', { ...PENDING, status: 'granted' }, /answered something else: .*`status`/],
      ['/verify', { ...PENDING, status: true }, /answered something else: .*`status`/],
      ['/verify', { ...PENDING, verification_id: '../config' }, /another `verification_id`/],
      ['/verify', { ...PENDING, status: 'approved' }, /`status` and `decided_by` do not fit/],
      [`/verify/${ID}`, { ...APPROVED, decided_by: 'timeout' }, /`status` and `decided_by` do not fit/],
      [`/verify/${ID}`, { ...APPROVED, decided_by: 'somebody' }, /answered something else: .*`decided_by`/],
      [`/verify/${ID}`, { ...APPROVED, verification_id: 'v_other' }, /another `verification_id`/],
      [`/verify/${ID}`, `${' '.repeat(1024 * 1024)}{}`, /something else|gave up/],
    ];
    for (const [path, body, said] of wrong) {
      trial.server.seen.length = 0;
      trial.server.behave = (seen) => (seen.path === path ? { body } : null);
      const outcome = await trial.run();
      ended(outcome, 'failed', said);
      assert.doesNotMatch(outcome.stdout, /would delete/);
    }
  });

  scenario(
    'Configuration Confidentiality: what the server sends back is printed without the token',
    async (trial) => {
      const echo = `you sent Bearer ${TOKEN}\u001b[2J\u202e`;
      trial.server.behave = ({ path }) =>
        path === '/context' ? { status: 500, body: { message: echo } } : null;
      const failed = await trial.run();
      ended(failed, 'failed', /500 you sent Bearer \(token\)/);
      trial.server.behave = ({ path, method }) => {
        if (path === '/context') return { status: 200, body: { ...contextOf(echo) } };
        return method === 'GET' && path === `/verify/${ID}` ? { body: { ...APPROVED, note: echo } } : null;
      };
      const approved = await trial.run();
      ended(approved, 'approved', /Note: you sent Bearer \(token\)/);
      const shown = await trial.run(['--show']);
      ended(shown, 'approved', /system: you sent Bearer \(token\)/);
      for (const { stdout, stderr } of [failed, approved, shown]) {
        assert.ok(!`${stdout}${stderr}`.includes('\u001b') && !`${stdout}${stderr}`.includes('\u202e'));
      }
    },
  );
});

const contextOf = (text: string) => ({
  system: text,
  role: text,
  base_instruction: text,
  allowed_actions: [text],
  verification_required: true,
});
