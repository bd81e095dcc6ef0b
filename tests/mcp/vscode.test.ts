/**
 * `.vscode/mcp.json` as docs/agents.md gives it: its command is started as VS Code would, from the home directory and
 * with the binary found on the PATH. VS Code and Copilot are not part of it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { hostBinary, ROOT } from '../e2e/harness/paths.ts';
import { Place } from './place.ts';

/** What VS Code takes of a server that it starts itself. */
type Server = { type: 'stdio'; command: string; args: string[] };

/** The block of JSON that follows the mention of the file. */
function documented(): Record<string, Server> {
  const guide = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
  const blocks = [...guide.matchAll(/`\.vscode\/mcp\.json`[^`]*```json\n(.*?)\n```/gs)];
  assert.equal(blocks.length, 1, 'docs/agents.md gives VS Code’s file once');
  return (JSON.parse(blocks[0]?.[1] ?? '') as { servers: Record<string, Server> }).servers;
}

const place = new Place();
const client = new Client({ name: 'Visual Studio Code', version: '1.0.0' });

before(async () => {
  await place.open();
  await place.browser.comment('c_vscode', 'Make it blue');
});

after(async () => {
  await client.close();
  await place.close();
});

test('the documented file starts the server, which lists its tools and tells the project’s comments', async () => {
  const servers = documented();
  assert.deepEqual(Object.keys(servers), ['opentoolbar']);
  const { type, command, args, ...rest } = servers.opentoolbar as Server;
  assert.equal(type, 'stdio');
  assert.deepEqual(rest, {});
  // The one variable that VS Code fills in here.
  const filled = args.map((arg) => arg.replaceAll(/\$\{workspaceFolder\}/g, place.project));
  const path = [dirname(hostBinary()), place.env.PATH].join(delimiter);
  const env = { ...place.env, PATH: path };
  await client.connect(new StdioClientTransport({ command, args: filled, cwd: place.home, env }));
  assert.equal((await client.listTools()).tools.length, 16);
  const told = (await client.callTool({ name: 'get_ui_feedback', arguments: {} })) as CallToolResult;
  const { comments } = told.structuredContent as { comments: { text: string }[] };
  assert.deepEqual(
    comments.map((comment) => comment.text),
    ['Make it blue'],
  );
});
