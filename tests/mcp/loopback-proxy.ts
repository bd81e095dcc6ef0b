/**
 * Stands before the gateway on a port of its own, for checkers that cannot send a token: it adds headers to what
 * passes. It can break what the server says (`breaks.ts`). What a client says of `Host` and `Origin` is passed on as it
 * is, but who asks by the proxy's own name asks by the gateway's.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { type Break, broken } from './breaks.ts';

type Options = {
  /** What of the server's answers is broken. */
  how?: Break;
  /** An `Origin` that is the proxy's own is left out: who sends it is no page of another site. */
  leavesOutOwnOrigin?: boolean;
};

export class LoopbackProxy {
  private readonly server: Server;
  private readonly target: URL;
  private readonly headers: Record<string, string>;
  private readonly options: Options;

  private constructor(target: string, headers: Record<string, string>, options: Options) {
    this.target = new URL(target);
    this.headers = headers;
    this.options = options;
    this.server = createServer((asked, answer) => this.pass(asked, answer));
  }

  static async open(
    target: string,
    headers: Record<string, string>,
    options: Options = {},
  ): Promise<LoopbackProxy> {
    const proxy = new LoopbackProxy(target, headers, options);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { port } = new URL(this.url);
    const host = asked.headers.host?.replace(
      new RegExp(`^(127\\.0\\.0\\.1|localhost):${port}$`),
      this.target.host,
    );
    const headers = { ...asked.headers, ...this.headers, host };
    const isOwn = asked.headers.origin === `http://${asked.headers.host}` && host !== asked.headers.host;
    if (this.options.leavesOutOwnOrigin && isOwn) delete headers.origin;
    const { how } = this.options;
    const passed = request(
      new URL(asked.url ?? '/', this.target),
      { method: asked.method, headers },
      (told) => {
        const { 'content-length': _, ...rest } = told.headers;
        answer.writeHead(told.statusCode ?? 502, how ? rest : told.headers);
        // A stream may say nothing for long, and its client waits for the head.
        answer.flushHeaders();
        if (!how) {
          told.on('error', () => answer.destroy());
          told.pipe(answer);
          return;
        }
        const lines = createInterface({ input: told });
        lines.on('line', (line) => {
          const [, field = '', json] = /^(data: )?(\{.*)$/.exec(line) ?? [];
          answer.write(`${json ? field + broken(how, json) : line}\n`);
        });
        // A stream that is cut off.
        lines.on('error', () => answer.destroy());
        lines.on('close', () => answer.end());
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }
}
