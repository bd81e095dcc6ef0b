/** A server that answers as the gateway does, but where a test says otherwise; and the config that leads to it. */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const TOKEN = 'S3cretTokenThatNobodyMayEverPrint-x9';
export const ID = 'v_0123456789abcdef';

export interface Seen {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON; a text as it is. */
  body?: unknown;
}

/** Answers one request; `count`: which one of this method and path it is, from 1 on. Null: the usual answer. */
export type Behaviour = (seen: Seen, count: number, connection: Socket) => Reply | 'nothing' | null;

export const PENDING = {
  verification_id: ID,
  status: 'pending',
  message: 'It waits for the person.',
  expires_at: '2030-01-01T00:00:00Z',
};
export const APPROVED = { ...PENDING, status: 'approved', decided_by: 'person', message: 'Do it once.' };
export const CONTEXT = {
  system: 'A shop.',
  role: 'developer',
  base_instruction: 'Be careful.',
  allowed_actions: ['read comments'],
  verification_required: true,
};

/** As the gateway answers when a person says yes at the first look. */
const USUAL: Record<string, Reply> = {
  'GET /health': { body: { status: 'ok', name: 'opentoolbar', version: '0.1.0' } },
  'GET /context': { body: CONTEXT },
  'POST /verify': { body: PENDING },
  [`GET /verify/${ID}`]: { body: APPROVED },
  [`DELETE /verify/${ID}`]: { body: { ...PENDING, status: 'rejected', decided_by: 'withdrawn' } },
};

export class FaultServer {
  readonly seen: Seen[] = [];
  behave: Behaviour = () => null;
  port = 0;
  private readonly server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const { method = 'GET', headers } = request;
    const seen = { method, path: pathname, query: search, headers, body, at: performance.now() };
    this.seen.push(seen);
    const reply = this.behave(seen, this.of(`${method} ${pathname}`).length, request.socket);
    if (reply !== 'nothing') send(response, reply ?? USUAL[`${method} ${pathname}`] ?? { status: 404 });
  });

  /** Listens; on a port that was taken before, if one is given. */
  async open(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  /** What came by this method and path. */
  of(name: string): Seen[] {
    return this.seen.filter(({ method, path }) => `${method} ${path}` === name);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = {} }: Reply): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Different ports on which nobody listens: those were free a moment ago. */
export async function closedPorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => new FaultServer().open()));
  for (const server of servers) await server.close();
  return servers.map(({ port }) => port);
}

export async function closedPort(): Promise<number> {
  const [port = 0] = await closedPorts(1);
  return port;
}

const schema = (properties: string[], required = properties) => ({
  content_type: 'application/json',
  schema: { type: 'object', properties: Object.fromEntries(properties.map((name) => [name, {}])), required },
});
const answer = schema(Object.keys(APPROVED), Object.keys(PENDING));
const endpoint = (name: string, request: unknown, response: unknown) => {
  const [method, path] = name.split(' ');
  return {
    method,
    path,
    request: { parameters: [], body: request },
    response: { status: 200, body: response },
  };
};

/** What the gateway of this port would say, token included. */
export const configOf = (port: number) => ({
  name: 'opentoolbar',
  version: '0.1.0',
  authentication: { scheme: 'Bearer', header: 'Authorization: Bearer TOKEN', token: TOKEN, token_file: '/t' },
  ports: [
    { port, url: `http://127.0.0.1:${port}`, role: 'developer', is_main: true, verification_required: false },
  ],
  endpoints: [
    endpoint('GET /health', null, schema(['status', 'name', 'version'])),
    endpoint('GET /context', null, schema(Object.keys(CONTEXT))),
    endpoint(
      'POST /verify',
      schema(['action', 'reason', 'context', 'timeout_seconds'], ['action', 'reason']),
      answer,
    ),
    endpoint('GET /verify/{id}', null, answer),
    endpoint('DELETE /verify/{id}', null, answer),
  ],
  limits: { action_characters: 1000, reason_characters: 4000, context_bytes: 16384, wait_seconds: 45 },
  verification_workflow: {
    available: true,
    endpoints: ['POST /verify', 'GET /verify/{id}', 'DELETE /verify/{id}'],
  },
  warnings: [],
});

/** A folder of one test with what it writes there. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'otb-example-'));

  /** A file that only its owner reads, or of another mode. */
  write(name: string, content: unknown, mode = 0o600): string {
    const file = join(this.path, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(file, mode);
    return file;
  }
}
