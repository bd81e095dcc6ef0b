/** The real host in a home of its own: registered by its own `setup`, its hub found by its pid file. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostBinary } from './paths.ts';
import { until } from './until.ts';

const execute = promisify(execFile);

/** Nobody listens there now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export class Host {
  /** A person's home, with nothing of this machine's user in it. */
  readonly home: string;
  /** `$OPENTOOLBAR_HOME`. */
  readonly state: string;
  readonly env: Record<string, string>;
  private readonly serving: ChildProcess[] = [];

  private constructor(home: string, state: string) {
    this.home = home;
    this.state = state;
    const {
      PATH = '',
      LANG = 'C.UTF-8',
      DISPLAY,
      WAYLAND_DISPLAY,
      XAUTHORITY,
      XDG_RUNTIME_DIR,
    } = process.env;
    const shown = { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, XDG_RUNTIME_DIR };
    this.env = { PATH, LANG, HOME: home, OPENTOOLBAR_HOME: this.state, RUST_BACKTRACE: '1' };
    for (const [name, value] of Object.entries(shown)) if (value) this.env[name] = value;
  }

  /** Both browsers look as if they had been used before: `setup` registers with those it finds. */
  static async in(home: string, state = join(home, '.opentoolbar')): Promise<Host> {
    const host = new Host(home, state);
    await host.makeHome();
    return host;
  }

  async makeHome(): Promise<void> {
    await mkdir(this.chromiumProfile, { recursive: true });
    await mkdir(this.downloads);
    await mkdir(join(this.home, '.mozilla'), { recursive: true });
  }

  /** Chromium's default place under this home, where its `NativeMessagingHosts` is looked for. */
  get chromiumProfile(): string {
    return join(this.home, '.config', 'chromium');
  }

  /** Where the browsers save files. */
  get downloads(): string {
    return join(this.home, 'Downloads');
  }

  /** Runs a verb to its end and returns what it printed; a failure carries its standard error. */
  async run(args: string[], cwd = this.home): Promise<string> {
    try {
      const { stdout } = await execute(hostBinary(), args, { env: this.env, cwd, timeout: 30_000 });
      return stdout;
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
      throw new Error(`opentoolbar ${args.join(' ')} failed:\n${stdout}${stderr}`);
    }
  }

  /** What a person does once after installing. */
  async register(): Promise<string> {
    return this.run(['setup']);
  }

  /** The hub's process, when one runs. */
  async hubPid(): Promise<number | null> {
    try {
      const pid = Number.parseInt(await readFile(join(this.state, 'server.pid'), 'utf8'), 10);
      process.kill(pid, 0);
      return pid;
    } catch {
      return null;
    }
  }

  /** Ends the hub the hard way, as a crash would. */
  async killHub(): Promise<void> {
    const pid = await this.hubPid();
    if (pid === null) return;
    process.kill(pid, 'SIGKILL');
    // Whoever is connected starts another one at once.
    await until('the hub is gone', async () => (await this.hubPid()) !== pid);
  }

  /** The hub as a person runs it for browsers that find no host. Returns its gateway's address. */
  async serve(port = 0): Promise<string> {
    const args = ['serve', '--port', String(port)];
    const hub = spawn(hostBinary(), args, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.serving.push(hub);
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
    };
    hub.stdout.on('data', listen);
    hub.stderr.on('data', listen);
    return until('the gateway is open', () => {
      if (hub.exitCode !== null) throw new Error(`opentoolbar serve ended: ${said}`);
      return /open: ws:\/\/(\S+)\/ws/.exec(said)?.[1];
    });
  }

  /** From the next hub on, its gateway is open on a port that is free. */
  async openGateway(): Promise<void> {
    const port = await freePort();
    await writeFile(
      join(this.state, 'config.json'),
      JSON.stringify({ gateway: { enabled: true, port, ports: [] } }),
    );
  }

  /** A code that lets one browser in. */
  async code(): Promise<string> {
    const said = await this.run(['pair']);
    const code = /Code:\s+(\S+)/.exec(said)?.[1];
    if (!code) throw new Error(`no code in: ${said}`);
    return code;
  }

  /** The log files, for a failing test. */
  async saveLogs(folder: string): Promise<void> {
    const logs = join(this.state, 'logs');
    const files = await readdir(logs).catch(() => []);
    if (files.length > 0) await cp(logs, join(folder, 'host-logs'), { recursive: true });
  }

  async stop(): Promise<void> {
    // One that kept another hub's gateway open would be the next hub.
    for (const one of this.serving) one.kill('SIGKILL');
    await this.killHub();
  }
}

/**
 * A dev server that loads its plugins on a machine that is busy with browsers takes tens of seconds until it listens.
 */
const SERVER_MS = 60_000;

/** A program that serves the sample app, in the project's directory: that is how the hub finds the project. */
export async function startServer(args: string[], cwd: string, env: Record<string, string>) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const listen = (chunk: Buffer) => {
    said += chunk.toString();
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const listens = () => {
    if (child.exitCode !== null) throw new Error(`the sample app's server ended: ${said}`);
    // Ours say where they are in one way, Vite in another.
    return /(?: on |Local: +)(http:\/\/[^\s/]+)/.exec(said)?.[1];
  };
  try {
    const origin = await until('the sample app listens', listens, SERVER_MS);
    return { origin, stop: () => void child.kill() };
  } catch (error) {
    child.kill();
    throw error;
  }
}
