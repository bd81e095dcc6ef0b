/** A client without an SDK: JSON-RPC lines to a process of `opentoolbar mcp` and back, with nothing hidden. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { hostBinary } from '../e2e/harness/paths.ts';
import type { Place } from './place.ts';

export type Line = Record<string, unknown>;
export type Id = number | string;

/** What a request of the revision without a handshake says of who asks. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'lines', version: '1.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class Lines {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  /** Every answer that came, also a second one of the same id. */
  readonly answers: Line[] = [];
  private readonly waiting = new Map<Id, (answer: Line) => void>();
  private readonly revision: string;
  private last = 0;

  constructor(place: Place, revision: string) {
    this.revision = revision;
    this.process = spawn(hostBinary(), ['mcp'], {
      cwd: place.project,
      env: place.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    place.agents.push(this.process);
    // A client that goes away on purpose need not hear that nobody reads it.
    this.process.stdin.on('error', () => {});
    createInterface({ input: this.process.stdout }).on('line', (text) =>
      this.receive(JSON.parse(text) as Line),
    );
  }

  private receive(line: Line): void {
    if (line.method !== undefined) {
      // The server asks whether the client is still there.
      if (line.method === 'ping') this.send({ id: line.id, result: {} });
      return;
    }
    this.answers.push(line);
    this.waiting.get(line.id as Id)?.(line);
  }

  send(message: Line): void {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Without waiting for the answer; gives the id that it will have. */
  begin(method: string, params: Line = {}, id: Id = ++this.last): Id {
    const about = this.revision === '2026-07-28' ? { _meta: META } : {};
    this.send({ id, method, params: { ...about, ...params } });
    return id;
  }

  async ask(method: string, params: Line = {}, id: Id = ++this.last): Promise<Line> {
    const answer = new Promise<Line>((resolve) => this.waiting.set(id, resolve));
    this.begin(method, params, id);
    return await answer;
  }

  async call(name: string, args: Line = {}, id: Id = ++this.last): Promise<Line> {
    const answer = await this.ask('tools/call', { name, arguments: args }, id);
    if (answer.error !== undefined) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
    return (answer.result as { structuredContent: Line }).structuredContent;
  }

  /** What comes before the first question in this revision. Gives what the server says of itself. */
  async open(): Promise<Line> {
    if (this.revision === '2026-07-28') return (await this.ask('server/discover')).result as Line;
    const clientInfo = { name: 'lines', version: '1.0' };
    const hello = { protocolVersion: this.revision, capabilities: {}, clientInfo };
    const { result } = await this.ask('initialize', hello);
    this.send({ method: 'notifications/initialized' });
    return result as Line;
  }

  /** Closes the process's input. Gives its exit code and how many milliseconds it took to end. */
  async close(): Promise<{ code: number | null; took: number }> {
    const ended = once(this.process, 'exit');
    const began = performance.now();
    this.process.stdin.end();
    const [code] = (await ended) as [number | null];
    return { code, took: performance.now() - began };
  }
}
