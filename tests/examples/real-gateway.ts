/** The real host with its gateway open on two ports, a project that asks, and a browser before which a person sits. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostBinary } from '../e2e/harness/paths.ts';
import { until } from '../e2e/harness/until.ts';
import { Browser } from '../mcp/browser.ts';
import { closedPorts } from './fault-server.ts';

export interface Waiting {
  id: string;
  hash: string;
  action: string;
  reason: string;
  context?: string;
  asker: string;
}

const SECOND = {
  role: 'reviewer',
  system: 'The shop of the test.',
  base_instruction: 'Look, and say what you find.',
  allowed_actions: ['read comments', 'reply to comments'],
  verification_required: true,
};

export class RealGateway {
  readonly home = mkdtempSync(join(tmpdir(), 'otb-'));
  readonly state = join(this.home, 'hub');
  readonly config = join(this.state, 'gateway.json');
  readonly env = { PATH: process.env.PATH ?? '', HOME: this.home, OPENTOOLBAR_HOME: this.state };
  readonly second = SECOND;
  ports: number[] = [];
  token = '';
  private readonly projects: string[] = [];
  private serving: ChildProcess | undefined;
  private browser: Browser | undefined;

  /** Opens it, writes the config as a person does, and opens the browser. */
  async open(): Promise<void> {
    this.ports = await closedPorts(2);
    const [port, extra] = this.ports;
    mkdirSync(this.state);
    const gateway = { port, ports: [{ port: extra, ...SECOND }] };
    writeFileSync(join(this.state, 'config.json'), JSON.stringify({ gateway }));
    await this.serve();
    await promisify(execFile)(hostBinary(), ['config', '--output', this.config], { env: this.env });
    this.token = readFileSync(join(this.state, 'token'), 'utf8').trim();
    await this.sit();
  }

  async serve(): Promise<void> {
    const hub = spawn(hostBinary(), ['serve'], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.serving = hub;
    let said = '';
    for (const stream of [hub.stdout, hub.stderr]) {
      stream.on('data', (piece: Buffer) => {
        said += piece.toString();
      });
    }
    await until('the gateway is open', () => {
      if (hub.exitCode !== null) throw new Error(`opentoolbar serve ended: ${said}`);
      return said.includes(`open: ws://127.0.0.1:${this.ports[0]}/ws`);
    });
  }

  /** A browser with the extension, whose panel decides. */
  async sit(): Promise<void> {
    this.browser = new Browser(this.env);
    const capabilities = ['verifications'];
    const hello = { protocol: 1, version: '0.1.0', role: 'browser', client: 'Test browser', capabilities };
    await this.person.ask('hello', hello);
  }

  private get person(): Browser {
    if (this.browser === undefined) throw new Error('nobody sits there yet');
    return this.browser;
  }

  /** Ends hub and browser as a crash would. The ports stay the same when it is served again. */
  async crash(): Promise<void> {
    await this.browser?.kill();
    const hub = Number(readFileSync(join(this.state, 'server.pid'), 'utf8'));
    this.serving?.kill('SIGKILL');
    process.kill(hub, 'SIGKILL');
    await until('the hub is gone', () => {
      try {
        process.kill(hub, 0);
        return false;
      } catch {
        return true;
      }
    });
  }

  /** A project of one test: who asks from it asks nobody else's question. */
  project(): string {
    const root = mkdtempSync(join(tmpdir(), 'otb-project-'));
    this.projects.push(root);
    writeFileSync(join(root, 'package.json'), '{}');
    mkdirSync(join(root, 'build'));
    for (const name of ['a.js', 'b.js']) writeFileSync(join(root, 'build', name), '');
    return root;
  }

  private async pending(root: string): Promise<Waiting[]> {
    const { pending } = (await this.person.ask('list_verifications')) as {
      pending: (Waiting & { project: { root: string } })[];
    };
    return pending.filter(({ project }) => project.root === root);
  }

  /** What the person sees of this project, once there is something. */
  async asked(root: string): Promise<Waiting> {
    return until('something is asked', async () => (await this.pending(root))[0]);
  }

  async nothingWaits(root: string): Promise<boolean> {
    return (await this.pending(root)).length === 0;
  }

  /** The person's yes or no. */
  async decide({ id, hash }: Waiting, approve: boolean, note: string): Promise<void> {
    await this.person.ask('decide_verification', { verificationId: id, hash, approve, note });
  }

  /** Another process of the same program takes its question back. */
  async takeBack(root: string, id: string, asker: string): Promise<void> {
    await this.inProject(
      root,
      `const { status } = await fetch(\`\${url}/verify/${id}\`, { method: 'DELETE', headers });
      if (status !== 200) throw new Error(String(status));`,
      asker,
    );
  }

  /** As many questions wait in a project as may, for so many seconds. */
  async fill(root: string, seconds: number): Promise<void> {
    await this.inProject(
      root,
      `for (let at = 0; at < 100; at += 1) {
        const body = JSON.stringify({ action: \`Step \${at}\`, reason: 'r', timeout_seconds: ${seconds} });
        const { status } = await fetch(\`\${url}/verify\`, { method: 'POST', headers, body });
        if (status !== 200) throw new Error(String(status));
      }`,
      'another-program/1',
    );
  }

  /** A program that is started in a project's directory: that is how the gateway knows which one it is. */
  private async inProject(root: string, lines: string, asker: string): Promise<void> {
    const script = `
      const [url, authorization, asker] = process.argv.slice(1);
      const headers = { authorization, 'user-agent': asker, 'content-type': 'application/json' };
      ${lines}`;
    const url = `http://127.0.0.1:${this.ports[0]}`;
    const args = ['--input-type=module', '-e', script, url, `Bearer ${this.token}`, asker];
    await promisify(execFile)(process.execPath, args, { cwd: root, env: this.env });
  }

  async close(): Promise<void> {
    await this.crash();
    for (const folder of [this.home, ...this.projects]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}
