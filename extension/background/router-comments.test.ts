/** What the background does with the comments that a page makes, reports and imports. */
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Comment } from '../generated/Comment';
import type { VerdictKind } from '../generated/VerdictKind';
import type { Asked } from '../messages';
import { eventually } from '../testing/eventually';
import { Hub } from '../testing/fake-hub';
import { panel, pointed, RouterWorld, SITE, SOURCE, sent } from '../testing/router-world';
import { sampleComment } from '../testing/samples';
import { openStore } from './store';

let world: RouterWorld;
let { app, page, ask, send } = {} as RouterWorld;

beforeEach(async () => {
  world = await RouterWorld.create();
  ({ app, page, ask, send } = world);
});

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
  const found = await ask({ type: 'judge', payload: { capture: sent('b'), commentIds, page: SOURCE } }, page);
  expect(found).toMatchObject({
    ok: [
      [{ unreadable: expect.stringMatching(/cannot be looked for: the anchor is damaged.*\.$/) }],
      [{ unreadable: expect.stringMatching(/update opentoolbar\.$/) }],
      [{ inView: true, verdict: { kind: 'unchanged', node: 3 } }],
    ],
  });
  expect((await app.comments.all()).map(({ status }) => status)).toEqual(['active', 'active', 'active']);
});

test('what a page reports is stored once, and an undo makes the comment active again', async () => {
  await app.comments.create(sampleComment('c_1'), 's_1', null);
  const report = (verdict: VerdictKind, after: string): Asked => {
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

test('a capture that did not arrive whole is said to be lost, so that the page sends it again', async () => {
  const describe: Asked = {
    type: 'describe',
    payload: { capture: { ...sent('a'), pieces: 2 }, nodes: [3], probes: [null] },
  };
  const lost = { error: expect.stringContaining('did not arrive whole'), isLost: true };
  expect(await ask(describe, page)).toEqual(lost);
  await send('a', 'Save'); // the first piece of two
  expect(await ask(describe, page)).toEqual(lost);
  expect(
    await ask({ type: 'judge', payload: { capture: sent('b'), commentIds: [], page: SOURCE } }, page),
  ).toEqual(lost);
  // What else goes wrong is the same when it is sent again.
  await send('c', 'Save');
  const wrong: Asked = {
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

test('a page that asks once more has no other picture taken, unless the comment is still held for one', async () => {
  let taken = 0;
  fakeBrowser.tabs.sendMessage = (async (_tabId: number, message: { type: string }) => {
    if (message.type === 'begin_picture') taken += 1;
    return null;
  }) as typeof fakeBrowser.tabs.sendMessage;
  Object.assign(fakeBrowser.tabs, { get: async (id: number) => ({ id, windowId: 1, active: true }) });
  const { targets } = sampleComment('c_1');
  const payload = { id: 'c_1', targets, text: 'Hi', url: `${SITE}/shop`, title: '', picture: true };
  await ask({ type: 'create_comment', payload }, page);
  const once = taken;
  expect(await ask({ type: 'create_comment', payload }, page)).toMatchObject({ ok: { picture: 'none' } });
  expect([once > 0, taken]).toEqual([true, once]);
  const store = await openStore();
  const [item] = await store.getAll('outbox', undefined, 1);
  await store.put('outbox', { ...item, retryAt: Date.now() + 9_000 } as never);
  store.close();
  await ask({ type: 'create_comment', payload }, page);
  expect(taken).toBe(2 * once);
});

test('the key that tells a page from others with the same redacted address goes to no hub, with nothing that the page makes', async () => {
  const at = async (token: string) => {
    const url = `${SITE}/reset/${token}`;
    const { id: tabId = -1 } = await fakeBrowser.tabs.create({ url });
    return { ...page, url, tabId, title: 'Reset' };
  };
  const here = await at('k3j4h5g6f7d8s9a0');
  const hub = new Hub();
  const asked: string[] = [];
  world.request = (request, id = 'm_0') => {
    asked.push(JSON.stringify(request));
    return hub.send(request, id);
  };
  await ask({ type: 'get_page_state', payload: {} }, here);
  const made = { targets: sampleComment('c_1').targets, url: `${SITE}/reset/[redacted]`, title: 'Reset' };
  const payload = { ...made, id: 'c_1', text: 'Hi', picture: false };
  expect(await ask({ type: 'create_comment', payload }, here)).toHaveProperty('ok');
  await ask(
    { type: 'keep_draft', payload: { pathname: '/reset/[redacted]', url: here.url, text: 'Half' } },
    here,
  );
  await ask(pointed(made.url), here);
  const change = { kind: 'reply', id: 'r_1', text: 'Here' } as const;
  await ask({ type: 'change_comment', payload: { commentId: 'c_1', change } }, here);
  // Another page of the site shows the comment by the beginning of its key, and says what it did with it.
  const there = await at('z9x8c7v6b5n4m3q2');
  const shown = await ask({ type: 'get_page_state', payload: {} }, there);
  await ask({ type: 'page_moved', payload: { url: there.url, title: 'Reset' } }, there);
  await ask({ type: 'change_comment', payload: { commentId: 'c_1', change: { kind: 'delete' } } }, there);
  await app.outbox.flush();
  const key = (await app.pages.of(here.url)) ?? '';
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect((await app.comments.pages(SITE)).get('c_1')).toBe(key);
  expect(JSON.stringify(shown)).toContain(` · ${key.slice(0, 6)}`);
  const types = asked.map((request) => (JSON.parse(request) as { type: string }).type);
  expect(new Set(types)).toEqual(
    new Set(['open_session', 'create_comment', 'set_context', 'user_message', 'change_comment']),
  );
  for (const request of asked) {
    expect(request).not.toContain(key);
    expect(request).not.toContain(` · ${key.slice(0, 6)}`);
    expect(request).not.toMatch(/k3j4h5g6|z9x8c7v6/);
  }
});

test('what was on the screen of a panel is seen in every tab of the site', async () => {
  await send('a', '{}');
  const other = { ...page, tabId: page.tabId + 1 };
  await ask({ type: 'get_page_state', payload: {} }, other);
  await app.comments.create(sampleComment('c_1'), 's_1', null);
  await app.answered.add('c_1');
  const changed = vi.spyOn(app.views, 'changedOrigin');
  const unseen = async () => app.answered.of(await app.comments.of(SITE));
  expect(await unseen()).toEqual(['c_1']);
  const seen: Asked = { type: 'seen_answers', payload: { tabId: page.tabId, commentIds: ['c_1'] } };
  expect(await ask(seen, page)).toMatchObject({ error: expect.stringContaining('not allowed') });
  expect(await ask(seen, panel)).toEqual({ ok: null });
  expect([await unseen(), changed.mock.calls]).toEqual([[], [[SITE]]]);
  // No news.
  await ask(seen, panel);
  expect(changed).toHaveBeenCalledTimes(1);
});
