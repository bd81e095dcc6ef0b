/**
 * A coding agent as a process of its own, with its MCP server as its child: what is stopped or killed is the agent's
 * program.
 *
 *   node agent-process.ts <opentoolbar> <project> [mute]
 *
 * `mute`: it answers no question of its MCP server, as a program that hangs after its first call.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [command = '', cwd = '', mute] = process.argv.slice(2);
const client = new Client({ name: 'agent-process', version: '1.0.0' });
if (mute === 'mute') client.setRequestHandler(PingRequestSchema, () => new Promise(() => {}));
const env = Object.fromEntries(
  Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
);
await client.connect(new StdioClientTransport({ command, args: ['mcp'], cwd, env }));
await client.callTool({ name: 'get_ui_feedback', arguments: {} });
console.log('connected');
