/**
 * The least that an MCP server can do, on the official TypeScript SDK: one tool, whose answer is read from a file at
 * the start. What `cargo xtask bench mcp` measures `opentoolbar mcp` beside. Plain JavaScript: turning TypeScript into
 * it would count as the SDK's start.
 *
 *   node minimal.mjs FILE
 */
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const answer = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const server = new McpServer({ name: 'minimal', version: '1.0.0' });
server.registerTool('get_ui_feedback', { description: 'Comments' }, () => answer);
await server.connect(new StdioServerTransport());
