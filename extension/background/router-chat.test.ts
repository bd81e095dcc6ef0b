/** What the background does with what is said on a page, and to whom. */
import { beforeEach, expect, test } from 'vitest';
import type { Asked } from '../messages';
import { panel, pointed, RouterWorld, SITE } from '../testing/router-world';
import { sampleComment } from '../testing/samples';
import { openStore } from './store';

let world: RouterWorld;
let { app, page, ask } = {} as RouterWorld;

beforeEach(async () => {
  world = await RouterWorld.create();
  ({ app, page, ask } = world);
});

test('a decline that the hub did not hear is said so, also by a background that has just started', async () => {
  const decline = { type: 'decline_annotation', payload: { annotationId: 'a_unknown' } } as const;
  expect(await ask(decline, page)).toMatchObject({
    error: expect.stringContaining('The host does not answer'),
  });
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
  const create: Asked = { type: 'create_comment', payload: made };
  const first = await ask(create, page);
  expect(first).toMatchObject({ ok: { comment: { id: 'c_1', text: 'Hi' } } });
  expect(await ask(create, page)).toEqual(first);
  expect((await app.comments.all()).length).toBe(1);
  expect((await app.comments.outstanding(SITE)).waiting).toBe(3); // selection, message, comment

  const elsewhere = { ...page, url: 'http://localhost:9999/', origin: 'http://localhost:9999' };
  const stolen: Asked = { type: 'create_comment', payload: { ...made, url: elsewhere.url } };
  expect(await ask(stolen, elsewhere)).toMatchObject({ error: expect.stringMatching(/not known here/) });
});

test('nothing can be said in a conversation whose page is closed', async () => {
  const message = {
    type: 'send_message',
    payload: { id: 'm_1', sessionId: 's_gone', text: 'Hello' },
  } as const;
  expect(await ask(message, panel)).toMatchObject({ error: expect.stringContaining('is closed') });
});
