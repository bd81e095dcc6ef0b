/** One scenario's world: a machine, a project with a running app, agents. Nothing of it is there for the next one. */
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { type Framework, folderOf } from '../../apps/folders.ts';
import { Agent, type Feedback } from './agent.ts';
import type { Point } from './aim.ts';
import { emptyFolder, keepPage } from './artifacts.ts';
import { Behind } from './behind.ts';
import { TestBrowser } from './browser.ts';
import { Display } from './display.ts';
import { Host, startServer } from './host.ts';
import { closeAfterTests, giveBack, Machine, type MachineOptions, takeMachine } from './machine.ts';
import { Overlay } from './overlay.ts';
import { Panel } from './panel.ts';
import { type BrowserName, browserUnderTest, playsAlike, TESTS } from './paths.ts';
import { areaIn, coloursIn } from './picture.ts';
import { playIn, playsInOne, TEST_MS } from './play.ts';
import { otherSite } from './sites.ts';
import { until } from './until.ts';

/** An app that is none of the samples. */
export interface ProjectOptions {
  name: string;
  /** Copied over one another: what a later one has too is as in that one. */
  folders: string[];
  /** What serves it: arguments of Node, in the project's directory. */
  server: string[];
}

export interface WorldOptions extends MachineOptions {
  /** In place of `app`. */
  project?: ProjectOptions;
  app?: 'dashboard' | 'busy' | 'moving' | Framework;
  strictCsp?: boolean;
  /** Whether a framework's sample shows edits of its source without loading anew. */
  hot?: boolean;
  /** Where the page starts. */
  path?: string;
  /** Another name for the app's host than the one that it says. */
  host?: string;
  /** Alike in every browser: played in Chromium, and in Firefox where everything is. */
  alike?: boolean;
}

export class World {
  readonly host: Host;
  readonly project: string;
  readonly origin: string;
  readonly browser: TestBrowser;
  readonly page: Page;
  readonly overlay: Overlay;
  private readonly folder: string;
  private readonly stopApp: () => void;
  private readonly machine: Machine;
  private readonly agents: Agent[] = [];
  private readonly others: TestBrowser[] = [];
  private panelOpen: Panel | undefined;
  private behind: Behind | undefined;

  private constructor(
    folder: string,
    machine: Machine,
    project: string,
    app: { origin: string; stop(): void },
    page: Page,
  ) {
    this.machine = machine;
    this.folder = folder;
    this.host = machine.host;
    this.project = project;
    this.origin = app.origin;
    this.stopApp = app.stop;
    this.browser = machine.browser;
    this.page = page;
    this.overlay = new Overlay(page);
  }

  /** On a machine of its own. */
  static async create(name: BrowserName, options: WorldOptions = {}): Promise<World> {
    return World.on(await Machine.start(name, options), options);
  }

  /** On this machine, which is closed if that fails. */
  static async on(machine: Machine, options: WorldOptions): Promise<World> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'otb-')));
    const undo: (() => unknown)[] = [
      () => machine.close(),
      () => rm(folder, { recursive: true, force: true }),
    ];
    try {
      const app = options.app ?? 'dashboard';
      const project = join(folder, options.project?.name ?? app);
      for (const from of options.project?.folders ?? [join(TESTS, 'apps', folderOf(app))])
        await cp(from, project, { recursive: true, verbatimSymlinks: true });
      const { host, browser } = machine;
      const running = await startServer(await serverOf(project, app, options), project, host.env);
      undo.push(running.stop);
      const url = new URL(running.origin);
      if (options.host !== undefined) url.hostname = options.host;
      const served = { origin: url.origin, stop: running.stop };
      const page = await browser.open(served.origin + (options.path ?? '/'));
      return new World(folder, machine, project, served, page);
    } catch (error) {
      for (const step of undo.reverse()) await Promise.resolve(step()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * The panel for the page, opened once. It comes to the front; but where picking was started before, the page stays
   * there: what is in the back is not looked at.
   */
  async panel(): Promise<Panel> {
    if (!this.panelOpen) {
      this.panelOpen = new Panel(await this.browser.openPanel(this.page.url()));
      if (this.behind) await this.page.bringToFront();
    }
    return this.panelOpen;
  }

  /** A page of ours that decodes pictures: the app's may forbid it. */
  async canvas(): Promise<Page> {
    return (await this.panel()).page;
  }

  /**
   * Starts picking without a panel: what its button says is said behind the page. To open a panel costs half as much of
   * the processor as a comment does.
   */
  async startPicking(): Promise<void> {
    this.behind ??= await Behind.of(this.browser, this.page.url());
    await this.behind.startPicking();
    await this.page.bringToFront();
    await this.overlay.picking();
  }

  /** Starts picking the way a person does who has the panel open, and goes back to the page. */
  async startPickingInPanel(): Promise<void> {
    const panel = await this.panel();
    await panel.knowsPicking(false);
    await panel.click('toggle-picking');
    await this.page.bringToFront();
    await this.overlay.picking();
  }

  /** The whole way of a comment: start picking, point, click, write, save. */
  async comment(selector: string, text: string, frame?: string): Promise<string> {
    await this.startPicking();
    await this.overlay.pick(selector, frame ? { frame } : {});
    const pin = await this.overlay.write(text);
    return pin.id;
  }

  /** What a person would paste now; null while the clipboard is empty. */
  async clipboard(): Promise<string | null> {
    const panel = await this.panel();
    await panel.page.bringToFront();
    return (await panel.page.evaluate(() => navigator.clipboard.readText())) || null;
  }

  /** Presses a button of the panel that saves a file, and reads the file. */
  async download(testId: string): Promise<string> {
    const before = new Set(await readdir(this.host.downloads));
    const panel = await this.panel();
    await panel.click(testId);
    return until(`the file of ${testId}`, async () => {
      const names = await readdir(this.host.downloads);
      const name = names.find((candidate) => !before.has(candidate) && candidate.endsWith('.json'));
      const text = name ? await readFile(join(this.host.downloads, name), 'utf8') : '';
      // Firefox creates the file first and fills it after.
      return text.trimEnd().endsWith('}') ? text : null;
    });
  }

  /** Waits until an agent gets a comment. */
  async delivered(agent: Agent, id: string): Promise<Feedback> {
    return until(`the agent gets ${id}`, async () => {
      const { comments } = await agent.feedback({ status: 'all' });
      return comments.find((comment) => comment.id === id);
    });
  }

  /**
   * The colours that a comment's screenshot shows inside one element, a few pixels off its edge. `target` is the
   * element that the comment is about. Throws when the element is not inside the picture.
   */
  async coloursInside(png: Buffer, target: string, selector: string): Promise<string[]> {
    return coloursIn(this, png, await areaIn(this, target, selector, 4));
  }

  /** Shows a page in a colour scheme. Firefox takes it from the profile and stays with that. */
  async colours(page: Page, scheme: 'light' | 'dark'): Promise<void> {
    if (this.browser.name === 'firefox') return;
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  }

  readonly until = until;

  async agent(name?: string): Promise<Agent> {
    const agent = await Agent.connect(this.host, this.project, name);
    this.agents.push(agent);
    return agent;
  }

  /**
   * Another browser, as on another profile of the same person: its own comments, the same hub. Its page and overlay.
   */
  async another(): Promise<Overlay> {
    const home = join(this.folder, `home-${this.others.length + 2}`);
    await mkdir(home);
    const host = await Host.in(home, this.host.state);
    await host.register();
    const browser = await TestBrowser.launch(this.browser.name, host, { headless: true });
    this.others.push(browser);
    return new Overlay(await browser.open(this.page.url()));
  }

  /** Presses keys of the keyboard, as the browser names them: `Alt+Shift+K`. */
  async press(keys: string): Promise<void> {
    await this.screen.press(keys);
  }

  /** Clicks with the mouse of the screen. */
  async clickAt(at: Point): Promise<void> {
    await this.screen.click(at);
  }

  /** Types by the keyboard, into what has it. */
  async typeKeys(text: string): Promise<void> {
    await this.screen.type(text);
  }

  private get screen(): Display {
    if (!this.machine.display) throw new Error('this world has no keyboard');
    return this.machine.display;
  }

  /** Keeps what the browser shows and everyone said. */
  async save(name: string): Promise<string> {
    const folder = await emptyFolder(this.browser.name, name);
    const pages: [string, Page][] = [['page', this.page]];
    if (this.panelOpen) pages.push(['panel', this.panelOpen.page]);
    for (const [title, page] of pages) {
      await page.bringToFront().catch(() => undefined);
      await keepPage(folder, title, page);
    }
    await writeFile(join(folder, 'console.log'), this.browser.console.join('\n'));
    await writeFile(join(folder, 'agents.log'), this.agents.map((agent) => agent.stderr).join('\n---\n'));
    await this.host.saveLogs(folder);
    return folder;
  }

  async close(): Promise<void> {
    try {
      await this.leave();
    } finally {
      await this.machine.close();
    }
  }

  /** The machine goes on to the next scenario of this file. */
  async handOn(): Promise<void> {
    // What was copied would be what the next one pastes.
    const panel = this.panelOpen?.page;
    await panel?.bringToFront().catch(() => undefined);
    await panel?.evaluate(() => navigator.clipboard.writeText('')).catch(() => undefined);
    try {
      await this.leave();
    } catch (error) {
      await this.machine.close();
      throw error;
    }
    await giveBack(this.machine);
  }

  private async leave(): Promise<void> {
    for (const agent of this.agents) await agent.close().catch(() => undefined);
    for (const browser of this.others) await browser.close().catch(() => undefined);
    this.stopApp();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What serves the app in its directory: arguments of Node. A framework's sample is given its packages there. */
async function serverOf(
  project: string,
  app: NonNullable<WorldOptions['app']>,
  options: WorldOptions,
): Promise<string[]> {
  if (options.project) return options.project.server;
  if (app === 'dashboard' || app === 'busy' || app === 'moving') {
    const policy = options.strictCsp ? ['--strict-csp'] : [];
    return [join(TESTS, 'apps/serve.ts'), '.', '--port', '0', ...policy];
  }
  await symlink(join(TESTS, 'node_modules'), join(project, 'node_modules'));
  return [join(TESTS, 'apps/frameworks.ts'), app, project, ...(options.hot ? ['--hot'] : [])];
}

async function worldFor(options: WorldOptions): Promise<World> {
  return World.on(await takeMachine(browserUnderTest(), options), options);
}

/**
 * Scenarios that share one world, one after the other: each takes away what it brought. After one that failed the next
 * gets a world of its own.
 */
export function scenariosInOneWorld(
  subject: string,
  options: WorldOptions,
  plays: Record<string, (world: World) => Promise<void>>,
): void {
  if (options.alike && !playsAlike()) return;
  playsInOne(subject, () => worldFor(options), plays);
}

/** One scenario as a test, in the browser of this run. */
export function scenario(name: string, options: WorldOptions, play: (world: World) => Promise<void>): void {
  if (options.alike && !playsAlike()) return;
  closeAfterTests();
  test(name, { timeout: TEST_MS }, async () => {
    const world = await worldFor(options);
    let isSound = false;
    try {
      await playIn(world, name, play);
      isSound = true;
    } finally {
      // After one that failed the next gets a machine of its own.
      await (isSound ? world.handOn() : world.close());
    }
  });
}

/** A scenario on a screen of its own; where this machine has none it counts as skipped. */
export const scenarioOnScreen: typeof scenario = Display.isThere()
  ? (name, options, play) => scenario(name, { ...options, keyboard: true }, play)
  : (name) => void test(name, { skip: 'needs Xvfb and xdotool' }, () => undefined);

/** Where a page of a site of its own stands, and what is said with it. */
export interface Where {
  headers?: Record<string, string>;
  address?: '127.0.0.1' | '127.0.0.2';
}

/** A scenario on a page of a site of its own, without a host. */
export function scenarioOn(
  html: string,
  { address = '127.0.0.1', headers = {} }: Where,
  name: string,
  play: (world: World) => Promise<void>,
): void {
  scenario(name, { registered: false, everySite: address !== '127.0.0.1' }, async (world) => {
    const site = await otherSite(html, address, headers);
    try {
      await world.page.goto(site.url, { waitUntil: 'load' });
      await play(world);
    } finally {
      site.stop();
    }
  });
}
