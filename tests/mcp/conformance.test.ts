/**
 * The official conformance checker against `/mcp` of the gateway: what the product does not do is in `conformance.yml`,
 * with the reason. A handler that does all that the checker asks, behind the same gateway, has nothing to excuse.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { conformanceSample } from '../e2e/harness/paths.ts';
import { Gateway } from './gateway.ts';
import { LoopbackProxy } from './loopback-proxy.ts';
import { Place } from './place.ts';

const PACKAGE = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/', import.meta.url));
const BASELINE = fileURLToPath(new URL('conformance.yml', import.meta.url));
/** An entry, and why it is one. */
const ENTRY = /^ {2}- ([a-z0-9-]+)( # \S.+)?$/;
/** How many scenarios there are: one that is not run is no success. */
const SCENARIOS = 32;
const ALL = ['--suite', 'all'];
/** Without those that are not official yet. */
const OFFICIAL = 30;

const AGENT = { name: 'test-agent', version: '1.0' };

/** A gateway of its own for each time: the checker ends no session, and there is room for 64. */
async function opened(t: TestContext): Promise<{ place: Place; gateway: Gateway; proxy: LoopbackProxy }> {
  const place = new Place();
  t.after(() => place.close());
  await place.open();
  const gateway = await Gateway.open(place.env, place.env.OPENTOOLBAR_HOME);
  t.after(() => gateway.close());
  // The checker sends no token: this does.
  const proxy = await LoopbackProxy.open(gateway.url, headersFor(gateway, place));
  t.after(() => proxy.close());
  return { place, gateway, proxy };
}

const headersFor = ({ token }: Gateway, { project }: { project: string }) => ({
  authorization: `Bearer ${token}`,
  'opentoolbar-project': project,
});

type Told = { code: number; output: string };

/** It runs in this directory, and so in its project. */
async function check(directory: string, url: string, ...options: string[]): Promise<Told> {
  const args = [join(PACKAGE, 'dist/index.js'), 'server', '--url', `${url}/mcp`, ...options];
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: directory, timeout: 120_000 }, (error, output, complaints) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: output + complaints }),
    );
  });
}

/** A baseline of these lines. */
function baseline(directory: string, lines: string[]): string {
  const path = join(directory, 'baseline.yml');
  writeFileSync(path, lines.join('\n'));
  return path;
}

const lines = () => readFileSync(BASELINE, 'utf8').trimEnd().split('\n');
const scenarios = (output: string) => output.split('\n').filter((line) => /^[✓✗] /.test(line)).length;

test('the product passes what its baseline does not name, and fails what it names', async (t) => {
  const { place, proxy } = await opened(t);
  const { code, output } = await check(place.project, proxy.url, ...ALL, '--expected-failures', BASELINE);
  assert.equal(code, 0, output);
  assert.equal(scenarios(output), SCENARIOS, output);
});

test('each entry of the baseline says why it is there', () => {
  const entries = lines().filter((line) => line.startsWith('  '));
  assert.notEqual(entries.length, 0);
  for (const entry of entries) assert.match(ENTRY.exec(entry)?.[2] ?? '', /\w/, entry);
});

test('a baseline that names what passes fails', async (t) => {
  const { place, proxy } = await opened(t);
  const long = baseline(place.home, [...lines(), '  - ping # passes']);
  const { code, output } = await check(place.project, proxy.url, ...ALL, '--expected-failures', long);
  assert.equal(code, 1, output);
  assert.match(output, /stale/i);
  assert.doesNotMatch(output, /unexpected failures/i);
});

test('a baseline that does not name what fails fails', async (t) => {
  const { place, proxy } = await opened(t);
  const short = baseline(
    place.home,
    lines().filter((line) => !line.includes('- tools-call-image ')),
  );
  const { code, output } = await check(place.project, proxy.url, ...ALL, '--expected-failures', short);
  assert.equal(code, 1, output);
  assert.match(output, /unexpected failures[^\n]*\n[^a-z]*tools-call-image\n\s*\n/i);
});

test('a server that does all that is asked passes behind the same gateway, with nothing to excuse', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'otb-'));
  const project = join(home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  const env = { PATH: process.env.PATH ?? '', HOME: home, OPENTOOLBAR_HOME: join(home, 'hub') };
  t.after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const sample = await Gateway.open(env, env.OPENTOOLBAR_HOME, conformanceSample());
  t.after(() => sample.close());
  // An agent makes the project known by its name.
  const agent = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: AGENT },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'list_sessions', arguments: {} } },
  ];
  const input = agent.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  execFileSync(conformanceSample(), ['mcp'], { cwd: project, env, input, stdio: ['pipe', 'pipe', 'ignore'] });
  // No `Origin` at all is let in, as the product's baseline says: here one of loopback is the proxy's own.
  const options = { leavesOutOwnOrigin: true };
  const before = await LoopbackProxy.open(sample.url, headersFor(sample, { project }), options);
  t.after(() => before.close());
  // With a baseline, if an empty one, a warning is a failure too. One scenario that is not official yet can only warn:
  // `server-sse-polling` recommends a tool that cuts its own stream, which the library gives no handler the means for.
  const nothing = ['--suite', 'active', '--expected-failures', baseline(home, ['server: []'])];
  const official = await check(project, before.url, ...nothing);
  assert.equal(official.code, 0, official.output);
  assert.match(official.output, /Total: \d+ passed, 0 failed/, official.output);
  assert.equal(scenarios(official.output), OFFICIAL, official.output);
  const pending = await check(project, before.url, '--suite', 'pending');
  assert.equal(pending.code, 0, pending.output);
  assert.equal(scenarios(pending.output), SCENARIOS - OFFICIAL, pending.output);
});

test('without the token nothing passes: the checker speaks through the same door as everybody', async (t) => {
  const { place, gateway } = await opened(t);
  const { code, output } = await check(place.project, gateway.url);
  assert.equal(code, 1, output);
  // That a page of another site is refused.
  assert.match(output, /Total: 1 passed/, output);
});
