import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { BackgroundToPanel } from '../state/ports';
import type { ToContent } from '../state/to-content';
import { BUTTON_TITLE, fakeButton } from '../testing/button';
import { loadCoreForTest } from '../testing/core';
import { eventually, quiet } from '../testing/eventually';
import { sampleComment } from '../testing/samples';
import { Answered } from './answered';
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
let answered: Answered;
let button: ReturnType<typeof fakeButton>;
let sessions: Sessions;
let tab: number;
let toContent: ToContent[];
/** What agents ask the person to point at. */
let asked: string[];
/** Happens while a view's state is read. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  fakeBrowser.reset();
  globalThis.indexedDB = new IDBFactory();
  button = fakeButton();
  answered = new Answered();
  toContent = [];
  asked = [];
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
      annotations: async () => asked.map((annotationId) => ({ annotationId })) as never,
    },
    sessions,
    picking: new Picking(),
    link: () => link,
    hubVersion: () => '0.2.0',
    ownVersion: '0.1.0',
    roundTrips: { isLate: false, page: () => 'answers' },
    agents: () => [agent] as never,
    paired: () => undefined,
    answered,
  });
  await sessions.visit(tab, 'http://localhost:5173/shop', 'Shop');
  await eventually(async () => expect((await sessions.of(tab))?.project).toEqual(shop));
});

const statesOf = (said: readonly BackgroundToPanel[]) =>
  said.flatMap((message) => (message.type === 'tab_state' ? [message.state] : []));

test('a change reaches the page and the panels that watch it, and no other', async () => {
  const here: BackgroundToPanel[] = [];
  const elsewhere: BackgroundToPanel[] = [];
  views.watch({ postMessage: (message) => void here.push(message) }, tab, 'page');
  views.watch({ postMessage: (message) => void elsewhere.push(message) }, tab + 100, 'page');
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => {
    expect(
      statesOf(here)
        .at(-1)
        ?.comments.map(({ id }) => id),
    ).toEqual(['c_1']);
    const said = toContent.findLast((message) => message.type === 'comments');
    expect(said?.payload).toMatchObject({ comments: [{ id: 'c_1' }] });
  });
  expect(elsewhere).toEqual([]);
});

test('a panel that has gone hears nothing', async () => {
  const heard: BackgroundToPanel[] = [];
  const port = { postMessage: (message: BackgroundToPanel) => void heard.push(message) };
  views.watch(port, tab, 'page');
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
  views.watch({ postMessage: (message) => void panel.push(message) }, tab, 'page');
  await eventually(() => expect(panel.length).toBeGreaterThan(0));
  expect(statesOf(panel)[0]?.comments).toHaveLength(1);
  await quiet();
  expect(toContent.filter(({ type }) => type === 'comments')).toEqual([]);
});

test('changes that come while a tab’s views are read are told after that, all at once', async () => {
  await quiet();
  let reads = 0;
  meanwhile = async () => {
    reads += 1;
    if (reads > 1) return;
    for (let at = 0; at < 20; at++) {
      await comments.create(sampleComment(`c_${at}`), 's_1', null);
      await quiet();
    }
  };
  views.changedTab(tab);
  await eventually(() => {
    const said = toContent.findLast((message) => message.type === 'comments');
    expect(said?.payload).toMatchObject({ comments: { length: 20 } });
  });
  await quiet();
  expect(reads).toBe(2);
});

test('a page that hangs keeps nothing from the panel', async () => {
  const heard: BackgroundToPanel[] = [];
  fakeBrowser.tabs.sendMessage = () => new Promise(() => {});
  views.watch({ postMessage: (message) => void heard.push(message) }, tab, 'page');
  await eventually(() => expect(heard.length).toBeGreaterThan(0));
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => expect(statesOf(heard).at(-1)?.comments).toHaveLength(1));
});

test('a page that is late to answer is not left with what was read before', async () => {
  await quiet();
  views.forget(tab);
  toContent.length = 0;
  const late: (() => void)[] = [];
  fakeBrowser.tabs.sendMessage = (async (_tab: number, message: unknown) => {
    toContent.push(message as ToContent);
    await new Promise<void>((resolve) => late.push(resolve));
  }) as typeof fakeBrowser.tabs.sendMessage;
  asked = ['a_1'];
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => expect(toContent.map(({ type }) => type)).toContain('comments'));
  asked = ['a_1', 'a_2'];
  views.changedTab(tab);
  const last = () => toContent.findLast((message) => message.type === 'annotations')?.payload;
  await eventually(() => expect(last()).toMatchObject({ annotations: { length: 2 } }));
  while (late.length > 0) {
    late.shift()?.();
    await quiet();
  }
  expect(last()).toMatchObject({ annotations: { length: 2 } });
});

test('a page of which nothing is known is told of an agent’s request that is gone', async () => {
  await quiet();
  views.forget(tab);
  toContent.length = 0;
  views.changedTab(tab);
  await eventually(() => {
    const said = toContent.findLast((message) => message.type === 'annotations');
    expect(said?.payload).toEqual({ annotations: [] });
  });
});

test('agents and project are told only while the hub answers', async () => {
  expect(await views.connectionOf(tab)).toMatchObject({ hub: 'connected', project: shop, agents: [agent] });
  link = { hub: 'lost', detail: 'The host does not answer.' };
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

test('a number that the hub gives a comment reaches the page, although nothing else of it is new', async () => {
  const comment = sampleComment('c_1');
  await comments.create(comment, 's_1', null);
  await eventually(() => expect(toContent.map(({ type }) => type)).toContain('comments'));
  await quiet();
  await comments.hear([{ ...comment, number: 12 }], shop.root);
  await eventually(() => {
    const said = toContent.findLast((message) => message.type === 'comments');
    expect(said?.payload).toMatchObject({ comments: [{ id: 'c_1', number: 12 }] });
  });
});

test('the button names its keys while no answer waits, and the answers that wait again after it was pressed', async () => {
  views.changedTab(tab);
  await eventually(() => expect(toContent.map(({ type }) => type)).toContain('answers'));
  await quiet();
  expect(await button.says(tab)).toEqual(['', BUTTON_TITLE]);
  await answered.add('c_1');
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(async () => expect((await button.says(tab))[0]).toBe('1'));
  // A press takes away what stands there.
  await fakeBrowser.action.setBadgeText({ tabId: tab, text: '' });
  views.answersAnew(tab);
  await eventually(async () => expect((await button.says(tab))[0]).toBe('1'));
});

/** Two comments of this page and one of another that agents answered; and what the button of a tab counts. */
async function answers() {
  const cart = { url: 'http://localhost:5173/cart', pathname: '/cart' };
  for (const id of ['c_1', 'c_2', 'c_cart']) {
    await answered.add(id);
    const comment = { ...sampleComment(id), ...(id === 'c_cart' ? cart : {}) };
    await comments.create(comment, 's_1', null);
  }
  await eventually(async () => expect((await button.says(tab))[0]).toBe('3'));
}
const port = { postMessage: () => {} };
const unseen = async () => answered.of(await comments.of('http://localhost:5173'));

test.each(['nothing', 'chat', 'page', 'origin'] as const)(
  'a panel whose sight is %s has seen no answer by that alone',
  async (sight) => {
    await answers();
    views.watch(port, tab, sight);
    await quiet();
    expect(await unseen()).toEqual(['c_1', 'c_2', 'c_cart']);
    await eventually(async () => expect((await button.says(tab))[0]).toBe('3'));
  },
);

test('an answer that a panel lists before the person’s eyes is told to the page once the panel had time to show it', async () => {
  const toldOf = () =>
    toContent.flatMap((message) => (message.type === 'answers' ? message.payload.answers.comments : []));
  views.watch(port, tab, 'page');
  await comments.create(sampleComment('c_1'), 's_1', null);
  await eventually(() => expect(toContent.map(({ type }) => type)).toContain('answers'));
  await answered.add('c_1');
  views.changedTab(tab);
  await quiet();
  expect([toldOf(), (await button.says(tab))[0]]).toEqual([[], '']);
  // It was below the fold.
  await vi.waitFor(() => expect(toldOf()).toEqual(['c_1']), 2_000);
  expect((await button.says(tab))[0]).toBe('1');
});

test('an answer that no panel lists is told to the page at once', async () => {
  views.watch(port, tab, 'chat');
  await quiet();
  await answered.add('c_1');
  await comments.create(sampleComment('c_1'), 's_1', null);
  await quiet();
  expect((await button.says(tab))[0]).toBe('1');
});

/** A panel of a tab, and which views it was asked to show. */
function shower() {
  const shown: string[] = [];
  const postMessage = (message: BackgroundToPanel) => {
    if (message.type === 'show_view') shown.push(message.view);
  };
  return { postMessage, shown };
}

test('a view that the person asks for is shown by the panels of that tab, once', () => {
  const [here, elsewhere] = [shower(), shower()];
  views.watch(here, tab, 'page');
  views.watch(elsewhere, tab + 100, 'page');
  views.show(tab, 'chat');
  views.watch(here, tab, 'chat');
  views.watch(shower(), tab, 'page');
  expect([here.shown, elsewhere.shown]).toEqual([['chat'], []]);
});

test('a panel that opens for a view shows it, though one that nobody sees is there, and though it opens late', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const [hidden, other, opening, later] = [shower(), shower(), shower(), shower()];
  views.watch(hidden, tab, 'nothing');
  views.show(tab, 'chat');
  views.watch(other, tab + 100, 'page');
  views.watch(opening, tab, 'page');
  views.watch(later, tab, 'page');
  expect([hidden.shown, other.shown, opening.shown, later.shown]).toEqual([['chat'], [], ['chat'], []]);
  views.unwatch(opening);
  views.unwatch(later);
  // It never opened: what the person opens a minute later is not for that.
  views.show(tab, 'chat');
  vi.advanceTimersByTime(60_000);
  const nextMinute = shower();
  views.watch(nextMinute, tab, 'page');
  vi.useRealTimers();
  expect(nextMinute.shown).toEqual([]);
});
