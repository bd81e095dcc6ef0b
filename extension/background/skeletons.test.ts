import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { MAX_DOCUMENTS, MAX_SKELETONS, notedSkeleton } from './skeletons';
import { SourceTable } from './source-table';
import { openStore, type StoredSources } from './store';

/** Loads of documents one after the other: what is said of each. */
class Loads {
  skeletons: NonNullable<StoredSources['skeletons']> = [];

  load(at: number, skeleton: string, changedAt = 0, address = 'document /'): number {
    const noted = notedSkeleton(this.skeletons, { address, skeleton, changedAt }, at);
    this.skeletons = noted.skeletons;
    return noted.since;
  }
}

test('a document that is made of other kinds of elements than before is told since then, the first and one seen before say nothing', () => {
  const loads = new Loads();
  expect(loads.load(1_000, 'a')).toBe(0);
  expect(loads.load(2_000, 'b')).toBe(2_000);
  expect(loads.load(3_000, 'b')).toBe(2_000);
  expect(loads.load(4_000, 'a')).toBe(0);
  expect(loads.load(5_000, 'b')).toBe(2_000);
  expect(loads.load(6_000, 'c', 0, 'document /other')).toBe(0);
});

test('what was seen under another source is forgotten', () => {
  const loads = new Loads();
  loads.load(1_000, 'a');
  loads.load(2_000, 'b');
  // The load that brought the change: it is told by that.
  expect(loads.load(3_000, 'c', 3_000)).toBe(0);
  expect(loads.load(4_000, 'a', 3_000)).toBe(4_000);
  expect(loads.load(5_000, 'c', 3_000)).toBe(0);
});

test('a document that is ever made of something else is made by its data, and says nothing; documents are bounded', () => {
  const loads = new Loads();
  const said = Array.from({ length: MAX_SKELETONS + 3 }, (_, at) => loads.load(at + 1, `s${at}`));
  expect(said).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0]);
  expect(loads.skeletons[0]?.[1]).toHaveLength(MAX_SKELETONS);
  for (let at = 0; at < 2 * MAX_DOCUMENTS; at++) loads.load(100 + at, 'a', 0, `document /${at}`);
  expect(loads.skeletons).toHaveLength(MAX_DOCUMENTS);
});

test('the browser keeps it beside what the origin loaded, for each origin its own', async () => {
  globalThis.indexedDB = new IDBFactory();
  const table = new SourceTable(await openStore());
  const made = (skeleton: string) => ({ address: 'document /', skeleton, changedAt: 0 });
  expect(await table.noteSkeleton('http://a', made('a'), 1_000)).toBe(0);
  await table.note('http://a', [{ address: '/a.js', hash: '1' }], 1_500);
  expect(await table.noteSkeleton('http://b', made('b'), 2_000)).toBe(0);
  expect(await table.noteSkeleton('http://a', made('b'), 2_000)).toBe(2_000);
  expect(await table.note('http://a', [{ address: '/a.js', hash: '2' }], 3_000)).toBe(3_000);
});
