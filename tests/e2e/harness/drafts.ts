/** What the extension keeps of texts that are not saved, and pages that hang while somebody writes. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { World } from './world.ts';

/** The texts that the background keeps for tabs, as its storage has them. */
export async function keptTexts({ browser }: World): Promise<() => Promise<string[]>> {
  const page = await browser.openExtensionPage('panel.html?tabId=999999');
  return () =>
    page.evaluate(async () => {
      type Api = { storage: { session: { get(all: null): Promise<Record<string, unknown>> } } };
      const { browser, chrome } = globalThis as { browser?: Api; chrome?: Api };
      const all = (await (browser ?? chrome)?.storage.session.get(null)) ?? {};
      const drafts = Object.entries(all).filter(([key]) => key.startsWith('drafts:'));
      return drafts.flatMap(([, texts]) => Object.values(texts as Record<string, string>));
    });
}

/**
 * Has the page, and our script in it, do nothing until the function that is returned is called: it waits for an answer,
 * and hears nothing else meanwhile. Chromium alone; Firefox goes on with some of its work.
 */
export async function hang({ page }: World): Promise<() => void> {
  const server = createServer();
  // A scenario that fails in the middle does not wait for it.
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  await page.evaluate((address) => {
    setTimeout(() => {
      const question = new XMLHttpRequest();
      question.open('GET', address, false);
      try {
        question.send();
      } catch {
        // Another origin's answer is not for this page to read.
      }
    }, 0);
  }, `http://127.0.0.1:${port}/`);
  const [, answer] = await asked;
  return () => {
    answer.end();
    server.close();
    server.closeAllConnections();
  };
}
