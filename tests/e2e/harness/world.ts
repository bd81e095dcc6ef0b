/** One scenario's world: a home, a project with a running app, the host, a browser, agents. Nothing outlives it. */
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { Agent } from './agent.ts';
import { type LaunchOptions, TestBrowser } from './browser.ts';
import { Host, startServer } from './host.ts';
import { Overlay } from './overlay.ts';
import { Panel } from './panel.ts';
import { ARTIFACTS, type BrowserName, TESTS, browserUnderTest } from './paths.ts';

export interface WorldOptions extends Partial<LaunchOptions> {
  app?: 'dashboard' | 'react' | 'vue' | 'svelte';
  strictCsp?: boolean;
  /** Whether the host is registered before the browser starts. */
  registered?: boolean;
  /** Where the page starts. */
  path?: string;
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
  private readonly agents: Agent[] = [];
  private readonly others: TestBrowser[] = [];
  private panelOpen: Panel | undefined;

  private constructor(
    folder: string,
    host: Host,
    project: string,
    app: { origin: string; stop(): void },
    browser: TestBrowser,
    page: Page,
  ) {
    this.folder = folder;
    this.host = host;
    this.project = project;
    this.origin = app.origin;
    this.stopApp = app.stop;
    this.browser = browser;
    this.page = page;
    this.overlay = new Overlay(page);
  }

  static async create(name: BrowserName, options: WorldOptions = {}): Promise<World> {
    // Short, for the hub's socket in it; real, for comparisons with what the host prints.
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'otb-')));
    const app = options.app ?? 'dashboard';
    const project = join(folder, app);
    await cp(join(TESTS, 'apps', app), project, { recursive: true });
    const home = join(folder, 'home');
    await mkdir(home);
    const host = await Host.in(home);
    const undo: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true }), () => host.stop()];
    try {
      if (options.registered !== false) await host.register();
      const server =
        app === 'dashboard'
          ? [join(TESTS, 'apps/serve.ts'), '.', '--port', '0', ...(options.strictCsp ? ['--strict-csp'] : [])]
          : [join(TESTS, 'apps/frameworks.ts'), app, project];
      if (app !== 'dashboard') await symlink(join(TESTS, 'node_modules'), join(project, 'node_modules'));
      const running = await startServer(server, project, host.env);
      undo.push(running.stop);
      const browser = await TestBrowser.launch(name, host, { headless: true, testBuild: true, ...options });
      undo.push(() => browser.close());
      const page = await browser.open(running.origin + (options.path ?? '/'));
      return new World(folder, host, project, running, browser, page);
    } catch (error) {
      for (const step of undo.reverse()) await Promise.resolve(step()).catch(() => undefined);
      throw error;
    }
  }

  /** The panel for the page, opened once. */
  async panel(): Promise<Panel> {
    if (!this.panelOpen) {
      const tabId = await this.browser.tabId(this.page.url());
      this.panelOpen = new Panel(await this.browser.openExtensionPage(`panel.html?tabId=${tabId}`));
    }
    return this.panelOpen;
  }

  /** Starts picking the way a person does who has the panel open, and goes back to the page. */
  async startPicking(): Promise<void> {
    const panel = await this.panel();
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

  async agent(name?: string): Promise<Agent> {
    const agent = await Agent.connect(this.host, this.project, name);
    this.agents.push(agent);
    return agent;
  }

  /** Keeps what the browser shows and everyone said. */
  async save(name: string): Promise<string> {
    const folder = join(ARTIFACTS, this.browser.name, name.replace(/[^\w-]+/g, '-'));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const pages: [string, Page][] = [['page', this.page]];
    if (this.panelOpen) pages.push(['panel', this.panelOpen.page]);
    for (const [title, page] of pages) {
      await page.bringToFront().catch(() => undefined);
      await page.screenshot({ path: join(folder, `${title}.png`) }).catch(() => undefined);
      const html = await page.content().catch((error: unknown) => String(error));
      await writeFile(join(folder, `${title}.html`), html);
    }
    await writeFile(join(folder, 'console.log'), this.browser.console.join('\n'));
    await writeFile(join(folder, 'agents.log'), this.agents.map((agent) => agent.stderr).join('\n---\n'));
    await this.host.saveLogs(folder);
    return folder;
  }

  async close(): Promise<void> {
    for (const agent of this.agents) await agent.close().catch(() => undefined);
    for (const browser of [...this.others, this.browser]) await browser.close().catch(() => undefined);
    this.stopApp();
    await this.host.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One scenario as a test, in the browser of this run. A failure leaves screenshots and logs. */
export function scenario(name: string, options: WorldOptions, play: (world: World) => Promise<void>): void {
  test(name, { timeout: 120_000 }, async () => {
    const world = await World.create(browserUnderTest(), options);
    try {
      await play(world);
    } catch (error) {
      const folder = await world.save(name);
      console.error(`${name}: what the browser showed and everyone said is in ${folder}`);
      throw error;
    } finally {
      await world.close();
    }
  });
}
