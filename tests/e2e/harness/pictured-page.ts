/**
 * A page alone, without an extension, in which the extension's own code makes pictures: what searches the page and says
 * what must not be seen, and what asks for it, crops and paints. `page.screenshot` stands for the browser's
 * `captureVisibleTab`; comments, messages between processes, panel and host are not there.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { build, type Rolldown } from 'vite';
import type { Step } from '../../../extension/testing/one-tab.ts';
import { type App, serve } from '../../apps/serve.ts';
import type { Fixture } from './area.ts';
import { emptyFolder, keepPage } from './artifacts.ts';
import { giveBack, type Machine, takeMachine } from './machine.ts';
import { browserUnderTest, ROOT, TESTS } from './paths.ts';
import { playsInOne } from './play.ts';
import { realmOf } from './realm.ts';
import { inTime } from './until.ts';

const TESTING = join(ROOT, 'extension/testing');
const PNG = 'data:image/png;base64,';
/** A browser that hangs after a failure is given up, milliseconds. */
const RENEWED_WITHIN = 15_000;

/** What the code in the page is driven by. */
interface InPage {
  opentoolbarPictures: {
    begin(target: string): Promise<Step>;
    captured(png: string): Promise<Step>;
  };
}

let bundle: Promise<string> | undefined;

/** The extension's modules as one script; the browser's interface is that of one tab. */
async function bundled(): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    root: join(TESTING, '..'),
    logLevel: 'warn',
    resolve: { alias: { 'wxt/browser': join(TESTING, 'one-tab.ts') } },
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      modulePreload: false,
      rolldownOptions: { input: join(TESTING, 'pictured-page.ts'), output: { format: 'iife' } },
    },
  });
  const [entry] = ([built].flat() as Rolldown.RolldownOutput[]).flatMap(({ output }) => output);
  if (entry?.type !== 'chunk') throw new Error('the code of pictures is no script');
  return entry.code;
}

export class PicturedPage implements Fixture {
  readonly page: Page;
  private readonly machine: Machine;
  private readonly app: App;
  /** What the browser showed, and what was made of it, at last. */
  private last: { captured?: Buffer; picture?: Buffer } = {};

  private constructor(machine: Machine, app: App, page: Page) {
    this.machine = machine;
    this.app = app;
    this.page = page;
  }

  static async start(): Promise<PicturedPage> {
    bundle ??= bundled();
    const script = await bundle;
    const machine = await takeMachine(browserUnderTest(), { extension: false, registered: false });
    let app: App | undefined;
    try {
      app = await serve(join(TESTS, 'apps/dashboard'));
      const page = await machine.browser.open(app.origin);
      // Beside the page's own scripts, as the browser keeps an extension's.
      await realmOf(page.mainFrame(), 'isolatedRealm').evaluate(script);
      return new PicturedPage(machine, app, page);
    } catch (error) {
      await app?.stop();
      await machine.close();
      throw error;
    }
  }

  async canvas(): Promise<Page> {
    return this.page;
  }

  async picture(target: string, meanwhile?: () => Promise<void>): Promise<Buffer | null> {
    this.last = {};
    // A page in the back is not drawn.
    await this.page.bringToFront();
    await meanwhile?.();
    const realm = realmOf(this.page.mainFrame(), 'isolatedRealm');
    let step = await realm.evaluate(
      (target) => (globalThis as unknown as InPage).opentoolbarPictures.begin(target),
      target,
    );
    while (step.next === 'capture') {
      this.last.captured = Buffer.from(await this.page.screenshot());
      step = await realm.evaluate(
        (png) => (globalThis as unknown as InPage).opentoolbarPictures.captured(png),
        PNG + this.last.captured.toString('base64'),
      );
    }
    if (step.picture === null) return null;
    this.last.picture = Buffer.from(step.picture.slice(PNG.length), 'base64');
    return this.last.picture;
  }

  async save(name: string): Promise<string> {
    const folder = await emptyFolder(this.machine.browser.name, name);
    for (const [title, png] of Object.entries(this.last)) await writeFile(join(folder, `${title}.png`), png);
    await keepPage(folder, 'page', this.page);
    await writeFile(join(folder, 'console.log'), this.machine.browser.console.join('\n'));
    return folder;
  }

  async handOn(): Promise<void> {
    await this.app.stop();
    await giveBack(this.machine);
  }

  /** The page goes, and the browser stays for the next one, if it still does what it is told. */
  async close(): Promise<void> {
    await inTime('the end of the page', this.handOn(), RENEWED_WITHIN).catch(() => this.machine.close());
  }
}

/** Scenarios in one such page, one after the other; after one that failed the next gets a page of its own. */
export function scenariosInOnePage(
  subject: string,
  plays: Record<string, (page: PicturedPage) => Promise<void>>,
): void {
  playsInOne(subject, () => PicturedPage.start(), plays);
}
