/**
 * Our shadow root in a page. It is closed: no script of the page comes into it, and the browser's debugging protocol
 * does. It is looked up anew each time, as it may have been made anew. What looks at it runs beside the page's own
 * scripts, which hear nothing of it.
 */
import type { ElementHandle, JSHandle, Page } from 'puppeteer-core';
import { type RemoteNode, realmOf, type Where } from './realm.ts';

const HOST = '[data-opentoolbar-root]';

/** What puppeteer knows of an element's node: the one in Firefox, the other in Chromium. */
type Known =
  | { remoteValue(): RemoteNode }
  | {
      id: string;
      client: {
        send(
          method: 'DOM.describeNode',
          node: { objectId: string },
        ): Promise<{ node: { shadowRoots?: { backendNodeId: number }[] } }>;
      };
    };

type Root = ElementHandle & JSHandle<ShadowRoot>;

/** Our root for scripts of the page itself, as if they had come into it; null while there is none. */
export const ownRoot = (page: Page): Promise<Root | null> => rootIn(page, 'mainRealm');

/** Asks in our root; null while there is none. `look` runs in the browser: it knows its arguments alone. */
export async function inOwn<Args extends unknown[], Result>(
  page: Page,
  look: (root: ShadowRoot, ...args: Args) => Result,
  ...args: Args
): Promise<Awaited<Result> | null> {
  const root: JSHandle<ShadowRoot> | null = await rootIn(page, 'isolatedRealm');
  return root && ((await root.evaluate(look as never, ...args)) as Awaited<Result>);
}

/** The same, where what is found stays in the browser. */
export async function handleInOwn<Args extends unknown[], Result>(
  page: Page,
  look: (root: ShadowRoot, ...args: Args) => Result,
  ...args: Args
): Promise<JSHandle<Awaited<Result>> | null> {
  const root: JSHandle<ShadowRoot> | null = await rootIn(page, 'isolatedRealm');
  return root && ((await root.evaluateHandle(look as never, ...args)) as JSHandle<Awaited<Result>>);
}

/** The first of ours that a selector names. */
export async function findOwn(page: Page, css: string): Promise<ElementHandle | null> {
  const found = await handleInOwn(page, (root, css) => root.querySelector(css), css);
  const element = found?.asElement();
  // What is done with it may need the page's own scripts.
  return element ? realmOf(page.mainFrame(), 'mainRealm').adoptHandle(element as ElementHandle) : null;
}

/** No handle is given back: a page is soon left, and Firefox takes 20 ms for each. */
async function rootIn(page: Page, where: Where): Promise<Root | null> {
  const frame = page.mainFrame();
  const host: JSHandle = await realmOf(frame, 'isolatedRealm').evaluateHandle(
    (css) => document.querySelector(css),
    HOST,
  );
  if (!host.asElement()) return null;
  const node = host as unknown as Known;
  const realm = realmOf(frame, where);
  if ('remoteValue' in node) {
    const root = node.remoteValue().value?.shadowRoot;
    return root ? (realm.createHandle(root) as Root) : null;
  }
  const { shadowRoots } = (await node.client.send('DOM.describeNode', { objectId: node.id })).node;
  const root = shadowRoots?.[0];
  return root ? ((await realm.adoptBackendNode(root.backendNodeId)) as Root) : null;
}
