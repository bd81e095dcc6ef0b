/** Who may ask the background for what, and what they are told. */
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { PAGE_ANSWERS_WITHIN } from '../deadline';
import type { Asked } from '../messages';
import { loadCoreForTest } from '../testing/core';
import { eventually } from '../testing/eventually';
import { panel, RouterWorld, SITE, SOURCE, sent } from '../testing/router-world';
import { sampleComment } from '../testing/samples';
import { answer } from './router';
import type { Sender } from './sender';

const core = loadCoreForTest();
let world: RouterWorld;
let { app, page, ask, send } = {} as RouterWorld;

beforeEach(async () => {
  world = await RouterWorld.create();
  ({ app, page, ask, send } = world);
});

test('a page sees and changes comments of its own origin only', async () => {
  const foreign = { ...sampleComment('c_foreign'), url: 'http://localhost:9999/shop' };
  await app.comments.create(foreign, 's_1', new Blob(['png']));
  const change: Asked = {
    type: 'change_comment',
    payload: { commentId: 'c_foreign', change: { kind: 'delete' } },
  };
  expect(await ask(change, page)).toMatchObject({ error: expect.stringMatching(/not known here/) });
  await send('a', '{}');
  expect(
    await ask(
      { type: 'judge', payload: { capture: sent('a'), commentIds: ['c_foreign'], page: SOURCE } },
      page,
    ),
  ).toMatchObject({ error: expect.stringMatching(/not known here/) });
  const state = await ask({ type: 'get_page_state', payload: {} }, page);
  expect(state).toMatchObject({ ok: { comments: [] } });
  expect((await app.comments.get('c_foreign'))?.deletedAt).toBeUndefined();
});

test('a page is told what it needs, and nothing of other tabs, chats, agents or folders', async () => {
  const other = (await fakeBrowser.tabs.create({ url: 'http://localhost:9999/bank' })).id ?? -1;
  await app.sessions.visit(other, 'http://localhost:9999/bank', 'Bank');
  const elsewhere = await app.sessions.of(other);
  if (!elsewhere) throw new Error('no session');
  await app.conversations.say(elsewhere, { id: 'm_other', text: 'My balance' }, undefined);
  await app.comments.create(sampleComment('c_1'), 's_1', null);
  expect((await app.views.stateOf(page.tabId)).chats).toContainEqual(
    expect.objectContaining({ sessionId: elsewhere.id }),
  );
  expect(await ask({ type: 'get_page_state', payload: {} }, page)).toEqual({
    ok: {
      comments: [expect.objectContaining({ id: 'c_1' })],
      picking: false,
      pinsHidden: false,
      annotations: [],
      answers: { chat: 0, comments: [] },
      approvals: { first: [], count: 0 },
      connection: { isConnected: false },
      showsEmbedded: false,
    },
  });
});

test('a page cannot make a comment for another site', async () => {
  const { targets } = sampleComment('c_1');
  const payload = { id: 'c_1', targets, text: 'Hi', url: 'http://evil.test/', title: '', picture: true };
  expect(await ask({ type: 'create_comment', payload }, page)).toMatchObject({
    error: expect.stringMatching(/another page/),
  });
  expect(await app.comments.all()).toEqual([]);
});

test('unsaved text comes back to its own page, and to no other origin in the tab', async () => {
  const half = { pathname: '/shop', url: page.url, text: 'Half' };
  await ask({ type: 'keep_draft', payload: half }, page);
  expect(await ask({ type: 'get_drafts', payload: {} }, page)).toEqual({ ok: { '/shop': 'Half' } });
  const other = { ...page, origin: 'http://localhost:9999' };
  expect(await ask({ type: 'get_drafts', payload: {} }, other)).toEqual({ ok: {} });
});

test('a jump on a page that does not answer says what to do', async () => {
  expect(await ask({ type: 'jump_to', payload: { tabId: page.tabId, commentId: 'c_1' } }, panel)).toEqual({
    error: 'The page does not answer. Reload it and try again.',
  });
});

const never = () => new Promise<never>(() => {});
const absent = async () => Promise.reject(new Error('Receiving end does not exist'));
test.each<[typeof never, (tabId: number) => Asked]>([
  [never, (tabId) => ({ type: 'jump_to', payload: { tabId, commentId: 'c_1' } })],
  [never, (tabId) => ({ type: 'settle', payload: { tabId, commentId: 'c_1', at: 0, act: 'confirm' } })],
  [never, (tabId) => ({ type: 'point_for_annotation', payload: { tabId, annotationId: 'a_1' } })],
  // There is no script of ours in it, and it takes none.
  [absent, (tabId) => ({ type: 'attach_page', payload: { tabId } })],
])('what a person wants of a page that hangs ends with a sentence', async (tell, wanted) => {
  fakeBrowser.tabs.sendMessage = tell;
  const { scripting } = fakeBrowser;
  Object.assign(fakeBrowser, { scripting: { executeScript: never } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked = ask(wanted(page.tabId), panel);
    await vi.advanceTimersByTimeAsync(PAGE_ANSWERS_WITHIN);
    expect(await asked).toEqual({ error: 'The page does not answer. Reload it and try again.' });
  } finally {
    vi.useRealTimers();
    Object.assign(fakeBrowser, { scripting });
  }
});

test('what waits is tried at once, and the panel waits for none of it: the hub may be slow with each', async () => {
  const { targets } = sampleComment('c_1');
  const payload = { id: 'c_1', targets, text: 'Hi', url: `${SITE}/shop`, title: '', picture: false };
  await ask({ type: 'create_comment', payload }, page);
  await app.outbox.flush();
  const sent: string[] = [];
  world.request = ({ type }) => {
    sent.push(type);
    return new Promise(() => {});
  };
  const delivered = ask({ type: 'deliver_now', payload: { tabId: page.tabId } }, panel);
  await eventually(() => expect(sent).toEqual(['create_comment']));
  expect(await delivered).toEqual({ ok: null });
});

test('whether frames of other sites are seen in pictures is kept by site, and said when a page asks', async () => {
  const shows = async (sender: Sender) => {
    const answered = await ask({ type: 'get_page_state', payload: {} }, sender);
    return (answered as { ok: { showsEmbedded: boolean } }).ok.showsEmbedded;
  };
  const elsewhere = { ...page, url: 'http://localhost:9999/', origin: 'http://localhost:9999' };
  expect(await shows(page)).toBe(false);
  await ask({ type: 'show_embedded', payload: { showsEmbedded: true } }, page);
  expect(await shows(page)).toBe(true);
  expect(await shows(elsewhere)).toBe(false);
  await ask({ type: 'show_embedded', payload: { showsEmbedded: false } }, page);
  expect(await shows(page)).toBe(false);
});

test('a page of a site that is allowed no more is refused whatever it asks, told to leave, and becomes no session', async () => {
  const other = (await fakeBrowser.tabs.create({ url: 'https://shop.example/' })).id ?? -1;
  const kept = { ...page, tabId: other, url: 'https://shop.example/cart', origin: 'https://shop.example' };
  await app.comments.create({ ...sampleComment('c_1'), url: kept.url }, 's_1', null);
  world.forbidden = 'https://shop.example/*';
  const refused = { error: expect.stringContaining('not allowed on this site'), leave: true };
  const asked: Asked[] = [
    { type: 'get_page_state', payload: {} },
    { type: 'get_drafts', payload: {} },
    { type: 'keep_draft', payload: { pathname: '/cart', url: kept.url, text: 'Mine' } },
    { type: 'page_moved', payload: { url: kept.url, title: 'Cart' } },
    { type: 'change_comment', payload: { commentId: 'c_1', change: { kind: 'delete' } } },
    { type: 'load_overlay', payload: {} },
  ];
  for (const message of asked) expect(await ask(message, kept)).toEqual(refused);
  expect(await app.sessions.of(other)).toBeUndefined();
  expect((await app.comments.get('c_1'))?.deletedAt).toBeUndefined();
  // The panel shows what is there, and other sites go on.
  expect(await ask({ type: 'get_page_state', payload: {} }, page)).toHaveProperty('ok');
  world.forbidden = '';
  expect(await ask({ type: 'get_page_state', payload: {} }, kept)).toHaveProperty('ok');
});

test('unsaved text of a page is not shown on another whose address differs in what is redacted alone', async () => {
  const at = (token: string) => ({ ...page, url: `${SITE}/reset/${token}` });
  const one = at('k3j4h5g6f7d8s9a0');
  const other = at('z9x8c7v6b5n4m3q2');
  const pathname = new URL(core.redactText(one.url)).pathname;
  expect(new URL(core.redactText(other.url)).pathname).toBe(pathname);
  const keep = (sender: typeof page, text: string, where = pathname) =>
    ask({ type: 'keep_draft', payload: { pathname: where, url: sender.url, text } }, sender);
  const drafts = (sender: typeof page) => ask({ type: 'get_drafts', payload: {} }, sender);
  await keep(one, 'Of one');
  await keep(one, 'To a comment', 'reply:c_1');
  expect(await drafts(one)).toEqual({ ok: { [pathname]: 'Of one', 'reply:c_1': 'To a comment' } });
  expect(await drafts(other)).toEqual({ ok: { 'reply:c_1': 'To a comment' } });
  await keep(other, 'Of another');
  expect(await drafts(other)).toMatchObject({ ok: { [pathname]: 'Of another' } });
  await keep(other, '');
  expect(await drafts(one)).toMatchObject({ ok: { [pathname]: 'Of one' } });
  const session = await fakeBrowser.storage.session.get();
  expect(JSON.stringify(session)).not.toMatch(/k3j4h5g6f7d8s9a0|z9x8c7v6b5n4m3q2/);
  expect(
    await ask({ type: 'keep_draft', payload: { pathname, url: 'https://evil.test/', text: 'x' } }, one),
  ).toEqual({
    error: 'This is another page.',
  });
});

test('a page that takes out what we show is said so until it begins anew, or the person picks', async () => {
  Object.assign(fakeBrowser, { action: { setBadgeText: async () => {}, setTitle: async () => {} } });
  const { tabId } = page;
  const removed = () => ask({ type: 'overlay_removed', payload: {} }, page);
  const said = () => app.roundTrips.page(tabId);
  await app.roundTrips.make(tabId, true);
  await removed();
  expect(said()).toBe('expelled');
  await ask({ type: 'get_page_state', payload: {} }, page);
  expect(said()).toBe('answers');
  await removed();
  await ask({ type: 'set_picking', payload: { tabId, picking: true } }, panel);
  expect(said()).toBe('answers');
});

test('the panel opens straight from the click: before anything is waited for, and however long the background starts', async () => {
  const opened: unknown[] = [];
  const sidePanel = { open: async (what: unknown) => void opened.push(what) };
  Object.assign(fakeBrowser, { sidePanel, sidebarAction: undefined });
  const answered = answer(() => new Promise(() => {}), { type: 'open_panel', payload: {} }, page);
  expect(opened).toEqual([{ tabId: page.tabId }]);
  expect(await answered).toEqual({ ok: null });
  // For what the person wants to see there.
  const shown: unknown[] = [];
  vi.spyOn(app.views, 'show').mockImplementation((...what) => void shown.push(what));
  const forChat = { type: 'open_panel', payload: { view: 'chat' } };
  expect(await answer(async () => app, forChat, page)).toEqual({ ok: null });
  expect([opened.length, shown]).toEqual([2, [[page.tabId, 'chat']]]);
  // A page that opentoolbar may not be on is told so all the same.
  world.forbidden = 'http://localhost/*';
  const refused = { error: expect.stringContaining('not allowed on this site'), leave: true };
  expect(await answer(async () => app, { type: 'open_panel', payload: {} }, page)).toEqual(refused);
});
