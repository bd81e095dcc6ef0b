/**
 * A screen of its own, with a keyboard. A browser's shortcuts hear nothing of the keys of automation, which go to the
 * page; those of a keyboard come to the window first.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Point } from './aim.ts';
import { until } from './until.ts';

const execute = promisify(execFile);
const SIZE = '1400x1000x24';

export class Display {
  /** `$DISPLAY` of programs that are to be on it. */
  readonly name: string;
  private readonly server: ChildProcess;

  private constructor(name: string, server: ChildProcess) {
    this.name = name;
    this.server = server;
  }

  /** Whether this machine has the programs for it. */
  static isThere(): boolean {
    return [
      ['Xvfb', '-help'],
      ['xdotool', 'version'],
    ].every(([program = '', ...args]) => spawnSync(program, args, { stdio: 'ignore' }).error === undefined);
  }

  static async start(): Promise<Display> {
    const args = ['-displayfd', '3', '-screen', '0', SIZE, '-nolisten', 'tcp'];
    const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    let said = '';
    let failure: Error | undefined;
    server.on('error', (error) => {
      failure = error;
    });
    server.stdio[3]?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const number = await until('the screen is there', () => {
      if (failure) throw new Error(`no Xvfb: install xvfb and xdotool (${failure.message})`);
      return /^(\d+)\n/.exec(said)?.[1];
    });
    return new Display(`:${number}`, server);
  }

  /** Presses keys, as the browser names them (`Alt+Shift+K`), in the window that is there. */
  async press(keys: string): Promise<void> {
    // There is no window manager that would give a window the keyboard.
    await this.ask('search', '--sync', '--onlyvisible', '--name', '.', 'windowfocus', '--sync');
    await this.ask('key', '--clearmodifiers', keys.toLowerCase());
  }

  /** Clicks with the mouse. */
  async click({ x, y }: Point): Promise<void> {
    await this.ask('mousemove', String(Math.round(x)), String(Math.round(y)), 'click', '1');
  }

  /** Types into what has the keyboard. */
  async type(text: string): Promise<void> {
    await this.ask('type', text);
  }

  stop(): void {
    this.server.kill();
  }

  private async ask(...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH ?? '', DISPLAY: this.name };
    const { stdout } = await execute('xdotool', args, { env, timeout: 15_000 });
    return stdout;
  }
}
