/** How the examples ask and wait, against a server that plays the person: the scenarios by their names. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { APPROVED, ID, PENDING } from './fault-server.ts';
import { ended } from './languages.ts';
import { scenario, type Trial } from './trial.ts';

const REJECTED = { ...PENDING, status: 'rejected', message: 'Do not do it.' };

/** That it is not sent, and which part is why. */
async function unsent(trial: Trial, args: string[], said: RegExp, config?: string): Promise<void> {
  const outcome = await trial.run(args, config);
  ended(outcome, 'request', said);
  assert.deepEqual(trial.server.of('POST /verify'), []);
}

describe('asking', { concurrency: 4 }, () => {
  scenario('Verification Request Format: action, reason and context', async (trial) => {
    ended(
      await trial.run(['--reason', 'Make room', '--timeout-seconds', '60']),
      'approved',
      /would delete build/,
    );
    const [asked] = trial.server.of('POST /verify');
    assert.ok(asked);
    assert.equal(asked.headers['content-type'], 'application/json');
    assert.match(asked.headers['user-agent'] ?? '', /^opentoolbar-example-[a-z]+\/1$/);
    assert.deepEqual(JSON.parse(asked.body), {
      action: 'Delete the folder build and all that is in it',
      reason: 'Make room',
      context: { files: ['a.js', 'b.js', 'c.js'] },
      timeout_seconds: 60,
    });
  });

  scenario('Verification Request Validation: what does not fit is not sent', async (trial) => {
    await unsent(trial, ['--reason', ' '], /`reason` must have 1 to 4000 characters/);
    await unsent(trial, ['--reason', 'r'.repeat(4001)], /`reason` must have 1 to 4000 characters/);
    for (const seconds of ['4', '86401']) {
      await unsent(trial, ['--timeout-seconds', seconds], /`timeout_seconds` must be from 5 to 86400/);
    }
    await unsent(trial, ['nowhere'], /cannot list nowhere/);
    for (let at = 0; at < 100; at += 1) trial.folder.write(`build/${at}-${'n'.repeat(200)}`, '');
    await unsent(trial, [], /`context` has \d+ bytes, at most 16384 are taken/);
  });

  scenario("Verification Request Validation: by the config's own limits and format", async (trial) => {
    const { config } = trial;
    const limits = { ...config.limits, action_characters: 10, reason_characters: 10, context_bytes: 5 };
    const one = (limit: keyof typeof limits) =>
      trial.folder.write('c.json', { ...config, limits: { ...config.limits, [limit]: limits[limit] } });
    await unsent(trial, [], /`action` must have 1 to 10 characters/, one('action_characters'));
    await unsent(trial, [], /`reason` must have 1 to 10 characters/, one('reason_characters'));
    await unsent(trial, [], /`context` has \d+ bytes, at most 5 are taken/, one('context_bytes'));
    // A gateway that wants more, or takes less, than this program knows.
    const ask = config.endpoints.find(({ method }) => method === 'POST');
    assert.ok(ask);
    const { schema } = ask.request.body as { schema: { properties: object; required: string[] } };
    const narrow = { ...schema.properties, timeout_seconds: { type: 'integer', minimum: 10, maximum: 20 } };
    const { required } = schema;
    schema.properties = narrow;
    for (const seconds of ['9', '21']) {
      const args = ['--timeout-seconds', seconds];
      const file = trial.folder.write('c.json', config);
      await unsent(trial, args, /`timeout_seconds` must be from 10 to 20/, file);
    }
    schema.required = [...required, 'ticket'];
    schema.properties = { ...schema.properties, ticket: {} };
    await unsent(trial, [], /`ticket` is not as the config's format/, trial.folder.write('c.json', config));
    schema.required = ['action'];
    schema.properties = { action: {}, reason: {}, timeout_seconds: {} };
    await unsent(trial, [], /`context` is not as the config's format/, trial.folder.write('c.json', config));
  });

  scenario('Verification Request Validation: characters are counted, not bytes', async (trial) => {
    ended(await trial.run(['--reason', '😀'.repeat(4000)]), 'approved', /would delete/);
    await unsentMore(trial);
  });

  scenario('Verification Status Polling: until there is an answer', async (trial) => {
    trial.server.behave = ({ path, method }, count) =>
      method === 'GET' && path === `/verify/${ID}` && count < 4 ? { body: PENDING } : null;
    ended(await trial.run(), 'approved', /approved by person\./);
    const polls = trial.server.of(`GET /verify/${ID}`);
    assert.deepEqual(
      polls.map(({ query }) => query),
      Array(4).fill('?wait=45'),
    );
    // Of one that answers at once it is not asked without a pause.
    for (const [at, poll] of polls.slice(1).entries()) assert.ok(poll.at - (polls[at]?.at ?? 0) >= 15);
    assert.equal(trial.server.of('POST /verify').length, 1);
  });

  scenario('Verification Status Polling: the first answer may be the last', async (trial) => {
    trial.server.behave = ({ path }) =>
      path === '/verify' ? { body: { ...APPROVED, decided_by: 'rule' } } : null;
    ended(await trial.run(), 'approved', /approved by rule\./);
    assert.equal(trial.server.of(`GET /verify/${ID}`).length, 0);
  });

  scenario('Verification Status Polling: its own deadline takes the question back', async (trial) => {
    trial.server.behave = ({ method, path }) =>
      method === 'GET' && path === `/verify/${ID}` ? { body: PENDING } : null;
    const outcome = await trial.run(['--within', '0.4']);
    ended(outcome, 'overdue', /overdue: nobody decided in the time that this program has.* build stays/);
    assert.equal(trial.server.of(`DELETE /verify/${ID}`).length, 1);
    assert.ok(trial.server.of(`GET /verify/${ID}`).every(({ query }) => query === '?wait=1'));
  });

  scenario(
    'Verification Status Polling: decided while it is taken back, the decision counts',
    async (trial) => {
      let isDecided = false;
      trial.server.behave = ({ method, path }) => {
        if (path !== `/verify/${ID}`) return null;
        if (method === 'GET') return { body: isDecided ? APPROVED : PENDING };
        isDecided = true;
        return { status: 409, body: { message: 'it is decided' } };
      };
      ended(await trial.run(['--within', '0.1']), 'approved', /approved by person/);
    },
  );

  scenario('Verification Status Polling: a no of the person', async (trial) => {
    const body = { ...REJECTED, decided_by: 'person', note: 'Not today' };
    trial.server.behave = ({ path, method }) =>
      path === `/verify/${ID}` && method === 'GET' ? { body } : null;
    const outcome = await trial.run();
    ended(
      outcome,
      'rejected',
      /rejected by a person: build stays; do not ask for the same again\. Note: Not today/,
    );
    assert.doesNotMatch(outcome.stdout, /would delete/);
  });

  scenario('Verification Status Polling: taken back by somebody else', async (trial) => {
    const body = { ...REJECTED, decided_by: 'withdrawn' };
    trial.server.behave = ({ path, method }) =>
      path === `/verify/${ID}` && method === 'GET' ? { body } : null;
    const outcome = await trial.run();
    ended(outcome, 'withdrawn', /rejected: the question was taken back\. build stays/);
    assert.doesNotMatch(outcome.stdout, /would delete/);
  });

  scenario('Verification Timeout: told apart from a no', async (trial) => {
    const body = { ...REJECTED, decided_by: 'timeout' };
    trial.server.behave = ({ path, method }) =>
      path === `/verify/${ID}` && method === 'GET' ? { body } : null;
    const outcome = await trial.run();
    ended(outcome, 'timeout', /rejected: nobody decided in time\. build stays; ask again only if/);
    assert.doesNotMatch(outcome.stdout, /would delete/);
  });
});

async function unsentMore(trial: Trial): Promise<void> {
  trial.server.seen.length = 0;
  await unsent(trial, ['--reason', '😀'.repeat(4001)], /`reason` must have 1 to 4000 characters/);
}
