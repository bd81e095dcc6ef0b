import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Comment } from '../generated/Comment';
import type { VerdictKind } from '../generated/VerdictKind';
import type { ToBackground } from '../messages';
import { loadCoreForTest } from '../testing/core';
import { eventually } from '../testing/eventually';
import { sampleComment } from '../testing/samples';
import type { App } from './app';
import { Captures } from './captures';
import { ChatViews } from './chat-views';
import { Comments } from './comments';
import { Conversations } from './conversations';
import { Drafts } from './drafts';
import { LinkLost } from './link';
import { Offers } from './offers';
import { Outbox } from './outbox';
import { PageKeys } from './page-keys';
import { Paired } from './pairing';
import { Picking } from './picking';
import { Problems } from './problems';
import { RoundTrips } from './round-trips';
import { answer } from './router';
import type { Sender } from './sender';
import { Sessions } from './sessions';
import { openStore } from './store';
import { Views } from './views';
import { Wakeup } from './wakeup';

const core = loadCoreForTest();
const SITE = 'http://localhost:5173';
let app: App;
/** The site, as a match pattern, that the person does not allow. */
let forbidden: string;
let page: Extract<Sender, { kind: 'content' }>;
const panel: Sender = { kind: 'panel' };
const ask = (message: ToBackground, sender: Sender) => answer(async () => app, message, sender);

/** All of the background but the hub: everything stays here. */
beforeEach(async () => {
  fakeBrowser.reset();
  globalThis.indexedDB = new IDBFactory();
  forbidden = '';
  const contains = async ({ origins }: { origins: string[] }) => !origins.includes(forbidden);
  Object.assign(fakeBrowser, { permissions: { contains } });
  fakeBrowser.tabs.sendMessage = async () => {
    throw new Error('Receiving end does not exist');
  };
  const tabId = (await fakeBrowser.tabs.create({ url: `${SITE}/shop` })).id ?? -1;
  page = {
    kind: 'content',
    tabId,
    url: `${SITE}/shop`,
    origin: SITE,
    title: 'Shop',
    windowId: 1,
    active: true,
  };
  const request = async () => {
    throw new LinkLost('no hub');
  };
  const store = await openStore();
  const comments = new Comments(store, core.applyChange, () => {});
  const sessions = new Sessions({ request, redact: core.redactText, changed: () => {}, opened: () => {} });
  const picking = new Picking();
  const state = { hub: 'none', detail: '' } as const;
  const link = { state, start() {}, request, ping: async () => undefined } as unknown as App['link'];
  const conversations = new Conversations({
    store,
    request,
    session: (id) => sessions.withId(id),
    changed: () => {},
    answered: () => {},
    grew: () => {},
    listed: () => {},
  });
  const chatViews = new ChatViews((id) => conversations.state(id));
  const roundTrips = new RoundTrips({
    hub: () => state.hub,
    ping: () => link.ping(),
    askPage: async () => {},
    isPageReady: async () => true,
    changedTab: () => {},
    changedAll: () => {},
  });
  const pages = new PageKeys(store, core.redactText);
  const views = new Views({
    comments,
    pages,
    conversations,
    sessions,
    picking,
    link: () => state,
    hubVersion: () => undefined,
    ownVersion: core.version(),
    roundTrips,
    agents: () => [],
    paired: () => undefined,
  });
  const outbox = new Outbox({
    store,
    comments,
    conversations,
    emptied: () => {},
    keepSession: async () => {},
    send: request,
    session: async (id) => id,
    readComment: (comment) => comment,
    forgetSessions: () => {},
    changed: () => {},
    imported: () => {},
  });
  app = {
    core,
    captures: new Captures(),
    comments,
    pages,
    conversations,
    chatViews,
    sessions,
    picking,
    drafts: new Drafts(),
    offers: new Offers({ request, changed: () => {} }),
    outbox,
    link,
    roundTrips,
    paired: await Paired.load({ store, protocol: core.protocolVersion(), changed: () => {} }),
    views,
    wakeup: new Wakeup(),
    problems: new Problems({ store, comments, conversations, queueing: async () => {}, changed: () => {} }),
  };
  await ask({ type: 'get_page_state', payload: {} }, page);
});

/** The head of a capture that was sent in one piece. */
const sent = (id: string) => ({
  id,
  pieces: 1,
  version: 1,
  url: `${SITE}/shop`,
  title: 'Shop',
  viewport: { width: 800, height: 600 },
});

/** A page of one button. */
async function send(id: string, text: string): Promise<void> {
  const piece = {
    strings: JSON.stringify([`${SITE}/shop`, 'html', 'body', 'button', text]).slice(1, -1),
    nodes: [
      [0, -1, 0, 0, 0, 0, 0, 800, 600, 1],
      [1, 0, 1, 0, 0, 0, 0, 800, 600, 1],
      [1, 1, 2, 0, 0, 0, 0, 800, 600, 1],
      [1, 2, 3, 0, 0, 8, 8, 60, 20, 3],
      [2, 3, 4, 0, 0, 0, 0, 0, 0, 1],
    ]
      .flat()
      .join(),
    attributes: '',
  };
  await ask({ type: 'capture_piece', payload: { id, at: 0, piece } }, page);
}

test('an anchor that cannot be read keeps its comment, and the others are found', async () => {
  await send('a', 'Save');
  const described = await ask(
    { type: 'describe', payload: { capture: sent('a'), nodes: [3], probes: [null] } },
    page,
  );
  const targets = ('ok' in described ? described.ok : []) as Comment['targets'];
  const [target] = targets;
  if (!target) throw new Error(JSON.stringify(described));
  await app.comments.create({ ...sampleComment('c_good'), targets }, 's_1', null);
  const damaged = { ...sampleComment('c_bad'), targets: [{ ...target, anchor: 'AQ==' }] };
  const newer = { ...sampleComment('c_new'), targets: [{ ...target, anchor: '//8=' }] };
  await app.comments.create(damaged, 's_1', null);
  await app.comments.create(newer, 's_1', null);
  await send('b', 'Save');
  const commentIds = ['c_bad', 'c_new', 'c_good'];
  const found = await ask({ type: 'relocate', payload: { capture: sent('b'), commentIds } }, page);
  expect(found).toMatchObject({
    ok: [
      [{ unreadable: expect.stringMatching(/cannot be looked for: the anchor is damaged.*\.$/) }],
      [{ unreadable: expect.stringMatching(/update opentoolbar\.$/) }],
      [{ kind: 'unchanged', node: 3 }],
    ],
  });
  expect((await app.comments.all()).map(({ status }) => status)).toEqual(['active', 'active', 'active']);
});

test('what a page reports is stored once, and an undo makes the comment active again', async () => {
  await app.comments.create(sampleComment('c_1'), 's_1', null);
  const report = (verdict: VerdictKind, after: string): ToBackground => {
    const diff = verdict === 'changed' ? [{ field: 'text', before: 'Save', after }] : [];
    const state = { verdict, confidence: 0.9, diff, reason: 'So it is.', checkedAt: 5_000 };
    return { type: 'report_states', payload: { reports: [{ commentId: 'c_1', states: [state] }] } };
  };
  const now = async () => {
    const comment = await app.comments.get('c_1');
    return [comment?.status, comment?.revision];
  };
  await ask(report('unchanged', ''), page);
  expect(await now()).toEqual(['active', 1]);
  await ask(report('changed', 'Store'), page);
  await ask(report('changed', 'Store'), page);
  expect(await now()).toEqual(['outdated', 2]);
  await ask(report('changed', 'Keep'), page);
  // None of them was sent yet: the latest takes the place of the one before.
  expect(await now()).toEqual(['outdated', 2]);
  await ask(report('unchanged', ''), page);
  expect(await now()).toEqual(['active', 1]);
  expect((await app.comments.outstanding(SITE)).waiting).toBe(2); // the comment, and one report
});

test('a page sees and changes comments of its own origin only', async () => {
  const foreign = { ...sampleComment('c_foreign'), url: 'http://localhost:9999/shop' };
  await app.comments.create(foreign, 's_1', new Blob(['png']));
  const change: ToBackground = {
    type: 'change_comment',
    payload: { commentId: 'c_foreign', change: { kind: 'delete' } },
  };
  expect(await ask(change, page)).toMatchObject({ error: expect.stringMatching(/not known here/) });
  await send('a', '{}');
  expect(
    await ask({ type: 'relocate', payload: { capture: sent('a'), commentIds: ['c_foreign'] } }, page),
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
      annotations: [],
      connection: { isConnected: false },
      showsEmbedded: false,
    },
  });
});

test('a decline that the hub did not hear is said so, also by a background that has just started', async () => {
  const decline = { type: 'decline_annotation', payload: { annotationId: 'a_unknown' } } as const;
  expect(await ask(decline, page)).toMatchObject({
    error: expect.stringContaining('The hub does not answer'),
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

const pointed = (url: string): ToBackground => ({
  type: 'send_to_chat',
  payload: {
    id: 'm_pointed',
    selection: {
      element: {
        tagName: 'BUTTON',
        classList: [],
        textContent: 'Save',
        attributes: {},
        boundingBox: { x: 0, y: 0, width: 1, height: 1 },
      },
      ancestors: [],
    },
    text: ' Make it blue ',
    url,
    title: 'Shop',
    picture: true,
  },
});

test('what a page sends to the chat is kept in its own tab’s conversation, and no other site’s', async () => {
  expect(await ask(pointed(`${SITE}/shop?token=abcdef0123456789`), page)).toEqual({
    ok: { picture: 'none' },
  });
  expect(await ask(pointed('http://localhost:9999/'), page)).toMatchObject({
    error: expect.stringContaining('another page'),
  });
  const { sessionId = '', chats } = await app.views.stateOf(page.tabId);
  expect(chats).toMatchObject([{ sessionId, tabId: page.tabId }]);
  const chat = await app.conversations.state(sessionId);
  expect(chat?.messages).toMatchObject([{ content: 'Make it blue', delivery: 'waiting' }]);
  expect(JSON.stringify(chat)).not.toContain('abcdef0123456789');
});

test('what belongs to no field of a selection is not kept, however deep it stands', async () => {
  const said = pointed(`${SITE}/shop`);
  if (said.type !== 'send_to_chat') throw new Error('it is one to the chat');
  const { selection } = said.payload;
  const parent = { tagName: 'MAIN', classList: [], planted: 'twice' };
  Object.assign(selection.element, { planted: 'once' });
  Object.assign(selection, { ancestors: [parent], children: [parent], planted: 'thrice' });
  expect(await ask(said, page)).toEqual({ ok: { picture: 'none' } });
  const store = await openStore();
  const kept = JSON.stringify(await store.getAll('contexts'));
  store.close();
  expect(kept).toContain('MAIN');
  expect(kept).not.toContain('planted');
});

test('what is asked for again is done once, and only for whose it is', async () => {
  expect(await ask(pointed(`${SITE}/shop`), page)).toEqual({ ok: { picture: 'none' } });
  expect(await ask(pointed(`${SITE}/shop`), page)).toEqual({ ok: { picture: 'none' } });
  const { sessionId = '' } = await app.views.stateOf(page.tabId);
  expect((await app.conversations.state(sessionId))?.messages).toHaveLength(1);

  const { targets } = sampleComment('c_1');
  const made = { id: 'c_1', targets, text: 'Hi', url: `${SITE}/shop`, title: 'Shop', picture: true };
  const create: ToBackground = { type: 'create_comment', payload: made };
  const first = await ask(create, page);
  expect(first).toMatchObject({ ok: { comment: { id: 'c_1', text: 'Hi' } } });
  expect(await ask(create, page)).toEqual(first);
  expect((await app.comments.all()).length).toBe(1);
  expect((await app.comments.outstanding(SITE)).waiting).toBe(3); // selection, message, comment

  const elsewhere = { ...page, url: 'http://localhost:9999/', origin: 'http://localhost:9999' };
  const stolen: ToBackground = { type: 'create_comment', payload: { ...made, url: elsewhere.url } };
  expect(await ask(stolen, elsewhere)).toMatchObject({ error: expect.stringMatching(/not known here/) });
});

test('nothing can be said in a conversation whose page is closed', async () => {
  const message = {
    type: 'send_message',
    payload: { id: 'm_1', sessionId: 's_gone', text: 'Hello' },
  } as const;
  expect(await ask(message, panel)).toMatchObject({ error: expect.stringContaining('is closed') });
});

test('a change without a hub is kept and waits', async () => {
  await app.comments.create(sampleComment('c_1'), 's_1', null);
  await ask({ type: 'change_comment', payload: { commentId: 'c_1', change: { kind: 'resolve' } } }, page);
  expect(await app.views.stateOf(page.tabId)).toMatchObject({
    comments: [{ id: 'c_1', status: 'resolved' }],
    connection: { hub: 'none', waiting: 2 },
  });
});

test('an export can be imported elsewhere, and a broken file changes nothing', async () => {
  await app.comments.create(sampleComment('c_1', 'Kept'), 's_1', null);
  const { tabId } = page;
  const exported = await ask({ type: 'export_json', payload: { tabId } }, panel);
  const json = 'ok' in exported ? String(exported.ok) : '';
  expect(await ask({ type: 'import_comments', payload: { tabId, json } }, panel)).toEqual({
    ok: { added: 0, updated: 0, skipped: 1, full: 0 },
  });
  const broken = await ask({ type: 'import_comments', payload: { tabId, json: json.slice(0, -9) } }, panel);
  expect(broken).toHaveProperty('error');
  expect((await app.comments.all()).map(({ text }) => text)).toEqual(['Kept']);
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
  forbidden = 'https://shop.example/*';
  const refused = { error: expect.stringContaining('not allowed on this site'), leave: true };
  const asked: ToBackground[] = [
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
  forbidden = '';
  expect(await ask({ type: 'get_page_state', payload: {} }, kept)).toHaveProperty('ok');
});

test('a capture that did not arrive whole is said to be lost, so that the page sends it again', async () => {
  const describe: ToBackground = {
    type: 'describe',
    payload: { capture: { ...sent('a'), pieces: 2 }, nodes: [3], probes: [null] },
  };
  const lost = { error: expect.stringContaining('did not arrive whole'), isLost: true };
  expect(await ask(describe, page)).toEqual(lost);
  await send('a', 'Save'); // the first piece of two
  expect(await ask(describe, page)).toEqual(lost);
  expect(await ask({ type: 'relocate', payload: { capture: sent('b'), commentIds: [] } }, page)).toEqual(
    lost,
  );
  // What else goes wrong is the same when it is sent again.
  await send('c', 'Save');
  const wrong: ToBackground = {
    type: 'describe',
    payload: { capture: sent('c'), nodes: [99], probes: [null] },
  };
  expect(await ask(wrong, page)).toEqual({ error: expect.any(String) });
});

/** Items that wait for a picture and were not tried. */
async function heldItems(): Promise<number> {
  const store = await openStore();
  const items = await store.getAll('outbox');
  store.close();
  return items.filter(({ attempts, retryAt }) => attempts === 0 && retryAt !== undefined).length;
}

test('a page that hangs when its picture is taken delays neither comment nor message, and the picture is added', async () => {
  let goOn = () => {};
  const hangs = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  fakeBrowser.tabs.sendMessage = (async (_tabId: number, message: { type: string }) => {
    if (message.type.endsWith('_picture')) await hangs;
    return null;
  }) as typeof fakeBrowser.tabs.sendMessage;
  Object.assign(fakeBrowser.tabs, { get: async (id: number) => ({ id, windowId: 1, active: true }) });
  const { targets } = sampleComment('c_1');
  const payload = { id: 'c_1', targets, text: 'Hi', url: `${SITE}/shop`, title: '', picture: true };
  const answers = [ask({ type: 'create_comment', payload }, page), ask(pointed(`${SITE}/shop`), page)];
  await eventually(async () => expect((await app.comments.outstanding(SITE)).waiting).toBe(3));
  expect((await app.comments.get('c_1'))?.text).toBe('Hi');
  expect(await app.comments.isHeld('c_1')).toBe(true);
  expect(await heldItems()).toBe(2);
  goOn();
  expect(await Promise.all(answers)).toEqual([
    { ok: { comment: expect.objectContaining({ id: 'c_1' }), picture: 'none' } },
    { ok: { picture: 'none' } },
  ]);
  expect(await heldItems()).toBe(0);
  const { sessionId = '', pictures } = await app.views.stateOf(page.tabId);
  expect(pictures).toEqual([]);
  // What comes is kept with what it is for.
  const png = new Blob(['png']);
  await app.comments.illustrate('c_1', png);
  expect((await app.views.stateOf(page.tabId)).pictures).toEqual(['c_1']);
  const [context] = (await app.conversations.state(sessionId))?.contexts ?? [];
  await app.conversations.illustrate(sessionId, context?.id ?? '', { element: png, viewport: null });
  expect(await app.conversations.picture(context?.id ?? '')).toBeDefined();
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
