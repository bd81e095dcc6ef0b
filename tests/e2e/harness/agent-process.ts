/**
 * A coding agent as a process of its own, with its MCP server as its child: what is stopped or killed is the agent's program.
 *
 *   node agent-process.ts <opentoolbar> <project>
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [command = '', cwd = ''] = process.argv.slice(2);
const client = new Client({ name: 'agent-process', version: '1.0.0' });
const env = Object.fromEntries(
  Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
);
await client.connect(new StdioClientTransport({ command, args: ['mcp'], cwd, env }));
await client.callTool({ name: 'get_ui_feedback', arguments: {} });
console.log('connected');
