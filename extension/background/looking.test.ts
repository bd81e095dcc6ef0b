/**
 * What a tab tells of an element that the app's use changes, and of one whose source is edited: asked of the real core.
 */
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Comment } from '../generated/Comment';
import type { FoundIn } from '../generated/FoundIn';
import type { TargetState } from '../generated/TargetState';
import { reportOf } from '../page/looking/reports';
import type { Finding, Found, PageSource } from '../state/looking';
import { pieceOf } from '../state/pieces';
import { eventually } from '../testing/eventually';
import { panel, RouterWorld, SITE, SOURCE, sent } from '../testing/router-world';
import { sampleComment } from '../testing/samples';
import { mayHaveChanged } from '../verdict/cause';
import { SeenStates } from './seen-states';
import type { PanelPort } from './views';

const MADE = 10_000;
let world: RouterWorld;
let capture = 0;

beforeEach(async () => {
  world = await RouterWorld.create();
  capture = 0;
});

/** The page shows a button with this text; a comment on it is looked for. */
async function look(text: string, more: Partial<PageSource> = {}): Promise<Found> {
  capture += 1;
  const id = `p_${capture}`;
  await world.send(id, text);
  return judged(id, more);
}

/** The comment is looked for on what a page has sent. */
async function judged(id: string, more: Partial<PageSource> = {}, sender = world.page): Promise<Found> {
  const page = { ...SOURCE, ...more };
  const payload = { capture: sent(id), commentIds: ['c_1'], page };
  const answer = (await world.ask({ type: 'judge', payload }, sender)) as { ok: Finding[][] };
  const found = answer.ok[0]?.[0];
  if (!found || 'unreadable' in found) throw new Error(JSON.stringify(answer));
  return found;
}

/** What was seen last has rested: it is kept, and told as the page tells it. */
async function rest(found: Found, sender = world.page, checkedAt = MADE + capture): Promise<Comment> {
  const { varied } = found;
  const states = reportOf([found], checkedAt) ?? [];
  const report = { commentId: 'c_1', states, ...(varied ? { varied: [varied] } : {}) };
  await world.ask({ type: 'report_states', payload: { reports: [report] } }, sender);
  const kept = { capture: `p_${capture}`, commentIds: ['c_1'] };
  await world.ask({ type: 'keep_looks', payload: kept }, sender);
  const comment = await world.app.comments.get('c_1');
  if (!comment) throw new Error('no comment');
  return comment;
}

async function commentOn(text: string): Promise<void> {
  await world.send('p_first', text);
  const request = { capture: sent('p_first'), nodes: [3], probes: [null] };
  const described = await world.ask({ type: 'describe', payload: request }, world.page);
  const { ok: targets } = described as { ok: Comment['targets'] };
  await world.app.comments.create({ ...sampleComment('c_1'), targets, createdAt: MADE }, 's_1', null);
}

test('a counter that is used is state, and is known to vary; an edit of its words is not', async () => {
  await commentOn('Open cart (0)');
  const used = await look('Open cart (1)');
  expect(used).toMatchObject({
    verdict: { kind: 'changed' },
    cause: 'state',
    evidence: 'none',
    counts: false,
  });
  const after = await rest(used);
  expect(after.status).toBe('active');
  expect(after.targets[0]?.state?.cause ?? 'state').toBe('state');
  expect(after.targets[0]?.varied).toBeDefined();

  const unrelated = await look('Open cart (2)', { changedAt: 20_000 });
  expect(unrelated).toMatchObject({ cause: 'state', evidence: 'hot' });
  expect((await rest(unrelated)).status).toBe('active');

  const edited = await look('Open basket (2)', { changedAt: 30_000 });
  expect(edited).toMatchObject({ cause: 'source', evidence: 'hot', counts: true });
  expect((await rest(edited)).status).toBe('outdated');
});

test('an edit that is loaded twice stays an edit, and its undoing heals', async () => {
  await commentOn('Save');
  const edited = await look('Store', { began: 20_000, changedAt: 20_000 });
  expect(edited).toMatchObject({ cause: 'source', evidence: 'loaded', counts: true });
  expect((await rest(edited)).status).toBe('outdated');
  const again = await look('Store', { began: 30_000, changedAt: 20_000 });
  // The tab that told of the edit may take that back, which this is not.
  expect(again).toMatchObject({ verdict: { kind: 'changed' }, evidence: 'none', counts: true });
  expect((await rest(again)).status).toBe('outdated');
  // Looking as it did is no undoing of an edit without one.
  const asBefore = await look('Save', { began: 30_000, changedAt: 20_000 });
  expect(asBefore).toMatchObject({ cause: 'state' });
  expect((await rest(asBefore)).status).toBe('outdated');
  const undone = await look('Save', { began: 40_000, changedAt: 40_000 });
  expect(undone).toMatchObject({ verdict: { kind: 'unchanged' }, cause: 'source', counts: true });
  expect((await rest(undone)).status).toBe('active');
});

test('what nothing can tell of after a load may have changed, and is told to nobody', async () => {
  await commentOn('Save');
  const found = await look('Store', { began: 20_000, isUnknown: true });
  expect(found).toMatchObject({ cause: 'unknown', evidence: 'unknown', counts: false });
  expect((await rest(found)).status).toBe('active');
  expect(await look('Store', { began: 20_000, isUnknown: true })).toMatchObject({ cause: 'unknown' });
});

test('what may have changed is shown in the panel of its tab and in its prompt, and stored nowhere', async () => {
  await commentOn('Save');
  const { tabId } = world.page;
  const shown: Comment[][] = [];
  const port: PanelPort = {
    postMessage: (said) => said.type === 'tab_state' && shown.push(said.state.comments),
  };
  world.app.views.watch(port, tabId, 'page');
  const mayHave = async (is: boolean) => {
    await eventually(() => expect(shown.at(-1)?.map(mayHaveChanged)).toEqual([is]));
    const payload = { tabId, level: 'standard' } as const;
    const prompt = await world.ask({ type: 'export_prompt', payload }, panel);
    expect(/may have changed/.test(JSON.stringify(prompt))).toBe(is);
    const json = await world.ask({ type: 'export_json', payload: { tabId } }, panel);
    expect(JSON.stringify(json)).not.toContain('Store');
    expect((await world.app.comments.get('c_1'))?.targets[0]?.state?.cause).toBeUndefined();
  };
  await mayHave(false);
  await look('Store', { began: 20_000, isUnknown: true });
  await mayHave(true);
  expect(shown.at(-1)?.[0]?.targets[0]?.state?.diff).toMatchObject([{ before: 'Save', after: 'Store' }]);
  // A background that was stopped meanwhile knows it still; another tab never did.
  const restarted = new SeenStates();
  const stored = await world.app.comments.all();
  expect((await restarted.over(tabId, stored)).map(mayHaveChanged)).toEqual([true]);
  expect((await restarted.over(tabId + 1, stored)).map(mayHaveChanged)).toEqual([false]);
  // The page's own script gets what is stored.
  expect((await world.app.views.stateOf(tabId)).comments.map(mayHaveChanged)).toEqual([false]);
  await look('Save', { began: 20_000, isUnknown: true });
  await mayHave(false);
  await look('Store', { began: 20_000, isUnknown: true });
  await mayHave(true);
  await world.ask({ type: 'get_page_state', payload: {} }, world.page);
  await mayHave(false);
});

test('what was stored as unsure is shown as the tab sees it', async () => {
  await commentOn('Save');
  const state: TargetState = {
    verdict: 'changed',
    confidence: 0.9,
    diff: [],
    reason: 'Its text changed.',
    cause: 'unknown',
    checkedAt: MADE,
  };
  await world.app.comments.change('c_1', { kind: 'report_states', states: [state] }, MADE);
  const stored = await world.app.comments.all();
  expect(stored.map(mayHaveChanged)).toEqual([true]);
  await look('Save', { began: 20_000, isUnknown: true });
  expect((await world.app.seenStates.over(world.page.tabId, stored)).map(mayHaveChanged)).toEqual([false]);
});

/** What a hub that is back says of the files: which changed last, and when. */
const filesSay = (at?: number) => {
  const word = { files: new Map(), ...(at === undefined ? {} : { at }) };
  world.app.files.of = () => [word];
};

for (const [kind, load] of Object.entries({
  'a load': { began: 20_000, isUnknown: true },
  'a document that is made of something else': { began: 20_000, madeOtherAt: 20_000 },
})) {
  test(`what may have changed since ${kind} is settled by a hub that is back`, async () => {
    await commentOn('Save');
    await rest(await look('Save'));
    const unsure = await look('Store', load);
    expect(unsure.cause).toBe('unknown');
    await rest(unsure);
    await rest(await look('Store', { ...load, began: 25_000 }));
    const known = { began: 30_000 };
    // A change since the load hides what was before it.
    filesSay(50_000);
    expect(await look('Store', known)).toMatchObject({ cause: 'unknown', counts: false });
    // A file changed before the load that showed it: the edit counts as if it had been seen at once.
    filesSay(15_000);
    expect(await look('Store', known)).toMatchObject({ cause: 'source', evidence: 'loaded', counts: true });
    // None did: it is state, and known to vary from then on.
    filesSay();
    const settled = await look('Store', known);
    expect(settled).toMatchObject({ verdict: { kind: 'changed' }, cause: 'state', counts: false });
    expect((await rest(settled)).targets[0]?.varied).toBeDefined();
    filesSay(50_000);
    expect(await look('Store', known)).toMatchObject({ cause: 'state', evidence: 'none' });
  });
}

test('in a document that is made of something else what differs may have changed, and what does not is used as before', async () => {
  await commentOn('Open cart (0)');
  const other = { began: 20_000, madeOtherAt: 20_000 };
  const found = await look('Open basket (0)', other);
  expect(found).toMatchObject({ cause: 'unknown', evidence: 'unknown', counts: false });
  expect((await rest(found)).status).toBe('active');
  // Loaded once more nobody knows more of it.
  const again = { ...other, began: 30_000 };
  const still = await look('Open basket (0)', again);
  expect(still.cause).toBe('unknown');
  await rest(still);
  // As it was: what it shows from then on is state, and known to vary.
  const same = await look('Open cart (0)', again);
  expect(same).toMatchObject({ verdict: { kind: 'unchanged' }, counts: false });
  await rest(same);
  const used = await look('Open cart (1)', again);
  expect(used).toMatchObject({ cause: 'state', evidence: 'none' });
  expect((await rest(used)).targets[0]?.varied).toBeDefined();
});

test('where words stand in the files is asked of what may be an edit alone, and what stands nowhere is none', async () => {
  await commentOn('Buy for $9');
  const asked: unknown[] = [];
  let answer: FoundIn[][] | undefined = [['changed_file', 'nowhere']];
  world.app.files.find = async (_session, queries) => {
    asked.push(...queries);
    return answer;
  };
  expect(await look('Buy for $12')).toMatchObject({ cause: 'state', evidence: 'none' });
  expect(asked).toEqual([]);
  expect(await look('Buy for $12', { changedAt: 20_000 })).toMatchObject({ cause: 'state', evidence: 'hot' });
  expect(asked).toEqual([{ since: MADE, words: ['9', '12'] }]);
  const edit = { cause: 'source', evidence: 'hot', counts: true };
  answer = [['nowhere', 'changed_file']];
  expect(await look('Buy for $12', { changedAt: 20_000 })).toMatchObject(edit);
  answer = undefined;
  const found = await look('Buy for $12', { changedAt: 20_000 });
  expect(found).toMatchObject(edit);
  expect(found).not.toHaveProperty('words');
});

/** Two tabs of a page with a dialog, open or closed, whose button is commented on. */
async function twoTabs() {
  const { id: tabId = -1 } = await fakeBrowser.tabs.create({ url: `${SITE}/shop` });
  const second = { ...world.page, tabId };
  await world.ask({ type: 'get_page_state', payload: {} }, second);
  /** `button`: what the dialog's button says; null: the dialog is closed. */
  const send = async (sender: typeof second, button: string | null) => {
    capture += 1;
    const words = [`${SITE}/shop`, 'html', 'body', 'h1', 'Shop', 'dialog', 'button', button ?? ''];
    const nodes = [
      [0, -1, 0, 0, 0, 0, 0, 800, 600, 1],
      [1, 0, 1, 0, 0, 0, 0, 800, 600, 1],
      [1, 1, 2, 0, 0, 0, 0, 800, 600, 1],
      [1, 2, 3, 0, 0, 8, 8, 200, 40, 1],
      [2, 3, 4, 0, 0, 0, 0, 0, 0, 1],
      [1, 2, 5, 0, 0, 100, 100, 300, 200, 1],
      [1, 5, 6, 0, 0, 120, 120, 60, 20, 3],
      [2, 6, 7, 0, 0, 0, 0, 0, 0, 1],
    ];
    const shown = nodes.slice(0, button === null ? 5 : 8).flat();
    const piece = pieceOf({ strings: words, nodes: shown, attributes: [], drawings: [] });
    const id = `p_${capture}`;
    await world.ask({ type: 'capture_piece', payload: { id, at: 0, piece } }, sender);
    return id;
  };
  const look = async (sender: typeof second, button: string | null, more: Partial<PageSource> = {}) =>
    judged(await send(sender, button), more, sender);
  const request = { capture: sent(await send(world.page, 'Pay')), nodes: [6], probes: [null] };
  const described = await world.ask({ type: 'describe', payload: request }, world.page);
  const { ok: targets } = described as { ok: Comment['targets'] };
  await world.app.comments.create({ ...sampleComment('c_1'), targets, createdAt: MADE }, 's_1', null);
  await rest(await look(world.page, 'Pay'));
  // The dialog was open in the other tab as well, and is closed there.
  await rest(await look(second, 'Pay'), second);
  await rest(await look(second, null), second);
  return { second, look };
}

const UPDATE = { changedAt: 20_000 };

test('a tab whose dialog is closed does not overrule the one that shows the edit', async () => {
  const { second, look } = await twoTabs();
  const edited = await look(world.page, 'Order', UPDATE);
  expect(edited).toMatchObject({ verdict: { kind: 'changed' }, cause: 'source', counts: true });
  expect((await rest(edited, world.page, 20_500)).status).toBe('outdated');
  // The same update came there, in the open page and by a load; then another one, of which nobody has told.
  for (const source of [UPDATE, { ...UPDATE, began: 30_000 }, { changedAt: 40_000, began: 40_000 }]) {
    const closed = await look(second, null, source);
    expect(closed).toMatchObject({ verdict: { kind: 'missing' }, cause: 'state', inView: false });
    const after = await rest(closed, second, 41_000);
    expect(after.status).toBe('outdated');
    expect(after.targets[0]?.state).toMatchObject({ verdict: 'changed', checkedAt: 20_500 });
  }
});

test('nor does one that looked before the edit was told, by its closed dialog or by what it still shows of before', async () => {
  const { second, look } = await twoTabs();
  const closed = await look(second, null, UPDATE);
  expect(closed).toMatchObject({ evidence: 'hot', cause: 'state', inView: false });
  expect((await rest(closed, second)).targets[0]?.state?.verdict ?? 'unchanged').toBe('unchanged');
  // Nobody has told: this tab may, though its dialog was closed when the update came.
  expect(await look(second, 'Order', UPDATE)).toMatchObject({ cause: 'source', counts: true });
  const edited = await look(world.page, 'Order', UPDATE);
  expect((await rest(edited, world.page, 20_500)).status).toBe('outdated');
  const again = await look(second, null, UPDATE);
  expect((await rest(again, second, 21_000)).status).toBe('outdated');
  // Now it was told: what this tab, which did not tell, still shows of before heals nothing.
  const shown = await look(second, 'Pay', UPDATE);
  expect(shown).toMatchObject({ verdict: { kind: 'unchanged' }, counts: false });
  expect((await rest(shown, second, 22_000)).status).toBe('outdated');
});

/** The page shows a list of names, each with a number. Answers with where the numbers are in the capture. */
async function sendRows(id: string, rows: readonly (readonly [string, string])[]): Promise<number[]> {
  const strings = [`${SITE}/shop`, 'html', 'body', 'ul', 'li', 'b', 'em'];
  const nodes = [
    [0, -1, 0],
    [1, 0, 1],
    [1, 1, 2],
    [1, 2, 3],
  ];
  const add = (kind: number, parent: number, text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return nodes.push([kind, parent, strings.indexOf(text)]) - 1;
  };
  const numbers = rows.map(([name, number]) => {
    const row = add(1, 3, 'li');
    add(2, add(1, row, 'b'), name);
    const shown = add(1, row, 'em');
    add(2, shown, number);
    return shown;
  });
  const flat = nodes.flatMap((node) => [...node, 0, 0, 0, 0, 80, 20, 1]);
  const piece = pieceOf({ strings, nodes: flat, attributes: [], drawings: [] });
  await world.ask({ type: 'capture_piece', payload: { id, at: 0, piece } }, world.page);
  return numbers;
}

test('the node that the page holds tells of which row a number is, and one that is gone that its row went', async () => {
  const [, second = 0] = await sendRows('p_rows', [
    ['Rope', 'one'],
    ['Tar', 'two'],
    ['Sails', 'five'],
  ]);
  const request = { capture: sent('p_rows'), nodes: [second], probes: [null] };
  const { ok: targets } = (await world.ask({ type: 'describe', payload: request }, world.page)) as {
    ok: Comment['targets'];
  };
  await world.app.comments.create({ ...sampleComment('c_1'), targets, createdAt: MADE }, 's_1', null);
  const numbers = await sendRows('p_used', [
    ['Rope', 'two'],
    ['Tar', 'one'],
    ['Sails', 'five'],
  ]);
  const ask = async (id: string, held?: (number | null)[][]) => {
    const payload = { capture: sent(id), commentIds: ['c_1'], page: SOURCE, ...(held ? { held } : {}) };
    const answer = (await world.ask({ type: 'judge', payload }, world.page)) as { ok: Finding[][] };
    return answer.ok[0]?.[0];
  };
  await sendRows('p_again', [
    ['Rope', 'two'],
    ['Tar', 'one'],
    ['Sails', 'five'],
  ]);
  expect(await ask('p_again')).not.toMatchObject({ verdict: { kind: 'changed', node: numbers[1] } });
  expect(await ask('p_used', [[numbers[1] ?? null]])).toMatchObject({
    verdict: { kind: 'changed', node: numbers[1] },
    cause: 'state',
    inView: true,
  });
  await sendRows('p_gone', [
    ['Rope', 'one'],
    ['Sails', 'two'],
  ]);
  expect(await ask('p_gone', [[0]])).toMatchObject({ verdict: { kind: 'missing' }, inView: false });
});
