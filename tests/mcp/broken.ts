/**
 * Stands between a client and `opentoolbar mcp` and breaks one thing of what the server says, so that a test can show
 * that its client would notice.
 *
 *   node broken.ts schema|answer HOST
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

type Result = {
  tools?: { inputSchema: Record<string, unknown> }[];
  structuredContent?: Record<string, unknown>;
};

const [, , how, host] = process.argv;
if (!host) throw new Error('node broken.ts schema|answer HOST');
const server = spawn(host, ['mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin);
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line) as { result?: Result };
  const { tools, structuredContent } = message.result ?? {};
  // A name for which many models' interfaces refuse the whole tool.
  if (how === 'schema' && tools?.[0])
    tools[0].inputSchema = { type: 'object', properties: { 'no name': true } };
  if (how === 'answer' && structuredContent) structuredContent.comments = 'none';
  console.log(JSON.stringify(message));
});
server.on('exit', (code) => process.exit(code ?? 1));
