/** Messages to the background, as a panel sends them. */
import type { Page } from 'puppeteer-core';

/** What the background answers to a page of the extension. Throws when it answers nothing, or refuses. */
export async function askBackground(page: Page, message: object): Promise<unknown> {
  const answer = await page.evaluate((message) => {
    type Runtime = { runtime: { sendMessage(message: object): Promise<unknown> } };
    const { browser, chrome } = globalThis as unknown as { browser?: Runtime; chrome?: Runtime };
    return (browser ?? chrome)?.runtime.sendMessage(message);
  }, message);
  const told = answer as { ok?: unknown; error?: unknown } | undefined;
  if (told?.ok === undefined)
    throw new Error(`refused: ${JSON.stringify(message)} ${JSON.stringify(answer)}`);
  return told.ok;
}
