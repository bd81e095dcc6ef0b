import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Answer } from '../generated/Answer';
import type { ErrorCode } from '../generated/ErrorCode';
import type { Request } from '../generated/Request';
import { eventually, quiet } from '../testing/eventually';
import { LinkLost } from './link';
import { Sessions, type TabSession } from './sessions';

const shop = { root: '/shop', name: 'shop' };
let asked: Request[];
let opened: TabSession[];
let linked: boolean;
/** The hub cannot open so many sessions. */
let ill: number;
let fault: ErrorCode;
let faultsOfClose: ErrorCode[];
let project: typeof shop | undefined;

/** `hub`: what it does before it answers. */
function sessions(hub: (request: Request) => Promise<void> = async () => {}): Sessions {
  return new Sessions({
    async request(request): Promise<Answer> {
      if (!linked) throw new LinkLost('no link');
      asked.push(request);
      await hub(request);
      const code = request.type === 'close_session' ? faultsOfClose.shift() : undefined;
      if (code) return { type: 'error', payload: { code, message: 'It is ill', nextStep: 'Wait.' } };
      if (request.type === 'open_session' && ill-- > 0)
        return { type: 'error', payload: { code: fault, message: 'It is ill', nextStep: 'Wait.' } };
      if (request.type !== 'open_session') return { type: 'done' };
      const { id } = request.payload;
      const payload = { sessionId: id, reason: 'because', choices: [], ...(project ? { project } : {}) };
      return { type: 'session', payload };
    },
    redact: (text) => text.replace(/token=\w+/, 'token=[redacted]'),
    changed: () => {},
    opened: (session) => void opened.push(session),
  });
}
const sent = <T extends Request['type']>(type: T) =>
  asked.filter((request): request is Extract<Request, { type: T }> => request.type === type);
const closed = () => sent('close_session').map(({ payload }) => payload.sessionId);
let tab: number;

beforeEach(async () => {
  fakeBrowser.reset();
  asked = [];
  opened = [];
  linked = true;
  ill = 0;
  fault = 'internal';
  faultsOfClose = [];
  project = shop;
  tab = (await fakeBrowser.tabs.create({ url: 'http://localhost:5173/' })).id ?? -1;
});

test('a tab keeps its session while it stays on the origin, and gets another where it goes', async () => {
  const all = sessions();
  const first = await all.visit(tab, 'http://localhost:5173/', 'Home');
  const same = await all.visit(tab, 'http://localhost:5173/cart', 'Cart');
  expect(same.id).toBe(first.id);
  const other = await all.visit(tab, 'http://localhost:8080/', 'Other');
  await quiet();
  expect(other.id).not.toBe(first.id);
  expect(sent('close_session')).toEqual([{ type: 'close_session', payload: { sessionId: first.id } }]);
});

test('a secret that the end of a long title cuts in two does not reach the hub', async () => {
  const title = `${'x'.repeat(985)} token=abcdefghijklmnop`;
  const session = await sessions().visit(tab, 'http://localhost:5173/', title);
  expect(session.title).toHaveLength(1_000);
  expect(session.title).not.toContain('abc');
});

test('an address reaches neither storage nor the hub with its secrets', async () => {
  const session = await sessions().visit(tab, 'http://localhost:5173/?token=abc', 'Home');
  await quiet();
  expect(session.url).toBe('http://localhost:5173/?token=[redacted]');
  expect(JSON.stringify([asked, await fakeBrowser.storage.session.get(null)])).not.toContain('token=abc');
});

test('a restarted background knows its sessions, without those of closed tabs', async () => {
  const session = await sessions().visit(tab, 'http://localhost:5173/', 'Home');
  await quiet();
  const gone = tab + 100;
  await sessions().visit(gone, 'http://localhost:5173/', 'Home');
  await quiet();
  const restarted = sessions();
  expect((await restarted.all()).map(({ tabId }) => tabId)).toEqual([tab]);
  expect((await restarted.of(tab))?.id).toBe(session.id);
});

test('without a link a session waits, and is opened when there is one', async () => {
  linked = false;
  const all = sessions();
  await all.visit(tab, 'http://localhost:5173/', 'Home');
  await quiet();
  expect(opened).toEqual([]);
  linked = true;
  await all.connected();
  expect(opened.map((session) => session.project)).toEqual([shop]);
});

test('a comment of a closed tab names its own session, which is not opened: agents would take it for a page', async () => {
  const all = sessions();
  expect(await all.ensure('s_old', 'http://localhost:5173')).toBe('s_old');
  expect(asked).toEqual([]);
  const open = await all.visit(tab, 'http://localhost:5173/', 'Home');
  await quiet();
  expect(await all.ensure('s_old', 'http://localhost:5173')).toBe(open.id);
  all.forget(open.id);
  await all.ensure('s_old', 'http://localhost:5173');
  expect(sent('open_session').map(({ payload }) => payload.id)).toEqual([open.id, open.id]);
});

test('the session of an open tab is found by its project, and none of another', async () => {
  const all = sessions();
  const open = await all.visit(tab, 'http://localhost:5173/', 'Home');
  await quiet();
  expect(await all.in('http://localhost:5173', '/shop')).toBe(open.id);
  expect(await all.in('http://localhost:5173', '/other')).toBeUndefined();
  expect(await all.in('http://localhost:8080', '/shop')).toBeUndefined();
});

test('a session that was opened for words of a closed tab is closed when nothing is awaited in it', async () => {
  const all = sessions();
  const open = await all.visit(tab, 'http://localhost:5173/', 'Home');
  await quiet();
  await all.keep({ id: 's_old', url: 'http://localhost:5173/cart', title: 'Cart' });
  await all.keep({ id: 's_done', url: 'http://localhost:5173/cart', title: 'Cart' });
  await all.tidy(async (id) => id === 's_old');
  expect(sent('close_session').map(({ payload }) => payload)).toEqual([{ sessionId: 's_done' }]);
  await all.tidy(async () => false);
  expect(sent('close_session').at(-1)?.payload).toEqual({ sessionId: 's_old' });
  // An open tab's stays, and what was closed can be opened again.
  expect(sent('close_session').map(({ payload }) => payload)).not.toContainEqual({ sessionId: open.id });
  await all.keep({ id: 's_old', url: 'http://localhost:5173/cart', title: 'Cart' });
  expect(sent('open_session').at(-1)?.payload).toMatchObject({ id: 's_old' });
});

test('a session of a closed tab is closed, though the hub once did not know it', async () => {
  const all = sessions();
  await all.keep({ id: 's_done', url: 'http://localhost:5173/cart', title: 'Cart' });
  all.forget('s_done');
  await all.tidy(async () => false);
  expect(sent('close_session').map(({ payload }) => payload)).toEqual([{ sessionId: 's_done' }]);
});

test('a session that was opened for words of a closed tab is closed, also when the tabs’ were opened again meanwhile', async () => {
  const all = sessions();
  await all.keep({ id: 's_done', url: 'http://localhost:5173/cart', title: 'Cart' });
  await all.reopen();
  await all.tidy(async () => false);
  expect(closed()).toEqual(['s_done']);
});

test.each(['closes', 'goes to another origin'])(
  'the hub hears that a tab %s, also when it once did not know its session',
  async (how) => {
    const all = sessions();
    const { id } = await all.visit(tab, 'http://localhost:5173/', 'Home');
    await quiet();
    all.forget(id);
    if (how === 'closes') await all.leave(tab);
    else await all.visit(tab, 'http://localhost:8080/', 'Other');
    await quiet();
    expect(closed()).toEqual([id]);
  },
);

/** A hub that opens no session before it is let, as its disk holds it up: what comes later may overtake that. */
function slowHub(closes: (release: () => void) => void = () => {}) {
  let release = () => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  const open = new Set<string>();
  const all = sessions(async (request) => {
    if (request.type === 'open_session') {
      await slow;
      open.add(request.payload.id);
    }
    if (request.type === 'close_session') {
      open.delete(request.payload.sessionId);
      closes(release);
    }
  });
  return { all, open, release };
}

test('a tab that closes before the hub has opened its session is closed there after that', async () => {
  const { all, open, release } = slowHub();
  await all.visit(tab, 'http://localhost:5173/', 'Home');
  await all.leave(tab);
  await quiet();
  release();
  await eventually(() => expect(closed()).toHaveLength(2));
  await quiet();
  expect([...open]).toEqual([]);
});

test('a tab that goes to another origin while its session is opened leaves none open at the hub', async () => {
  // The open that the close has overtaken is done right behind it.
  const { all, open } = slowHub((release) => release());
  const first = await all.visit(tab, 'http://localhost:5173/', 'Home');
  const second = await all.visit(tab, 'http://localhost:8080/', 'Other');
  await eventually(() => expect(open).toContain(second.id));
  await quiet();
  expect([...open]).toEqual([second.id]);
  expect(closed()).toEqual([first.id, first.id]);
});

test('a hub that could not close a session is asked again, unless it is wanted again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const all = sessions();
    const page = { url: 'http://localhost:5173/', title: 'Home' };
    const { id } = await all.visit(tab, page.url, page.title);
    faultsOfClose = ['internal', 'rate_limited'];
    await all.leave(tab);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(closed()).toEqual([id, id, id]);
    await all.keep({ id: 's_old', ...page });
    faultsOfClose = ['internal'];
    await all.tidy(async () => false);
    await all.keep({ id: 's_old', ...page });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(closed().slice(3)).toEqual(['s_old']);
  } finally {
    vi.useRealTimers();
  }
});

test('a session that the hub does not know any more is opened again while its tab is open, ever more seldom', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const all = sessions();
    const { id } = await all.visit(tab, 'http://localhost:5173/', 'Home');
    await vi.advanceTimersByTimeAsync(0);
    all.forget('s_of_a_closed_tab');
    all.forget(id);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent('open_session').map(({ payload }) => payload.id)).toEqual([id, id]);
    // A hub that forgets it each time.
    for (let second = 0; second < 120; second++) {
      all.forget(id);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(sent('open_session').length).toBeLessThan(12);
    asked = [];
    all.forget(id);
    await all.leave(tab);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sent('open_session')).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('first visits that come at once, as a cold start hears them, make one session', async () => {
  const all = sessions();
  const visits = await Promise.all(
    ['/', '/cart', '/', '/'].map((path) => all.visit(tab, `http://localhost:5173${path}`, path)),
  );
  await quiet();
  expect(new Set(visits.map(({ id }) => id)).size).toBe(1);
  expect(new Set(sent('open_session').map(({ payload }) => payload.id)).size).toBe(1);
  expect(await all.all()).toHaveLength(1);
});

test('a tab that moves and is left all at once keeps the session of its last visit, and closes every other', async () => {
  const other = (await fakeBrowser.tabs.create({ url: 'http://localhost:5173/' })).id ?? -1;
  const all = sessions();
  await all.visit(other, 'http://localhost:5173/', 'Other tab');
  const origins = ['http://localhost:1', 'http://localhost:2', 'http://localhost:1', 'http://localhost:3'];
  const steps = origins.flatMap((origin, at) => [
    all.visit(tab, `${origin}/`, ''),
    all.visit(tab, `${origin}/a`, ''),
    ...(at % 2 ? [all.leave(tab)] : []),
  ]);
  await Promise.all([...steps, all.visit(tab, 'http://localhost:4/', '')]);
  await quiet();
  const open = await all.all();
  expect(open.map(({ origin }) => origin).sort()).toEqual(['http://localhost:4', 'http://localhost:5173']);
  const stored = (await fakeBrowser.storage.session.get('sessions')).sessions as TabSession[];
  expect(stored.map(({ id }) => id).sort()).toEqual(open.map(({ id }) => id).sort());
});

test.each(['internal', 'conflict'] as const)(
  'a session that the hub could not open (%s) is opened later, without anybody doing anything',
  async (code) => {
    ill = 1;
    fault = code;
    const all = sessions();
    const { id } = await all.visit(tab, 'http://localhost:5173/', 'Home');
    await eventually(async () => expect((await all.of(tab))?.project).toEqual(shop));
    expect(sent('open_session').map(({ payload }) => payload.id)).toEqual([id, id]);
  },
);

test('a session that stays taken is asked for once a pause, however often its tab moves', async () => {
  ill = Number.POSITIVE_INFINITY;
  fault = 'conflict';
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const all = sessions();
    for (let at = 0; at < 20; at++) {
      await all.visit(tab, `http://localhost:5173/${at}`, '');
      await vi.advanceTimersByTimeAsync(0);
    }
    asked = [];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent('open_session')).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});
