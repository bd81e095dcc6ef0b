/** The gateway of a place, opened as a person does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hostBinary } from '../e2e/harness/paths.ts';

export class Gateway {
  readonly url: string;
  readonly token: string;
  private readonly process: ChildProcess;

  private constructor(process: ChildProcess, url: string, token: string) {
    this.process = process;
    this.url = url;
    this.token = token;
  }

  /** `home`: what `OPENTOOLBAR_HOME` is in `env`. A hub that runs there opens it, else one is started. */
  static async open(
    env: Record<string, string>,
    home: string,
    program: string = hostBinary(),
  ): Promise<Gateway> {
    const serve = spawn(program, ['serve', '--port', '0'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: serve.stdout });
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
    const port = /^The gateway is open: ws:\/\/127\.0\.0\.1:(\d+)\/ws$/.exec(String(line))?.[1];
    if (port)
      return new Gateway(serve, `http://127.0.0.1:${port}`, readFileSync(join(home, 'token'), 'utf8').trim());
    serve.kill();
    throw new Error(`the gateway does not open: ${line}`);
  }

  close(): void {
    this.process.kill('SIGKILL');
  }
}
