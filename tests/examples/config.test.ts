/** What the examples do with a config file: the scenarios of the requirement by their names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../e2e/harness/paths.ts';
import { configOf, Folder, TOKEN } from './fault-server.ts';
import { ended, PYTHON } from './languages.ts';
import { scenario, type Trial } from './trial.ts';

type Json = Record<string, unknown>;

/** A copy in which the part at `path` is another, or gone. */
function changed(config: object, path: string, value?: unknown): object {
  const copy = structuredClone(config) as Json;
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const holder = steps.reduce((part, step) => part[step] as Json, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

/** That it is refused, and that nobody was asked anything. */
async function refused(trial: Trial, content: unknown, said: RegExp): Promise<void> {
  const outcome = await trial.run([], trial.folder.write('broken.json', content));
  ended(outcome, 'config', said);
  assert.deepEqual(trial.server.seen, [], 'nothing is sent');
}

describe('config', { concurrency: 4 }, () => {
  scenario('Invalid Configuration: what is no JSON', async (trial) => {
    const text = JSON.stringify(trial.config, null, 1);
    await refused(trial, '', /broken.json.* not JSON/);
    await refused(trial, text.slice(0, -20), /broken.json.* not JSON/);
    await refused(trial, `${text}}`, /broken.json.* not JSON/);
    // Broken beside the token: messages of parsers like to quote.
    await refused(trial, text.replace(`"${TOKEN}"`, TOKEN), /broken.json.* not JSON/);
    await refused(trial, text.replace(`"${TOKEN}"`, `"${TOKEN}`), /broken.json.* not JSON/);
    for (const value of ['null', `"${TOKEN}"`]) await refused(trial, value, /broken.json: .*`/);
  });

  scenario('Invalid Configuration: the part that is missing is named', async (trial) => {
    for (const path of [
      'name',
      'version',
      'authentication',
      'authentication.scheme',
      'authentication.token',
      'ports',
      'endpoints',
      'limits',
      'limits.wait_seconds',
      'limits.context_bytes',
      'verification_workflow',
      'verification_workflow.available',
    ]) {
      await refused(trial, changed(trial.config, path), new RegExp(`broken.json: \`${path}\\S* is missing`));
    }
    for (const name of ['port', 'url', 'role', 'is_main']) {
      await refused(
        trial,
        changed(trial.config, `ports.0.${name}`),
        new RegExp(`\`\\S*${name}\` is missing`),
      );
    }
    for (const [at, { method, path }] of trial.config.endpoints.entries()) {
      const endpoints = trial.config.endpoints.toSpliced(at, 1);
      const said = `\`endpoints\` has no ${method} ${path?.replace(/[{}]/g, '\\$&')}`;
      await refused(trial, { ...trial.config, endpoints }, new RegExp(said));
    }
  });

  scenario('Invalid Configuration: the part that does not fit is named', async (trial) => {
    const wrong: [string, unknown, RegExp][] = [
      ['name', 'other', /`name` is not opentoolbar/],
      ['authentication', TOKEN, /`authentication\S*/],
      ['authentication.token', [TOKEN], /`authentication.token\S*` is not of/],
      ['authentication.token', '', /`authentication.token` is no token/],
      ['authentication.token', `${TOKEN}\r\nX-More: 1`, /`authentication.token` is no token/],
      ['authentication.scheme', 'Basic', /`authentication.scheme` is not Bearer/],
      ['ports', [], /`ports` has not exactly one main port/],
      ['ports', {}, /`ports` is not of/],
      ['ports.0.is_main', false, /`ports` has not exactly one main port/],
      ['ports.0.port', '7847', /`\S*port` is not of/],
      ['ports.0.port', 0, /url/],
      ['ports.0.port', 65_536, /port/],
      ['limits.action_characters', -1, /limits/],
      ['limits.action_characters', 0, /limits/],
      ['limits.wait_seconds', 'long', /`limits.wait_seconds` is not of/],
      ['verification_workflow.available', false, /nobody can be asked here/],
    ];
    for (const [path, value, said] of wrong) await refused(trial, changed(trial.config, path, value), said);
  });

  scenario('Port Binding Verification: a config that leads off this machine is refused', async (trial) => {
    const { port } = trial.server;
    for (const url of [
      `http://10.0.0.1:${port}`,
      `http://localhost.evil.test:${port}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}@evil.test`,
      `http://127.0.0.1:${port === 65_535 ? 1 : port + 1}`,
    ]) {
      await refused(trial, changed(trial.config, 'ports.0.url', url), /url.* is not http:\/\/127\.0\.0\.1/);
    }
  });

  scenario('Port Binding Verification: a port that is none of the config is not used', async (trial) => {
    const other = await trial.another();
    const outcome = await trial.run(['--port', String(other.port)]);
    ended(outcome, 'request', new RegExp(`port ${other.port} is none of the config's: ${trial.server.port}`));
    assert.deepEqual([...other.seen, ...trial.server.seen], []);
  });

  scenario('Configuration Confidentiality: a file that others can read is refused', async (trial) => {
    if (process.platform === 'win32') return;
    for (const mode of [0o640, 0o604]) {
      const file = trial.folder.write('open.json', trial.config, mode);
      const outcome = await trial.run([], file);
      ended(outcome, 'config', /open.json can be read by others.*: run `chmod 600 \S*open.json`/);
    }
    assert.deepEqual(trial.server.seen, []);
    for (const mode of [0o600, 0o400]) {
      const outcome = await trial.run([], trial.folder.write('own.json', trial.config, mode));
      ended(outcome, 'approved', /would delete/);
    }
  });

  test('Configuration Confidentiality: a config that is printed whole hides its token', () => {
    const folder = new Folder();
    const file = folder.write('c.json', configOf(7847));
    const python = 'import sys; from config import Config; c = Config.read(sys.argv[1]); print(c, [c])';
    const javascript = `import { Config } from './config.mjs';
      const config = Config.read(process.argv[1]);
      console.log(config, [config], JSON.stringify(config));`;
    // Rust's is a unit test of the example's own.
    for (const [at, args] of [
      ['python', ['-B', '-c', python, file]],
      ['javascript', ['--input-type=module', '-e', javascript, file]],
    ] as const) {
      const program = at === 'python' ? PYTHON : process.execPath;
      const said = execFileSync(program, args, { cwd: join(ROOT, 'docs/examples', at), encoding: 'utf8' });
      assert.ok(said.includes('GET /context') && !said.includes(TOKEN.slice(0, 8)), said);
    }
    rmSync(folder.path, { recursive: true });
  });

  scenario(
    'Configuration Confidentiality: the token is sent to the gateway alone, in a header',
    async (trial) => {
      ended(await trial.run(), 'approved', /would delete/);
      for (const { path, query, body, headers } of trial.server.seen) {
        assert.ok(!`${path}${query}${body}${headers['user-agent']}`.includes(TOKEN));
        assert.equal(headers.authorization, path === '/health' ? undefined : `Bearer ${TOKEN}`);
      }
    },
  );

  scenario('Configuration Parsing: ports, endpoints, formats and workflow', async (trial) => {
    const other = await trial.another();
    const second = {
      port: other.port,
      url: `http://127.0.0.1:${other.port}`,
      role: 'reviewer',
      is_main: false,
    };
    const file = trial.folder.write('c.json', { ...trial.config, ports: [...trial.config.ports, second] });
    const outcome = await trial.run(['--show'], file);
    ended(
      outcome,
      'approved',
      /asks a person by POST \/verify, GET \/verify\/\{id\}, DELETE \/verify\/\{id\}/,
    );
    const lines = outcome.stdout.split('\n');
    assert.ok(lines.includes(`port ${trial.server.port} (main): developer`), outcome.stdout);
    assert.ok(lines.includes(`port ${other.port}: developer`), outcome.stdout);
    const ask = lines.find((line) => line.startsWith('POST /verify: '));
    const [, takes = '', answers = ''] = /takes (.*), answers (.*)/.exec(ask ?? '') ?? [];
    assert.deepEqual(takes.split(' ').sort(), ['action', 'context?', 'reason', 'timeout_seconds?']);
    const all = ['decided_by?', 'expires_at', 'message', 'status', 'verification_id'];
    assert.deepEqual(answers.split(' ').sort(), all);
  });

  scenario('Configuration Parsing: the usual place, and none there', async (trial) => {
    const missing = await trial.run([], join(trial.folder.path, 'nowhere.json'));
    ended(missing, 'config', /cannot read \S*nowhere.json.*opentoolbar config --output \S*nowhere.json/);
    mkdirSync(join(trial.folder.path, '.opentoolbar'));
    trial.folder.write('.opentoolbar/gateway.json', trial.config);
    ended(await trial.runBare([]), 'approved', /would delete/);
    trial.env.OPENTOOLBAR_HOME = join(trial.folder.path, 'elsewhere');
    ended(await trial.runBare([]), 'config', /cannot read \S*elsewhere\/gateway.json/);
  });
});
