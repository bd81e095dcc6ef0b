/** Pages that Chromium prepares ahead of a click: until somebody goes there they are nobody's. */
import assert from 'node:assert/strict';
import { browserUnderTest } from './harness/paths.ts';
import { scenario, type World } from './harness/world.ts';

/** What the extension's own page has of the browser. */
interface Chrome {
  tabs: { create(how: object): Promise<{ id: number }> };
  storage: { session: { get(key: string): Promise<{ sessions: { url: string }[] }> } };
  scripting: { executeScript(how: object): Promise<{ result: unknown }[]> };
}

/** Runs code in a tab that automation does not hold. */
async function inTab(
  world: World,
  tabId: number,
  work: (url: string) => unknown,
  url: string,
): Promise<unknown> {
  const { page } = await world.panel();
  return page.evaluate(
    async (tab, code, address) => {
      const { scripting } = (globalThis as unknown as { chrome: Chrome }).chrome;
      const [answer] = await scripting.executeScript({
        target: { tabId: tab },
        world: 'MAIN',
        func: (body: string, argument: string) => new Function('url', `return (${body})(url)`)(argument),
        args: [code, address],
      });
      return answer?.result;
    },
    tabId,
    work.toString(),
    url,
  );
}

/** Addresses of the sessions of all tabs, as the extension keeps them. */
async function sessions(world: World): Promise<string[]> {
  const { page } = await world.panel();
  return page.evaluate(async () => {
    const { storage } = (globalThis as unknown as { chrome: Chrome }).chrome;
    return (await storage.session.get('sessions')).sessions.map(({ url }) => url);
  });
}

if (browserUnderTest() === 'chromium') {
  scenario(
    'a prerendered page moves no session, and is the tab’s page once it is gone to',
    {},
    async (world) => {
      const { page } = await world.panel();
      const [here, next] = [`${world.origin}/here`, `${world.origin}/prepared`];
      const tabId = await world.browser.unwatched(() =>
        page.evaluate(async (url) => {
          const { tabs } = (globalThis as unknown as { chrome: Chrome }).chrome;
          return (await tabs.create({ url })).id;
        }, here),
      );
      await world.until('the tab has its session', async () => (await sessions(world)).includes(here));

      const prepare = (url: string) => {
        const rules = document.createElement('script');
        rules.type = 'speculationrules';
        rules.textContent = JSON.stringify({
          prerender: [{ source: 'list', urls: [url], eagerness: 'immediate' }],
        });
        document.head.append(rules);
      };
      await world.browser.unwatched(async () => {
        await inTab(world, tabId, prepare, next);
        // Nothing tells from outside when a page is prepared: a prepared one that spoke would have by then.
        await new Promise((resolve) => setTimeout(resolve, 4_000));
      });
      const before = await sessions(world);
      assert.ok(before.includes(here), before.join());
      assert.ok(!before.includes(next), before.join());

      await inTab(world, tabId, (url) => setTimeout(() => location.assign(url)), next);
      await world.until('the tab’s session is on the page that was prepared', async () => {
        const now = await sessions(world);
        return now.includes(next) && !now.includes(here);
      });
      const activated = () =>
        (performance.getEntriesByType('navigation')[0] as unknown as { activationStart: number })
          .activationStart;
      assert.ok(
        Number(await inTab(world, tabId, activated, '')) > 0,
        'the prepared page was the one that was shown',
      );
    },
  );
}
