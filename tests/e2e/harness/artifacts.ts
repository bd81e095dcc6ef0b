/** What a scenario that fails leaves. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { ARTIFACTS, type BrowserName } from './paths.ts';

/** The folder of a scenario, without what an earlier run left. */
export async function emptyFolder(browser: BrowserName, name: string): Promise<string> {
  const folder = join(ARTIFACTS, browser, name.replace(/[^\w-]+/g, '-'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** A page as it is seen, and as its document is then. */
export async function keepPage(folder: string, title: string, page: Page): Promise<void> {
  await page.screenshot({ path: join(folder, `${title}.png`) }).catch(() => undefined);
  const html = await page.content().catch((error: unknown) => String(error));
  await writeFile(join(folder, `${title}.html`), html);
}
