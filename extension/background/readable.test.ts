import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import type { Selection } from '../generated/Selection';
import { loadCoreForTest } from '../testing/core';
import { damage } from '../testing/damage';
import { sampleComment, sampleTarget } from '../testing/samples';
import { Comments } from './comments';
import { Conversations } from './conversations';
import { Readable } from './readable';
import { openStore, type Store } from './store';
import { tidyConversations, tidyPictures } from './tidy';

const ORIGIN = 'http://localhost:5173';
const core = loadCoreForTest();
let store: Store;
let told: number;
let readable: Readable;

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = await openStore();
  told = 0;
  readable = new Readable(core, () => {
    told += 1;
  });
});

const element = {
  tagName: 'button',
  classList: ['primary'],
  textContent: 'Save',
  attributes: { type: 'submit' },
  boundingBox: { x: 0, y: 0, width: 10, height: 10 },
};
const selection: Selection = {
  element,
  ancestors: [{ tagName: 'main', classList: [] }],
  page: { url: `${ORIGIN}/shop`, title: 'Shop' },
  targets: [sampleTarget()],
};

/** What pages may make of one. */
const hostile: Record<string, unknown> = {
  'no element': { ...selection, element: undefined },
  'a class that is no text': { ...selection, element: { ...element, classList: [{}] } },
  'attributes that are a list': { ...selection, element: { ...element, attributes: ['x'] } },
  'ancestors that are none': { ...selection, ancestors: [null] },
  'a box of texts': {
    ...selection,
    element: { ...element, boundingBox: { x: '1', y: 0, width: 1, height: 1 } },
  },
  'a target without its parts': { ...selection, targets: [{ snapshot: null }] },
  'more text than fits': { ...selection, element: { ...element, textContent: 'x'.repeat(300_000) } },
  'an address that is none of a text': { ...selection, page: { url: 7, title: '' } },
  nothing: null,
};

test('a selection is read by the core, with and without what it may lack', () => {
  expect(readable.selection('browser', selection)).toEqual(selection);
  const { targets: _, ...rest } = selection;
  expect(readable.selection('browser', rest)).toEqual(rest);
  expect(told).toBe(0);
});

test.each(Object.keys(hostile))('a selection with %s is skipped and told', (what) => {
  expect(readable.selection('browser', hostile[what] as Selection)).toBeUndefined();
  expect(readable.sentences).toEqual([
    "1 part of a conversation kept in this browser can't be read and isn't shown. It stays there.",
  ]);
});

test('a hostile selection that is stored already keeps no conversation from being read', async () => {
  const base = { sessionId: 's_1', createdAt: 1, pictured: false };
  await store.put('threads', {
    sessionId: 's_1',
    origin: ORIGIN,
    url: ORIGIN,
    title: '',
    unread: 0,
    lastAt: 1,
  });
  await store.put('contexts', { ...base, ...selection, id: 'ctx_good', order: 1 });
  const all = Object.values(hostile).filter((one) => one !== null) as Selection[];
  for (const [at, bad] of all.entries()) {
    await store.put('contexts', { ...base, ...bad, id: `ctx_${at}`, order: at + 2 });
  }
  const message = {
    sessionId: 's_1',
    contextId: 'ctx_0',
    content: 'hi',
    isComplete: true,
    parts: 1,
    isRead: true,
  };
  const rest = { position: 1, createdAt: 1, delivery: 'sent' as const, order: 1 };
  await store.put('messages', { ...message, ...rest, id: 'm_1', role: 'user' });
  await store.put('messages', { ...message, ...rest, id: 'm_2', role: 'oracle' as never });
  const conversations = new Conversations({
    store,
    request: () => Promise.reject(new Error('not asked')),
    session: async () => undefined,
    changed: () => {},
    grew: () => {},
    answered: () => {},
    listed: () => {},
    readable,
  });
  const state = await conversations.state('s_1');
  expect(state?.contexts.map(({ id }) => id)).toEqual(['ctx_good']);
  expect(state?.messages.map(({ id }) => id)).toEqual(['m_1']);
  expect(readable.sentences.join()).toContain(`${all.length + 1} parts of a conversation`);
  expect(await store.count('contexts')).toBe(all.length + 1); // kept
});

test('a comment that cannot be read is skipped, kept and counted once; the others are there', async () => {
  const comments = new Comments(store, core.applyChange, () => {}, {
    readable: (comment) => readable.stored(comment),
  });
  await store.put('comments', { id: 'c_1', origin: ORIGIN, current: sampleComment('c_1') });
  const bad = { ...sampleComment('c_2'), status: 'dreaming' } as unknown as Comment;
  await store.put('comments', { id: 'c_2', origin: ORIGIN, current: bad });
  await store.put('comments', { id: 'c_3', origin: ORIGIN } as never);
  for (let time = 0; time < 3; time++) {
    expect((await comments.of(ORIGIN)).map(({ id }) => id)).toEqual(['c_1']);
    expect(await comments.all()).toHaveLength(1);
    expect(await comments.get('c_2')).toBeUndefined();
  }
  expect(readable.sentences).toHaveLength(1);
  expect(readable.sentences[0]).toContain('2 comments kept in this browser');
  expect(await store.count('comments')).toBe(3);
  // The hub's version mends it.
  await comments.hear([sampleComment('c_2', 'From the hub')]);
  expect((await comments.get('c_2'))?.text).toBe('From the hub');
  expect(readable.sentences[0]).toContain('1 comment kept in this browser');
});

test('one comment of the hub with a word that is not known keeps no other from being taken', () => {
  const strange = { ...sampleComment('c_2'), stage: 'levitating' };
  const heard = [sampleComment('c_1'), strange, null, sampleComment('c_3')].flatMap(
    (comment) => readable.heard(comment) ?? [],
  );
  expect(heard.map(({ id }) => id)).toEqual(['c_1', 'c_3']);
  expect(readable.sentences).toEqual([
    "2 comments from the host can't be read and aren't shown. Update the extension and opentoolbar.",
  ]);
  readable.heard(sampleComment('c_2'));
  expect(readable.sentences[0]).toContain('1 comment from the host');
});

test('what the host left out of its answers is told, and no more once it can read it', () => {
  readable.skippedByHost('comment', ORIGIN, 2, 'all');
  readable.skippedByHost('comment', 'http://localhost:8080', 1, 'all');
  readable.skippedByHost('conversation', 's_1', 1, 'new');
  readable.skippedByHost('conversation', 's_1', undefined, 'new'); // nothing is said of what was left out before
  const look = 'Nothing is deleted: `opentoolbar status` says what to do.';
  expect(readable.sentences).toEqual([
    `3 comments that the host keeps can't be read and aren't shown. ${look}`,
    `1 part of conversations that the host keeps can't be read and isn't shown. ${look}`,
  ]);
  expect(told).toBe(3);
  readable.skippedByHost('comment', ORIGIN, undefined, 'all');
  readable.skippedByHost('conversation', 's_1', 0, 'all');
  readable.skippedByHost('comment', ORIGIN, 'many', 'all');
  expect(readable.sentences).toEqual([
    `1 comment that the host keeps can't be read and isn't shown. ${look}`,
  ]);
});

test('of the agents that the hub tells of, those that can be read are there', () => {
  const project = { root: '/shop', name: 'shop' };
  const agents = readable.agents([
    { client: 'codex', project, lastSeen: 1, presence: 'answers' },
    { client: 'claude', project, lastSeen: 1, presence: 'daydreams' },
    { client: 'no project', lastSeen: 1 },
    null,
  ]);
  expect(agents.map(({ client, presence }) => [client, presence])).toEqual([
    ['codex', 'answers'],
    ['claude', 'unknown'],
  ]);
  expect(readable.sentences[0]).toContain('2 agents');
  expect(readable.agents('none')).toEqual([]);
});

test('news that are not understood are counted by their kind', () => {
  for (const type of ['comet_seen', 'comet_seen', 'moon_landed', undefined]) readable.notUnderstood(type);
  expect(readable.sentences).toEqual([
    "3 kinds of news from the host can't be read and aren't shown. Update the extension and opentoolbar.",
  ]);
  expect(told).toBe(3);
});

test('records that the browser cannot read hide no others, are told by what they are, and once they can be are told no more', async () => {
  store.onReadable = (...record) => readable.record(...record);
  const base = { sessionId: 's_1', origin: ORIGIN, url: `${ORIGIN}/`, title: '', unread: 0, lastAt: 1 };
  const message = { ...base, role: 'user' as const, content: 'hi', isComplete: true, parts: 1, isRead: true };
  const rest = { position: 1, createdAt: 1, delivery: 'sent' as const };
  await store.put('threads', base);
  await store.put('threads', { ...base, sessionId: 's_2' });
  for (const [order, id] of ['m_1', 'm_2', 'm_3'].entries())
    await store.put('messages', { ...message, ...rest, id, order });
  const problem = { origin: ORIGIN, subject: 'c_1', sentence: 'Refused.', at: 1 };
  const request = {
    type: 'change_comment',
    payload: { commentId: 'c_1', change: { kind: 'resolve' }, at: 1 },
  };
  await store.put('problems', { ...problem, request } as never);
  await store.put('problems', { ...problem, request, sentence: 'Damaged.' } as never);
  const [, second] = await store.getAllKeys('problems');
  await damage(store, 'messages', 'm_2');
  await damage(store, 'threads', 's_2');
  await damage(store, 'problems', second);
  const conversations = new Conversations({
    store,
    request: () => Promise.reject(new Error('not asked')),
    session: async () => undefined,
    changed: () => {},
    grew: () => {},
    answered: () => {},
    listed: () => {},
    readable,
  });
  expect((await conversations.state('s_1'))?.messages.map(({ id }) => id)).toEqual(['m_1', 'm_3']);
  expect((await conversations.list()).map(({ sessionId }) => sessionId)).toEqual(['s_1']);
  const comments = new Comments(store, core.applyChange, () => {});
  expect((await comments.outstanding(ORIGIN)).problems.map(({ sentence }) => sentence)).toEqual(['Refused.']);
  await tidyConversations(store, Date.now());
  await tidyPictures(store, Date.now());
  expect(readable.sentences).toEqual([
    "2 parts of a conversation kept in this browser can't be read and aren't shown. It stays there.",
    "1 change kept in this browser can't be read and isn't sent. It stays there.",
  ]);
  expect(await store.count('messages')).toBe(3);
  await store.put('messages', { ...message, ...rest, id: 'm_2', order: 1 });
  await store.read('messages', 'm_2');
  expect(readable.sentences[0]).toContain('1 part of a conversation');
});
