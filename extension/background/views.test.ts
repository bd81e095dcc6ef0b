import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { BackgroundToPanel, ToContent } from '../messages';
import { loadCoreForTest } from '../testing/core';
import { eventually, quiet } from '../testing/eventually';
import { sampleComment } from '../testing/samples';
import { Comments } from './comments';
import type { LinkState } from './link';
import { PageKeys } from './page-keys';
import { Picking } from './picking';
import { Sessions } from './sessions';
import { openStore } from './store';
import { Views } from './views';

const core = loadCoreForTest();
const shop = { root: '/shop', name: 'shop' };
const agent = { client: 'Agent 1', project: shop, since: 1, lastSeen: 1 };
let link: LinkState;
let views: Views;
let comments: Comments;
let sessions: Sessions;
let tab: number;
let toContent: ToContent[];
/** Happens while a view's state is read. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  fakeBrowser.reset();
  globalThis.indexedDB = new IDBFactory();
  toContent = [];
  meanwhile = async () => {};
  link = { hub: 'connected', detail: '' };
  fakeBrowser.tabs.sendMessage = (async (_tab: number, message: unknown) => {
    toContent.push(message as ToContent);
  }) as typeof fakeBrowser.tabs.sendMessage;
  Object.assign(fakeBrowser, { permissions: { contains: async () => true } });
  tab = (await fakeBrowser.tabs.create({ url: 'http://localhost:5173/shop' })).id ?? -1;
  const store = await openStore();
  comments = new Comments(store, core.applyChange, (origin) => void views.changedOrigin(origin));
  sessions = new Sessions({
    request: async (request) => ({
      type: 'session',
      payload: {
        sessionId: request.type === 'open_session' ? request.payload.id : 's_1',
        project: shop,
        reason: 'because',
        choices: [],
      },
    }),
    redact: (text) => text,
    changed: () => {},
    opened: () => {},
  });
  views = new Views({
    comments,
    pages: new PageKeys(store, core.redactText),
    conversations: {
      list: async () => {
        await meanwhile();
        return [];
      },
      annotations: async () => [],
    },
    sessions,
    picking: new Picking(),
    link: () => link,
    hubVersion: () => '0.2.0',
    ownVersion: '0.1.0',
    roundTrips: { isLate: false, page: () => 'answers' },
    agents: () => [agent] as never,
    paired: () => undefined,
  });
  await sessions.visit(tab, 'http://localhost:5173/shop', 'Shop');
  await eventually(async () => expect((await sessions.of(tab))?.project).toEqual(shop));
});

test('a change reaches the page and the panels that watch it, and no other', async () => {
  const here: BackgroundToPanel[] = [];
  const elsewhere: BackgroundToPanel[] = [];
  views.watch({ postMessage: (message) => void here.push(message) }, tab);
  views.watch({ postMessage: (message) => void elsewhere.push(message) }, tab + 100);
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => {
    expect(here.at(-1)?.state.comments.map(({ id }) => id)).toEqual(['c_1']);
    const said = toContent.findLast((message) => message.type === 'comments');
    expect(said?.payload).toMatchObject({ comments: [{ id: 'c_1' }] });
  });
  expect(elsewhere).toEqual([]);
});

test('a panel that has gone hears nothing', async () => {
  const heard: BackgroundToPanel[] = [];
  const port = { postMessage: (message: BackgroundToPanel) => void heard.push(message) };
  views.watch(port, tab);
  views.unwatch(port);
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => expect(toContent.length).toBeGreaterThan(0));
  expect(heard).toEqual([]);
});

test('a page is told where comments go, and nothing else of the connection', async () => {
  views.changedTab(tab);
  await eventually(() => expect(toContent.map(({ type }) => type)).toContain('connection'));
  const told = toContent.findLast((message) => message.type === 'connection');
  expect(told?.payload).toEqual({ connection: { isConnected: true, project: 'shop' } });
});

test('a page is told nothing that was read for the site that the tab showed before', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => expect(toContent.map(({ type }) => type)).toContain('comments'));
  views.forget(tab);
  toContent.length = 0;
  let left = false;
  meanwhile = async () => {
    if (left) return;
    left = true;
    await sessions.visit(tab, 'http://localhost:9999/bank', 'Bank');
  };
  const panel: BackgroundToPanel[] = [];
  views.watch({ postMessage: (message) => void panel.push(message) }, tab);
  await eventually(() => expect(panel.length).toBeGreaterThan(0));
  expect(panel[0]?.state.comments).toHaveLength(1);
  await quiet();
  expect(toContent.filter(({ type }) => type === 'comments')).toEqual([]);
});

test('agents and project are told only while the hub answers', async () => {
  expect(await views.connectionOf(tab)).toMatchObject({ hub: 'connected', project: shop, agents: [agent] });
  link = { hub: 'lost', detail: 'The hub does not answer.' };
  const lost = await views.connectionOf(tab);
  expect(lost).toMatchObject({ hub: 'lost', agents: [], choices: [], projectReason: '' });
  expect(lost.project).toBeUndefined();
});

test('an unchanged state is not sent to the page again', async () => {
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => expect(toContent.map(({ type }) => type)).toContain('connection'));
  await quiet();
  const before = toContent.length;
  await views.changedAll();
  await quiet();
  expect(toContent.length).toBe(before);
});
