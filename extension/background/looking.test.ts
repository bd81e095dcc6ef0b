/** What a tab tells of an element that the app's use changes, and of one whose source is edited: asked of the real core. */
import { beforeEach, expect, test } from 'vitest';
import type { Comment } from '../generated/Comment';
import type { FoundIn } from '../generated/FoundIn';
import type { Finding, Found, PageSource } from '../messages';
import { RouterWorld, SOURCE, sent } from '../testing/router-world';
import { sampleComment } from '../testing/samples';

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
  const page = { ...SOURCE, ...more };
  const payload = { capture: sent(id), commentIds: ['c_1'], page };
  const answer = (await world.ask({ type: 'judge', payload }, world.page)) as { ok: Finding[][] };
  const found = answer.ok[0]?.[0];
  if (!found || 'unreadable' in found) throw new Error(JSON.stringify(answer));
  return found;
}

/** What was seen last has rested: it is kept, and told as the page tells it. */
async function rest({ verdict, cause, counts, varied }: Found): Promise<Comment> {
  const { kind, confidence, diff, reason } = verdict;
  const state = { verdict: kind, confidence, diff, reason, cause, checkedAt: MADE + capture };
  const states = [counts && cause === 'source' ? state : null];
  const report = { commentId: 'c_1', states, ...(varied ? { varied: [varied] } : {}) };
  await world.ask({ type: 'report_states', payload: { reports: [report] } }, world.page);
  const kept = { capture: `p_${capture}`, commentIds: ['c_1'] };
  await world.ask({ type: 'keep_looks', payload: kept }, world.page);
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
  expect(again).toMatchObject({ verdict: { kind: 'changed' }, evidence: 'none', counts: false });
  expect((await rest(again)).status).toBe('outdated');
  // Looking as it did is no undoing of an edit without one.
  expect(await look('Save', { began: 30_000, changedAt: 20_000 })).toMatchObject({ cause: 'state' });
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
