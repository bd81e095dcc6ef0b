/**
 * A person's machine: a home with the host, and a browser with the extension. To start a browser takes longer than most
 * scenarios do, so those of a file follow one another on one machine, which is made new for each; `tests/README.md`
 * says what stays.
 */
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after } from 'node:test';
import { type LaunchOptions, TestBrowser } from './browser.ts';
import { Display } from './display.ts';
import { Host } from './host.ts';
import type { BrowserName } from './paths.ts';
import { endProcesses } from './processes.ts';

export interface MachineOptions extends Partial<LaunchOptions> {
  /** The browser stands on a screen of its own, with a keyboard and mouse: it takes its window from nobody. */
  keyboard?: boolean;
  /** Whether the host is registered before the extension starts. */
  registered?: boolean;
}

/** What is as it was when the browser started; the rest can be changed on a machine. */
type Kind = Required<Omit<MachineOptions, 'everySite' | 'registered'>>;

function kindOf(options: MachineOptions): string {
  const { keyboard, headless, extension, notifications, colorScheme, reducedMotion } = options;
  const kind = { keyboard, headless, extension, notifications, colorScheme, reducedMotion };
  return JSON.stringify(kind satisfies Record<keyof Kind, unknown>);
}

export class Machine {
  readonly host: Host;
  readonly browser: TestBrowser;
  readonly display: Display | undefined;
  readonly kind: string;
  private readonly folder: string;

  private constructor(
    folder: string,
    host: Host,
    browser: TestBrowser,
    display: Display | undefined,
    kind: string,
  ) {
    this.folder = folder;
    this.host = host;
    this.browser = browser;
    this.display = display;
    this.kind = kind;
  }

  static async start(name: BrowserName, options: MachineOptions): Promise<Machine> {
    // Short, for the hub's socket in it; real, for comparisons with what the host prints.
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'otb-')));
    const home = join(folder, 'home');
    await mkdir(home);
    const host = await Host.in(home);
    let display: Display | undefined;
    try {
      if (options.registered !== false) await host.register();
      if (options.keyboard) display = await Display.start();
      if (display) {
        delete host.env.WAYLAND_DISPLAY;
        host.env.DISPLAY = display.name;
      }
      const browser = await TestBrowser.launch(name, host, { headless: display === undefined, ...options });
      return new Machine(folder, host, browser, display, kindOf(options));
    } catch (error) {
      display?.stop();
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** As new: no page, no extension, nothing of the host's, nothing in the home but the browser's own. */
  async clear(): Promise<void> {
    await this.browser.clear();
    await this.host.stop();
    await endProcesses(this.host);
    const profile = this.host.chromiumProfile;
    // The profile itself is open; of what stands beside it on the way up nothing stays.
    await empty(profile, (name) => name !== 'NativeMessagingHosts');
    await empty(dirname(profile), (name) => name === basename(profile));
    await empty(this.host.home, (name) => name === basename(dirname(profile)));
    await this.host.makeHome();
  }

  async close(): Promise<void> {
    await this.browser.close().catch(() => undefined);
    this.display?.stop();
    await this.host.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function empty(folder: string, stays: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder))
    if (!stays(name)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
}

/** The machine that nobody uses now. Scenarios of a file run one after the other, so there is one at most. */
let spare: Machine | undefined;
let isEndHeard = false;

/**
 * Has it closed with the last test of this file. Called where tests are declared: a program without tests has no
 * runner.
 */
export function closeAfterTests(): void {
  if (isEndHeard) return;
  isEndHeard = true;
  after(() => spare?.close());
}

/** A machine as new, with the extension. */
export async function takeMachine(name: BrowserName, options: MachineOptions): Promise<Machine> {
  const found = spare;
  spare = undefined;
  if (found?.kind !== kindOf(options)) {
    await found?.close();
    return Machine.start(name, options);
  }
  try {
    if (options.registered !== false) await found.host.register();
    await found.browser.setUp(found.host, options);
    return found;
  } catch (error) {
    await giveUp(found, error);
    return Machine.start(name, options);
  }
}

/** Gives it back for the next scenario of this file. */
export async function giveBack(machine: Machine): Promise<void> {
  try {
    await machine.clear();
    spare = machine;
  } catch (error) {
    await giveUp(machine, error);
  }
}

/**
 * What cannot be made new is no place for a scenario. Why is told: it costs the next one a start, and may be a fault of
 * ours.
 */
async function giveUp(machine: Machine, why: unknown): Promise<void> {
  console.error(`a machine could not be made new, and another one is started: ${String(why)}`);
  await machine.close();
}
