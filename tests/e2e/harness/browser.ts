/** A real browser with the extension in a fresh profile; the same face for both. */
import puppeteer, { type Browser, type Page, type Target } from 'puppeteer-core';
import identity from '../../../extension/identity.json' with { type: 'json' };
import { LOCAL_SITES } from '../../../extension/sites.ts';
import type { Host } from './host.ts';
import { boundKeys } from './keys.ts';
import { type BrowserName, browserProgram, extension } from './paths.ts';
import { askingAtOnce } from './sites.ts';
import { until } from './until.ts';

/** Fixed by a preference, so that the address of the extension's pages is known. */
const FIREFOX_UUID = '6f70656e-746f-4f6c-8261-720000000001';

const EVERY_SITE = '<all_urls>';

/** A name that both browsers find on this machine, and hold for any other. */
export const PLAIN_HOST = 'plain.test';

const CHROMIUM_FLAGS = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A process kept ready for a tab that may come: where every scenario makes its tabs new, a second one for each.
  '--disable-features=SpareRendererForSitePerProcess',
  // The panel stands in a tab of its own here; a tab in the background must go on as the side panel would.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // A host on plain http that is not loopback: no secure context, as on a machine of the local network.
  `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
];

/** Of the extension: it may ask the browser what a page of it may, and nothing of ours starts in it. */
const NO_SCRIPTS = 'icon/16.png';

/**
 * The number of the tab on an address, asked for in a page of the extension. The browser's window hears of a tab's
 * address a moment after the page.
 */
export async function askTabId(own: Page, url: string): Promise<number> {
  const ask = () =>
    own.evaluate(async (wanted) => {
      type Tabs = { tabs: { query(q: object): Promise<{ id?: number; url?: string }[]> } };
      const scope = globalThis as unknown as { browser?: Tabs; chrome?: Tabs };
      const tabs = await (scope.browser ?? scope.chrome)?.tabs.query({});
      return tabs?.find((tab) => tab.url === wanted)?.id;
    }, url);
  return until(`the extension knows of a tab on ${url}`, ask);
}

export interface LaunchOptions {
  headless: boolean;
  /** False: a browser as it is, to compare with. */
  extension?: boolean;
  /**
   * The person allows every site, which lets pictures be taken on all of them without a press of the button; without it
   * the extension is on local sites, as it was installed.
   */
  everySite?: boolean;
  /**
   * The person allows the system's notifications: in Firefox when the panel asks, in Chromium, where automation answers
   * no such question, from the start.
   */
  notifications?: boolean;
  colorScheme?: 'light' | 'dark';
  /** Whether the person wants no motion. */
  reducedMotion?: boolean;
}

export class TestBrowser {
  readonly console: string[] = [];
  readonly name: BrowserName;
  readonly extensionOrigin: string;
  /** False: automation does not attach to tabs that are opened now, which changes what Chromium does in them. */
  private readonly watch: { isOn: boolean };
  private readonly browser: Browser;
  private installed = '';
  /** The empty tab that a machine is left with, which nobody uses yet: to open one is a third of what a page costs. */
  private empty: Page | undefined;
  /** What it was allowed on from the start. */
  private sites: string[] = [];

  private constructor(name: BrowserName, browser: Browser, watch: { isOn: boolean }) {
    this.watch = watch;
    this.name = name;
    this.browser = browser;
    this.extensionOrigin =
      name === 'chromium' ? `chrome-extension://${identity.chromeId}` : `moz-extension://${FIREFOX_UUID}`;
  }

  static async launch(name: BrowserName, host: Host, options: LaunchOptions): Promise<TestBrowser> {
    const viewport = options.headless ? { width: 1280, height: 800 } : null;
    // With a window a person ends it by Ctrl+C, and whoever asked for the browser takes everything away; by itself
    // puppeteer would end this process at once.
    const signals = options.headless
      ? {}
      : { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
    // First: what is not built starts no browser, which would keep this process from its end.
    if (options.extension !== false) extension(name);
    const watch = { isOn: true };
    const browser =
      name === 'chromium'
        ? await puppeteer.launch({
            ...signals,
            executablePath: browserProgram(name),
            headless: options.headless,
            pipe: true,
            enableExtensions: true,
            targetFilter: () => watch.isOn,
            userDataDir: host.chromiumProfile,
            env: host.env,
            args: [
              ...CHROMIUM_FLAGS,
              ...(options.reducedMotion ? ['--force-prefers-reduced-motion'] : []),
              ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            ],
            defaultViewport: viewport,
            downloadBehavior: { policy: 'allow', downloadPath: host.downloads },
          })
        : await puppeteer.launch({
            ...signals,
            browser: 'firefox',
            executablePath: browserProgram(name),
            headless: options.headless,
            env: host.env,
            // Without it Firefox lets no automation open an extension's own pages.
            args: ['--remote-allow-system-access'],
            extraPrefsFirefox: {
              // The extension comes and goes, and its address stays.
              'extensions.webextensions.keepUuidOnUninstall': true,
              'extensions.webextensions.uuids': JSON.stringify({ [identity.firefoxId]: FIREFOX_UUID }),
              'extensions.webextOptionalPermissionPrompts': options.notifications !== true,
              // Its own: a test's screen has no system that shows one.
              'alerts.useSystemBackend': options.notifications !== true,
              'ui.prefersReducedMotion': options.reducedMotion ? 1 : 0,
              'ui.systemUsesDarkTheme': options.colorScheme === 'dark' ? 1 : 0,
              'browser.download.dir': host.downloads,
              'browser.download.folderList': 2,
              'dom.events.testing.asyncClipboard': true,
              'network.dns.localDomains': PLAIN_HOST,
            },
            defaultViewport: viewport,
          });
    const self = new TestBrowser(name, browser, watch);
    try {
      if (name === 'chromium') self.listenToWorkers();
      await self.setUp(host, options);
      return self;
    } catch (error) {
      // Nobody else knows of it.
      await browser.close().catch(() => undefined);
      throw error;
    }
  }

  /** Installs the extension, with the sites that the person allows. */
  async setUp(host: Host, options: Partial<LaunchOptions>): Promise<void> {
    if (options.extension === false) return;
    const [built, everySite] = [extension(this.name), options.everySite === true];
    const wanted = { everySite, notifications: options.notifications === true };
    const asks = this.name === 'chromium' && (everySite || wanted.notifications);
    await this.install(asks ? await askingAtOnce(built, host.home, wanted) : built);
    if (everySite && this.name === 'firefox') await this.allow(EVERY_SITE, true);
    this.sites = everySite ? [...LOCAL_SITES, EVERY_SITE] : LOCAL_SITES;
  }

  /** Takes the extension away, with all that it kept and was allowed, and closes every page but an empty one. */
  async clear(): Promise<void> {
    const pages = await this.browser.pages();
    const empty = await this.blank();
    if (this.name === 'chromium') {
      const client = await empty.createCDPSession();
      await client.send('Network.clearBrowserCookies');
      await client.send('Network.clearBrowserCache');
      await client.detach();
    }
    for (const page of pages) await page.close();
    if (this.installed !== '') {
      await this.browser.uninstallExtension(
        this.name === 'chromium' ? identity.chromeId : identity.firefoxId,
      );
      this.installed = '';
    }
    this.empty = empty;
    this.console.length = 0;
  }

  private async install(built: string): Promise<void> {
    this.installed = built;
    await this.browser.installExtension(built);
    if (this.name === 'chromium') {
      const permissions = ['clipboard-read', 'clipboard-write'] as const;
      await this.browser.defaultBrowserContext().overridePermissions(this.extensionOrigin, [...permissions]);
    }
  }

  /** A tab on an address, in a window of its own if asked for, its console kept. */
  async open(url: string, type: 'tab' | 'window' = 'tab'): Promise<Page> {
    const empty = type === 'tab' ? this.empty : undefined;
    if (empty) this.empty = undefined;
    const page = empty ?? (await this.blank(type));
    await page.goto(url, { waitUntil: 'load' });
    return page;
  }

  /** A tab on one of the extension's own pages. */
  async openExtensionPage(path: string): Promise<Page> {
    const page = await this.blank();
    await this.goToExtension(page, path);
    return page;
  }

  /** The panel in a tab of its own, for the tab on an address. */
  async openPanel(url: string): Promise<Page> {
    const page = await this.blank();
    await this.goToExtension(page, NO_SCRIPTS);
    await this.goToExtension(page, `panel.html?tabId=${await askTabId(page, url)}`);
    return page;
  }

  /** The tab's number as the extension knows it, by the page's address. */
  async tabId(url: string): Promise<number> {
    const page = await this.openBehind();
    try {
      return await askTabId(page, url);
    } finally {
      await page.close();
    }
  }

  /** A page of the extension without scripts, behind the others: from it can be said what the panel says. */
  async openBehind(): Promise<Page> {
    const page = await this.blank('behind');
    await this.goToExtension(page, NO_SCRIPTS);
    return page;
  }

  private async goToExtension(page: Page, path: string): Promise<void> {
    const url = `${this.extensionOrigin}/${path}`;
    if (this.name === 'chromium') {
      await page.goto(url, { waitUntil: 'load' });
      return;
    }
    // Firefox goes there, but tells automation nothing of it: look for oneself.
    await page.goto(url, { timeout: 400 }).catch(() => null);
    // Whoever asks while it is on its way is refused, and asks again.
    const isThere = () =>
      page.evaluate((wanted) => location.href === wanted && document.readyState === 'complete', url);
    await until(`the browser shows ${path}`, isThere, 30_000);
  }

  /**
   * Does something that opens tabs, and leaves these alone: Chromium prepares no page in a tab that automation holds.
   */
  async unwatched<T>(work: () => Promise<T>): Promise<T> {
    this.watch.isOn = false;
    try {
      return await work();
    } finally {
      this.watch.isOn = true;
    }
  }

  /** The panel beside the page, once it is open; Chromium only. */
  async sidePanel(): Promise<Page> {
    // In a tab it is told of which page it is.
    const isIt = (target: Target) => target.url() === `${this.extensionOrigin}/panel.html`;
    const page = await (await this.browser.waitForTarget(isIt)).asPage();
    boundKeys(page);
    return page;
  }

  /** The panel that something in the browser opened: beside the page, or in a tab. */
  async openedPanel(): Promise<Page> {
    const address = `${this.extensionOrigin}/panel.html`;
    if (this.name === 'chromium') {
      const isIt = (target: Target) => target.url().startsWith(address);
      const page = await (await this.browser.waitForTarget(isIt)).asPage();
      boundKeys(page);
      return page;
    }
    // Firefox tells automation nothing of where a tab of an extension goes.
    return until('a panel is open', async () => {
      for (const page of await this.browser.pages()) {
        const url = await page.evaluate(() => location.href).catch(() => '');
        if (url.startsWith(address)) return page;
      }
      return null;
    });
  }

  async pages(): Promise<Page[]> {
    return this.browser.pages();
  }

  /** Resolves when the person closes the browser. */
  closed(): Promise<void> {
    return new Promise((resolve) => this.browser.once('disconnected', () => resolve()));
  }

  /** The toolbar button, pressed as a person would; Chromium only. */
  async pressToolbarButton(page: Page): Promise<void> {
    const extensions = await this.browser.extensions();
    const own = extensions.get(identity.chromeId);
    if (!own) throw new Error('the extension is not installed');
    await page.triggerExtensionAction(own);
  }

  /** The person gives a command other keys, or none (empty), in the browser's own settings. */
  async setShortcut(commandName: string, keybinding: string): Promise<void> {
    if (this.name === 'chromium') {
      await this.inOwnPage((page) =>
        page.evaluate(
          async (update) => {
            type Settings = { developerPrivate: { updateExtensionCommand(update: object): Promise<void> } };
            await (
              globalThis as unknown as { chrome: Settings }
            ).chrome.developerPrivate.updateExtensionCommand(update);
          },
          { extensionId: identity.chromeId, commandName, keybinding },
        ),
      );
      return;
    }
    const page = await this.openExtensionPage('panel.html?tabId=0');
    try {
      await page.evaluate(
        async (update) => {
          type Api = { commands: { update(update: object): Promise<void> } };
          await (globalThis as unknown as { browser: Api }).browser.commands.update(update);
        },
        { name: commandName, shortcut: keybinding },
      );
    } finally {
      await page.close();
    }
  }

  /** Whether a tab shows the browser's settings of shortcuts. */
  async showsShortcuts(): Promise<boolean> {
    if (this.name === 'chromium')
      return this.browser
        .targets()
        .some((target) => target.url().startsWith('chrome://extensions/shortcuts'));
    return this.inOwnPage((page) =>
      page.evaluate(() => {
        type View = Window & { gViewController?: { currentViewId: string } };
        type Tab = { linkedBrowser: { contentWindow: View | null } };
        type Own = {
          Services?: { wm: { getMostRecentWindow(type: string): { gBrowser: { tabs: Tab[] } } } };
        };
        const { Services: services } = globalThis as unknown as Own;
        const tabs = services?.wm.getMostRecentWindow('navigator:browser').gBrowser.tabs ?? [];
        return [...tabs].some(({ linkedBrowser }) =>
          linkedBrowser.contentWindow?.gViewController?.currentViewId.startsWith('addons://shortcuts/'),
        );
      }),
    );
  }

  /** The person presses a notification of the system, the one that is shown. */
  async pressNotification(id: string): Promise<void> {
    if (this.name === 'chromium') {
      // Nothing of the system is there to be pressed: it is told as the browser tells it.
      const isOurs = (target: Target) =>
        target.type() === 'service_worker' && target.url().startsWith(this.extensionOrigin);
      const worker = await (await this.browser.waitForTarget(isOurs)).worker();
      await worker?.evaluate((notification) => {
        type Api = { notifications: { onClicked: { dispatch(id: string): void } } };
        (globalThis as unknown as { chrome: Api }).chrome.notifications.onClicked.dispatch(notification);
      }, id);
      return;
    }
    await this.inOwnPage((page) =>
      until('the notification is there to be pressed', () =>
        page.evaluate(() => {
          type Alert = Window & { onAlertClick?(): void };
          type Own = { Services?: { wm: { getEnumerator(type: string): Iterable<Alert> } } };
          const alerts = (globalThis as unknown as Own).Services?.wm.getEnumerator('alert:alert') ?? [];
          for (const alert of alerts) {
            alert.onAlertClick?.();
            return true;
          }
          return false;
        }),
      ),
    );
  }

  /** Loads the extension anew, as after an update: its scripts in open pages are left behind. */
  async reloadExtension(): Promise<void> {
    await this.browser.installExtension(this.installed);
  }

  /** Ends the extension's background as the browser does with an idle one: at once, whatever it is doing. */
  async endBackground(): Promise<void> {
    if (this.name === 'chromium') {
      const isOurs = (target: Target) =>
        target.type() === 'service_worker' && target.url().startsWith(this.extensionOrigin);
      const target = await this.browser.waitForTarget(isOurs);
      // One that starts or ends just now may refuse: whether it has gone is looked at.
      await until('the background has ended', async () => {
        const worker = await target.worker().catch(() => null);
        await worker?.close().catch(() => undefined);
        return !this.browser.targets().includes(target);
      });
      return;
    }
    await this.inOwnPage((page) =>
      until('the background has ended', () =>
        page.evaluate(async (id) => {
          type Extension = { terminateBackground(how: object): Promise<void> };
          const { WebExtensionPolicy: policies } = globalThis as unknown as {
            WebExtensionPolicy?: { getByID(id: string): { extension: Extension } };
          };
          const how = { ignoreDevToolsAttached: true, disableResetIdleForTest: true };
          await policies?.getByID(id).extension.terminateBackground(how);
          return policies !== undefined;
        }, identity.firefoxId),
      ),
    );
  }

  /**
   * Does something while the extension's background answers nobody; Chromium only, as in Firefox our pages would hang
   * with it.
   */
  async withoutBackground(work: () => Promise<void>): Promise<void> {
    const isOurs = (target: Target) =>
      target.type() === 'service_worker' && target.url().startsWith(this.extensionOrigin);
    const client = (await (await this.browser.waitForTarget(isOurs)).worker())?.client;
    if (!client) throw new Error('the background has ended');
    await client.send('Debugger.enable');
    await client.send('Debugger.pause');
    try {
      await work();
    } finally {
      await client.send('Debugger.resume').catch(() => undefined);
      await client.send('Debugger.disable');
    }
  }

  /** The person takes all its sites from the extension, or gives them back, in the browser's own settings. */
  async allowEverywhere(isAllowed: boolean): Promise<void> {
    if (this.name === 'firefox') return this.change(this.sites, isAllowed);
    await this.inOwnPage((page) =>
      page.evaluate(
        async (extensionId, hostAccess) => {
          type Settings = {
            developerPrivate: { updateExtensionConfiguration(update: object): Promise<void> };
          };
          const { developerPrivate } = (globalThis as unknown as { chrome: Settings }).chrome;
          await developerPrivate.updateExtensionConfiguration({ extensionId, hostAccess });
        },
        identity.chromeId,
        isAllowed ? 'ON_ALL_SITES' : 'ON_CLICK',
      ),
    );
  }

  /** The same for the sites of one match pattern. */
  async allow(pattern: string, isAllowed: boolean): Promise<void> {
    return this.change([pattern], isAllowed);
  }

  private async change(patterns: string[], isAllowed: boolean): Promise<void> {
    if (this.name === 'chromium') {
      await this.inOwnPage((page) =>
        page.evaluate(
          async (id, hosts, isGiven) => {
            type Change = (id: string, host: string) => Promise<void>;
            type Settings = {
              developerPrivate: Record<'addHostPermission' | 'removeHostPermission', Change>;
            };
            const { developerPrivate } = (globalThis as unknown as { chrome: Settings }).chrome;
            for (const host of hosts)
              await developerPrivate[isGiven ? 'addHostPermission' : 'removeHostPermission'](id, host);
          },
          identity.chromeId,
          patterns,
          isAllowed,
        ),
      );
      return;
    }
    await this.inOwnPage((page) =>
      until('the permission is another', () =>
        page.evaluate(
          async (id, origins, isGiven) => {
            type Change = (id: string, what: object, extension: unknown) => Promise<void>;
            type Own = {
              WebExtensionPolicy?: { getByID(id: string): { extension: unknown } };
              ChromeUtils?: {
                importESModule(url: string): { ExtensionPermissions: Record<'add' | 'remove', Change> };
              };
            };
            const { WebExtensionPolicy: policies, ChromeUtils: utils } = globalThis as unknown as Own;
            if (!policies || !utils) return false;
            const url = 'resource://gre/modules/ExtensionPermissions.sys.mjs';
            const { ExtensionPermissions: permissions } = utils.importESModule(url);
            const what = { permissions: [], origins };
            await permissions[isGiven ? 'add' : 'remove'](id, what, policies.getByID(id).extension);
            return true;
          },
          identity.firefoxId,
          patterns,
          isAllowed,
        ),
      ),
    );
  }

  /** Does something in one of the browser's own pages, in a tab that is closed after. */
  private async inOwnPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const page = await this.browser.newPage();
    try {
      if (this.name === 'chromium') await page.goto('chrome://extensions/');
      // It goes there, but tells automation nothing of it, and does not let it wait there.
      else await page.goto('about:support', { timeout: 400 }).catch(() => null);
      return await work(page);
    } finally {
      await page.close();
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  private async blank(where: 'tab' | 'window' | 'behind' = 'tab'): Promise<Page> {
    const type = where === 'window' ? 'window' : 'tab';
    const page = await this.browser.newPage({ type, background: where === 'behind' });
    boundKeys(page);
    page.on('console', (message) =>
      this.console.push(`[${page.url()}] ${message.type()}: ${message.text()}`),
    );
    page.on('pageerror', (error) => this.console.push(`[${page.url()}] uncaught: ${String(error)}`));
    return page;
  }

  private listenToWorkers(): void {
    const listen = async (target: { type(): string; url(): string; worker(): Promise<unknown> }) => {
      if (target.type() !== 'service_worker' || !target.url().startsWith(this.extensionOrigin)) return;
      const worker = (await target.worker()) as {
        on(name: 'console', f: (m: { type(): string; text(): string }) => void): void;
      } | null;
      worker?.on('console', (message) =>
        this.console.push(`[background] ${message.type()}: ${message.text()}`),
      );
    };
    const quiet = (target: Parameters<typeof listen>[0]) => void listen(target).catch(() => undefined);
    this.browser.targets().forEach(quiet);
    this.browser.on('targetcreated', quiet);
  }
}
