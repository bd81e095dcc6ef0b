import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { RouterWorld, SITE } from '../testing/router-world';
import { sampleComment } from '../testing/samples';
import { pageStarted, tabClosed, tabUpdated } from './tab-life';

let { app, page } = {} as RouterWorld;

beforeEach(async () => {
  ({ app, page } = await RouterWorld.create());
});

/** Something of each kind that is kept of a tab. */
async function fill() {
  const { tabId } = page;
  await app.picking.heard(tabId, true);
  await app.hiddenPins.set(tabId, true);
  await app.drafts.keep(tabId, SITE, '/shop', 'Blue?');
  const verdict = { kind: 'changed', confidence: 1, diff: [], reason: 'It differs.' };
  await app.seenStates.look(tabId, [sampleComment('c_1')], [[{ verdict, cause: 'unknown' } as never]]);
}

const kept = async () => JSON.stringify(await fakeBrowser.storage.session.get());

test('nothing is known any more of a tab that was closed', async () => {
  await fill();
  expect(await kept()).toContain(`"seen:${page.tabId}"`);
  await tabClosed(app, page.tabId);
  expect(JSON.parse(await kept())).toEqual({ sessions: [], picking: [], hiddenPins: [] });
  expect(await app.sessions.of(page.tabId)).toBeUndefined();
});

test('what was written, and that pins are hidden, outlives the page; what was picked and seen in it does not', async () => {
  const before = await app.sessions.of(page.tabId);
  await fill();
  await pageStarted(app, page);
  expect(await app.picking.of(page.tabId)).toBe(false);
  expect(await kept()).not.toContain('seen:');
  expect(await app.hiddenPins.of(page.tabId)).toBe(true);
  expect(await app.drafts.of(page.tabId, SITE)).toEqual({ '/shop': 'Blue?' });
  expect((await app.sessions.of(page.tabId))?.id).toBe(before?.id);
});

test('a tab leaves its session when the browser tells of another site, or of no address at all', async () => {
  const { tabId } = page;
  const before = await app.sessions.of(tabId);
  await tabUpdated(app, tabId, { title: 'Sale' }, { url: `${SITE}/sale` });
  expect(await app.sessions.of(tabId)).toEqual(before);
  await tabUpdated(app, tabId, { status: 'loading' }, {} as never);
  expect(await app.sessions.of(tabId)).toBeUndefined();
  await pageStarted(app, page);
  await tabUpdated(app, tabId, { status: 'loading', url: 'http://localhost:9999/' }, {} as never);
  expect(await app.sessions.of(tabId)).toBeUndefined();
});
