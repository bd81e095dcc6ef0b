/** The examples against the real gateway, with a person who decides: the requirement's scenarios by their names. */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ROOT } from '../e2e/harness/paths.ts';
import { until } from '../e2e/harness/until.ts';
import { ended, LANGUAGES, type Language, Run } from './languages.ts';
import { RealGateway } from './real-gateway.ts';

const gateway = new RealGateway();

before(() => gateway.open());
after(() => gateway.close());

function begin(language: Language, cwd: string, args: string[]): Run {
  // Its config is found at the usual place.
  return new Run(language, args, { cwd, env: gateway.env, secrets: [gateway.token] });
}

function inEach(name: string, play: (language: Language, project: string) => Promise<void>): void {
  for (const language of LANGUAGES)
    test(`${name}: ${language.name}`, () => play(language, gateway.project()));
}

describe('the real gateway', { concurrency: 8 }, () => {
  test('Configuration File Download: what `opentoolbar config --output` writes is its owner’s alone', () => {
    assert.equal(statSync(gateway.config).mode & 0o777, 0o600);
    const { ports, authentication } = JSON.parse(readFileSync(gateway.config, 'utf8'));
    assert.deepEqual(
      ports.map(({ port }: { port: number }) => port),
      gateway.ports,
    );
    assert.equal(authentication.token, gateway.token);
  });

  test('API Reference: the limits of the guide are those that the gateway tells', () => {
    const { limits, endpoints } = JSON.parse(readFileSync(gateway.config, 'utf8'));
    const [, section = ''] = readFileSync(join(ROOT, 'docs/gateway.md'), 'utf8').split('\n## Limits\n');
    const [said = ''] = section.split('\n## ');
    const written: Record<string, string> = { mcp_idle_seconds: '15 minutes', '/mcp': '4 MiB' };
    // Said where ports are.
    delete limits.extra_ports;
    const bodies = endpoints.map((one: { path: string; request: { body: { max_bytes: number } | null } }) => [
      one.path,
      one.request.body?.max_bytes,
    ]);
    for (const [name, figure] of [...Object.entries(limits), ...bodies]) {
      if (figure === undefined) continue;
      const text = written[name] ?? Number(figure).toLocaleString('en-US');
      assert.match(said, new RegExp(`\\b${text}\\b`), name);
    }
  });

  inEach('Multiple Contexts: each port is told its own', async (language, project) => {
    const outcome = await begin(language, project, ['--show']).outcome();
    const [main, extra] = gateway.ports;
    ended(outcome, 'approved', /asks a person by POST \/verify/);
    const [, first = '', second = ''] = outcome.stdout.split(/^port /m);
    assert.ok(first.startsWith(`${main} (main): developer\n`), outcome.stdout);
    assert.match(first, /asks before anything else: no/);
    assert.ok(second.startsWith(`${extra}: reviewer\n`), outcome.stdout);
    const { system, base_instruction, allowed_actions } = gateway.second;
    for (const text of [system, base_instruction, allowed_actions.join('; ')]) {
      assert.ok(second.includes(text) && !first.includes(text), outcome.stdout);
    }
    assert.match(second, /asks before anything else: yes/);
  });

  inEach('Multiple Contexts: the port that is asked counts', async (language, project) => {
    const run = begin(language, project, ['--port', String(gateway.ports[1])]);
    await gateway.decide(await gateway.asked(project), true, 'Yes');
    ended(await run.outcome(), 'approved', /^role here: reviewer\n/);
  });

  inEach('Verification Status Polling: the person says yes', async (language, project) => {
    const run = begin(language, project, ['--reason', 'Make room']);
    const asked = await gateway.asked(project);
    const { action, reason, context, asker } = asked;
    assert.equal(action, 'Delete the folder build and all that is in it');
    assert.deepEqual([reason, context, asker], ['Make room', '{"files":["a.js","b.js"]}', language.asker]);
    await gateway.decide(asked, true, 'Go on – now');
    const outcome = await run.outcome();
    ended(outcome, 'approved', /approved by person\. Note: Go on – now\nwould delete build with 2 entries/);
    assert.match(outcome.stdout, /^v_[0-9a-f]+: It waits for the person/m);
  });

  inEach('Verification Status Polling: the person says no', async (language, project) => {
    const run = begin(language, project, []);
    await gateway.decide(await gateway.asked(project), false, 'Keep it');
    ended(await run.outcome(), 'rejected', /rejected by a person: build stays; .*\. Note: Keep it/);
  });

  inEach('Verification Timeout: nobody says anything', async (language, project) => {
    const outcome = await begin(language, project, ['--timeout-seconds', '5']).outcome();
    ended(outcome, 'timeout', /rejected: nobody decided in time\. build stays/);
  });

  inEach('Verification Status Polling: the program has no more time', async (language, project) => {
    const outcome = await begin(language, project, ['--within', '1']).outcome();
    ended(outcome, 'overdue', /the question is taken back\. build stays/);
    assert.ok(await gateway.nothingWaits(project));
  });

  inEach('Verification Status Polling: the question is taken back meanwhile', async (language, project) => {
    const run = begin(language, project, []);
    const { id } = await gateway.asked(project);
    await gateway.takeBack(project, id, language.asker);
    ended(await run.outcome(), 'withdrawn', /the question was taken back/);
  });

  inEach('Verification Request Validation: what just fits is taken', async (language, project) => {
    // As JSON `{"files":["a.js","b.js","nnn…"]}`, exactly 16 KiB: names have at most 255 bytes.
    const folder = join(project, 'build');
    let left = 16_384 - '{"files":["a.js","b.js"]}'.length;
    for (let at = 100; left > 0; at += 1) {
      const size = left > 500 ? 253 : left > 253 ? left - 200 : left;
      writeFileSync(join(folder, `n${at}`.padEnd(size - 3, 'n')), '');
      left -= size;
    }
    const run = begin(language, project, ['--reason', '😀'.repeat(4000)]);
    const asked = await gateway.asked(project);
    assert.equal(asked.context?.length, 16_384);
    await gateway.decide(asked, true, 'Yes');
    ended(await run.outcome(), 'approved', /would delete build/);
  });

  inEach('Server Error: too many questions wait, it asks when there is room', async (language, project) => {
    await gateway.fill(project, 8);
    const run = begin(language, project, ['--pause', '0.1', '--timeout-seconds', '60']);
    const ours = await until('it is asked', async () => {
      const waiting = await gateway.asked(project);
      return waiting.asker === language.asker && waiting;
    });
    await gateway.decide(ours, true, 'At last');
    ended(await run.outcome(), 'approved', /Note: At last/);
  });

  inEach('Server Error: a token that is no more is said, and not tried again', async (language, project) => {
    const config = JSON.parse(readFileSync(gateway.config, 'utf8'));
    config.authentication.token = 'AnotherTokenThatIsNotTheOneOfThisGateway';
    const file = join(project, 'wrong.json');
    writeFileSync(file, JSON.stringify(config));
    chmodSync(file, 0o600);
    const began = performance.now();
    const outcome = await begin(language, project, ['--config', file, '--pause', '30']).outcome();
    ended(outcome, 'failed', /GET \/context: 401 .+/);
    assert.ok(performance.now() - began < 25_000);
  });
});

test('Connection Error: the gateway goes and comes back while they wait', async () => {
  const runs = LANGUAGES.map((language) => {
    const project = gateway.project();
    return { project, run: begin(language, project, ['--pause', '1']) };
  });
  const before = await Promise.all(runs.map(({ project }) => gateway.asked(project)));
  await gateway.crash();
  await gateway.serve();
  await gateway.sit();
  for (const [at, { project, run }] of runs.entries()) {
    const asked = await gateway.asked(project);
    assert.equal(asked.id, before[at]?.id);
    await gateway.decide(asked, true, 'Still yes');
    ended(await run.outcome(), 'approved', /approved by person\. Note: Still yes\nwould delete/);
  }
});
