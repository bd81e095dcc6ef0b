/**
 * `.vscode/mcp.json` as docs/agents.md and `opentoolbar setup` give it: its command is started as VS Code would, from
 * the home directory and with the binary found on the PATH. VS Code and Copilot are not part of it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { hostBinary, ROOT } from '../e2e/harness/paths.ts';
import { TOOLS } from './documented.ts';
import { Place } from './place.ts';

/** What VS Code takes of a server that it starts itself. */
type Server = { type: 'stdio'; command: string; args: string[] };

/** The block of JSON that follows the mention of the file. */
function documented(): string {
  const guide = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');
  const blocks = [...guide.matchAll(/`\.vscode\/mcp\.json`[^`]*```json\n(.*?)\n```/gs)];
  assert.equal(blocks.length, 1, 'docs/agents.md gives VS Code’s file once');
  return blocks[0]?.[1] ?? '';
}

/** The line that follows the mention of the file. */
function printedBySetup(): string {
  const printed = execFileSync(hostBinary(), ['setup', '--dry-run', '--browser', 'chromium'], {
    env: place.env,
    encoding: 'utf8',
  });
  return /VS Code \(\.vscode\/mcp\.json\):\n(.*)\n/.exec(printed)?.[1] ?? '';
}

const place = new Place();

before(async () => {
  await place.open();
  await place.browser.comment('c_vscode', 'Make it blue');
});

after(() => place.close());

for (const [what, file] of [
  ['docs/agents.md gives', documented],
  ['`opentoolbar setup` prints', printedBySetup],
] as const) {
  test(`the file that ${what} starts the server, which lists its tools and tells the project’s comments`, async (t) => {
    const { servers } = JSON.parse(file()) as { servers: Record<string, Server> };
    assert.deepEqual(Object.keys(servers), ['opentoolbar']);
    const { type, command, args, ...rest } = servers.opentoolbar as Server;
    assert.equal(type, 'stdio');
    assert.deepEqual(rest, {});
    // The one variable that VS Code fills in here.
    const filled = args.map((arg) => arg.replaceAll(/\$\{workspaceFolder\}/g, place.project));
    const path = [dirname(hostBinary()), place.env.PATH].join(delimiter);
    const env = { ...place.env, PATH: path };
    const client = new Client({ name: 'Visual Studio Code', version: '1.0.0' });
    t.after(() => client.close());
    await client.connect(new StdioClientTransport({ command, args: filled, cwd: place.home, env }));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      TOOLS,
    );
    const told = (await client.callTool({ name: 'get_ui_feedback', arguments: {} })) as CallToolResult;
    const { comments } = told.structuredContent as { comments: { text: string }[] };
    assert.deepEqual(
      comments.map((comment) => comment.text),
      ['Make it blue'],
    );
  });
}
