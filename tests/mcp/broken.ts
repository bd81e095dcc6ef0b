/**
 * Stands between a client and `opentoolbar mcp` and breaks one thing of what the server says, so that a test can show
 * that its client would notice. Over HTTP `LoopbackProxy` does it.
 *
 *   node broken.ts schema|answer HOST
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { broken } from './breaks.ts';

const [, , how, host] = process.argv;
if (!host) throw new Error('node broken.ts schema|answer HOST');
const server = spawn(host, ['mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin);
createInterface({ input: server.stdout }).on('line', (line) => console.log(broken(how, line)));
server.on('exit', (code) => process.exit(code ?? 1));
