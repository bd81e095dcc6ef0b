/**
 * `check_comment` by the official MCP SDK: HTML handed over, a file of the project, and a real server on this machine.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { hostBinary } from '../e2e/harness/paths.ts';
import { Place } from './place.ts';

const page = (name: string) => readFileSync(fileURLToPath(new URL(`pages/${name}`, import.meta.url)), 'utf8');
const html = page('settings.html');
const edited = html.replace('>Save<', '>Store<');
const shell =
  '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/main.js"></script>';

const place = new Place();
const { browser, project } = place;
mkdirSync(join(project, 'dist'));
writeFileSync(join(project, 'dist/settings.html'), edited);
const client = new Client({ name: 'sdk-client', version: '1.0.0' });
const server: Server = createServer((request, response) => {
  if (request.url === '/away') response.writeHead(302, { location: 'http://example.org/' }).end();
  else if (request.url === '/data') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  else {
    const body = request.url === '/app' ? shell : edited;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  }
});
let origin: string;

before(async () => {
  await place.open();
  const target = JSON.parse(page('settings.target.json')) as Record<string, unknown>;
  await browser.comment('c_save', 'Make it blue', '/settings', undefined, target);
  await browser.comment('c_damaged', 'Look', '/settings');
  await client.connect(
    new StdioClientTransport({ command: hostBinary(), args: ['mcp'], cwd: project, env: place.env }),
  );
  await client.listTools();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});

// Whatever of it was not begun, because the SDK refused the list of tools: what was begun ends, and the reason is told.
after(async () => {
  server.close();
  await client.close();
  await place.close();
});

/** The SDK checks the answer against the tool's own output schema. */
async function check(args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = (await client.callTool({
    name: 'check_comment',
    arguments: { commentId: 'c_save', ...args },
  })) as CallToolResult;
  const [text] = result.content;
  assert.deepEqual(text?.type === 'text' && JSON.parse(text.text), result.structuredContent);
  return result.structuredContent as Record<string, unknown>;
}

test('check_comment with html: the element as it was', async () => {
  const told = await check({ html });
  assert.equal(told.success, true);
  assert.equal(told.verdict, 'unchanged');
  assert.equal(told.mayHaveChanged, false);
  assert.equal(told.commentId, 'c_save');
  assert.ok((told.confidence as number) > 0.5);
  assert.deepEqual(told.warnings, ['noLayout']);
});

test('check_comment with a path and with a url: the element changed, and how', async () => {
  for (const source of [{ path: 'dist/settings.html' }, { url: `${origin}/settings` }, { html: edited }]) {
    const told = await check(source);
    assert.equal(told.verdict, 'changed', JSON.stringify(source));
    assert.equal(told.mayHaveChanged, true);
    assert.deepEqual(told.diff, [{ field: 'text', before: 'Save', after: 'Store' }]);
    assert.equal(typeof told.selector, 'string');
  }
});

test('check_comment says that a page is built by scripts, instead of calling the element gone', async () => {
  const told = await check({ url: `${origin}/app` });
  assert.equal(told.mayHaveChanged, null);
  assert.ok((told.warnings as string[]).includes('emptyShell'));
  assert.match(String(told.note), /^This HTML cannot tell/);
});

test('check_comment refuses what is not the project’s, not this machine’s or not HTML', async () => {
  symlinkSync('/etc/hostname', join(project, 'link.html'));
  for (const [args, why] of [
    [{ path: '../elsewhere.html' }, /outside of the project/],
    [{ path: 'link.html' }, /outside of the project/],
    [{ url: 'http://example.org/' }, /not this machine/],
    [{ url: `${origin}/away` }, /not this machine/],
    [{ url: `${origin}/data` }, /not HTML/],
    [{ html: 'nothing of the kind' }, /not HTML/],
    [{ html, path: 'dist/settings.html' }, /exactly one/i],
    [{}, /exactly one/i],
    [{ commentId: 'c_nowhere', html }, /no comment c_nowhere/],
    [{ commentId: 'c_damaged', html }, /damaged.*kept/],
  ] as const) {
    const told = await check(args);
    assert.equal(told.success, false, JSON.stringify(args));
    assert.match(`${told.error}. ${told.nextStep}`, why);
  }
});
