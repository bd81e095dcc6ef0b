import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { damage } from '../testing/damage';
import { sampleComment, sampleTarget } from '../testing/samples';
import { Looks } from './looks';
import { openStore } from './store';

const comment = sampleComment('c_1');
let looks: Looks;

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  looks = new Looks(await openStore());
});

const propose = (capture: string, judgedAt: number, look?: string) =>
  looks.propose('s_1', capture, new Map([['c_1', [{ judgedAt, ...(look ? { look } : {}) }]]]));
const known = async (session = 's_1', of = comment) => (await looks.of(session, [of])).get(of.id)?.targets;

test('what was seen is kept when the page says so, by tab', async () => {
  propose('p_1', 5, 'as it was');
  expect(await known()).toBeUndefined();
  await looks.keep('s_1', 'p_1', [comment]);
  expect(await known()).toEqual([{ judgedAt: 5, look: 'as it was' }]);
  expect(await known('s_2')).toBeUndefined();
});

test('of a comment that was pinned anew nothing is known', async () => {
  propose('p_1', 5, 'as it was');
  await looks.keep('s_1', 'p_1', [comment]);
  const anew = { ...comment, targets: [{ ...sampleTarget(), anchor: 'other' }] };
  expect(await known('s_1', anew)).toBeUndefined();
});

test('a page of an older source, kept for the way back, says nothing; nor does a capture of long ago', async () => {
  propose('p_1', 5, 'new');
  await looks.keep('s_1', 'p_1', [comment]);
  propose('p_2', 3, 'old');
  await looks.keep('s_1', 'p_2', [comment]);
  expect(await known()).toEqual([{ judgedAt: 5, look: 'new' }]);
  for (let at = 0; at < 10; at++) propose(`p_${at}`, 10 + at, 'other');
  await looks.keep('s_1', 'p_1', [comment]);
  expect(await known()).toEqual([{ judgedAt: 5, look: 'new' }]);
});

test('what is not shown keeps the look of before, and what was reported is remembered beside it', async () => {
  propose('p_1', 5, 'as it was');
  await looks.keep('s_1', 'p_1', [comment]);
  await looks.reported('s_1', comment, 77);
  looks.propose('s_1', 'p_2', new Map([['c_1', [null]]]));
  await looks.keep('s_1', 'p_2', [comment]);
  expect((await looks.of('s_1', [comment])).get('c_1')).toMatchObject({
    targets: [{ judgedAt: 5, look: 'as it was' }],
    reportedAt: 77,
  });
});

test('looks go with their tab and their comment', async () => {
  for (const session of ['s_1', 's_2', 's_3']) {
    looks.propose(session, 'p_1', new Map([['c_1', [{ judgedAt: 1 }]]]));
    await looks.keep(session, 'p_1', [comment]);
  }
  await looks.forget('s_1');
  expect(await known('s_1')).toBeUndefined();
  expect(await known('s_2')).toBeDefined();
  await looks.tidy(new Set(['s_3']), new Set(['c_1']));
  expect(await known('s_2')).toBeUndefined();
  expect(await known('s_3')).toBeDefined();
  await looks.tidy(new Set(['s_3']), new Set());
  expect(await known('s_3')).toBeUndefined();
});

test('a look that the browser cannot read is made anew, and stops no other', async () => {
  const store = await openStore();
  looks = new Looks(store);
  const other = sampleComment('c_2');
  const both = (capture: string, judgedAt: number) => {
    const seen = [{ judgedAt }];
    looks.propose('s_1', capture, new Map([comment, other].map(({ id }) => [id, seen])));
    return looks.keep('s_1', capture, [comment, other]);
  };
  await both('p_1', 5);
  await damage(store, 'looks', 's_1 c_1');
  expect([...(await looks.of('s_1', [comment, other])).keys()]).toEqual(['c_2']);
  await both('p_2', 6);
  expect(await known('s_1', other)).toEqual([{ judgedAt: 6 }]);
  expect(await known()).toEqual([{ judgedAt: 6 }]);
  await damage(store, 'looks', 's_1 c_1');
  await looks.reported('s_1', comment, 77);
  expect((await looks.of('s_1', [comment])).get('c_1')?.reportedAt).toBe(77);
});
