import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { MAX_DOCUMENTS, MAX_SEEN, notedSkeleton, notedWords, withoutOthers } from './document-hashes';
import { SourceTable } from './source-table';
import { type HashesByDocument, openStore } from './store';

/** Loads of documents one after the other: what is said of each. */
class Loads {
  known: HashesByDocument = [];

  constructor(private readonly note = notedSkeleton) {}

  load(at: number, hash: string, changedAt = 0, address = 'document /'): number {
    const { noted, since } = this.note(this.known, { address, hash, changedAt }, at);
    this.known = noted;
    return since;
  }

  pin(at: number, hash?: string, address = 'document /'): void {
    this.known = withoutOthers(this.known, { address, hash }, at);
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
  const said = Array.from({ length: MAX_SEEN + 3 }, (_, at) => loads.load(at + 1, `s${at}`));
  expect(said).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0]);
  expect(loads.known[0]?.[1]).toHaveLength(MAX_SEEN);
  for (let at = 0; at < 2 * MAX_DOCUMENTS; at++) loads.load(100 + at, 'a', 0, `document /${at}`);
  expect(loads.known).toHaveLength(MAX_DOCUMENTS);
});

test('a document that says something else is told since then, however often that was before; what it said lately says nothing', () => {
  const loads = new Loads(notedWords);
  const said = Array.from({ length: MAX_SEEN + 3 }, (_, at) => loads.load(at + 1, `w${at}`));
  expect(said).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(loads.known[0]?.[1]).toHaveLength(MAX_SEEN);
  expect(loads.load(20, `w${MAX_SEEN}`)).toBe(MAX_SEEN + 1);
  expect(loads.load(21, 'w0')).toBe(21);
  // The load that brought a change of the source.
  expect(loads.load(30, 'x', 30)).toBe(0);
});

test('what was seen before a person pinned a comment to what is shown is another document, and what is shown is none', () => {
  for (const note of [notedSkeleton, notedWords]) {
    const loads = new Loads(note);
    loads.load(1_000, 'a');
    loads.load(2_000, 'b');
    loads.load(2_500, 'x', 0, 'document /other');
    loads.pin(3_000, 'b');
    expect(loads.load(4_000, 'b')).toBe(2_000);
    expect(loads.load(5_000, 'a')).toBe(5_000);
    expect(loads.load(6_000, 'x', 0, 'document /other')).toBe(0);
    // Nobody could tell which one was shown.
    loads.pin(7_000);
    expect(loads.load(8_000, 'a')).toBe(8_000);
    expect(loads.load(9_000, 'b')).toBe(9_000);
  }
});

test('the browser keeps it beside what the origin loaded, for each origin its own', async () => {
  globalThis.indexedDB = new IDBFactory();
  const table = new SourceTable(await openStore());
  const made = (skeleton: string, words = '') => ({ address: 'document /', skeleton, words, changedAt: 0 });
  expect(await table.noteMade('http://a', made('a'), 1_000)).toBe(0);
  await table.note('http://a', [{ address: '/a.js', hash: '1' }], 1_500);
  expect(await table.noteMade('http://b', made('b'), 2_000)).toBe(0);
  expect(await table.noteMade('http://a', made('b'), 2_000)).toBe(2_000);
  expect(await table.noteMade('http://a', made('b', 'Tea'), 2_500)).toBe(2_500);
  await table.forgetMade('http://a', 'document /', { skeleton: 'b', words: 'Tea' }, 2_600);
  expect(await table.noteMade('http://a', made('b', 'Tea'), 2_700)).toBe(2_500);
  expect(await table.noteMade('http://a', made('b'), 2_800)).toBe(2_800);
  await table.forgetMade('http://a', 'document /', null, 2_850);
  expect(await table.noteMade('http://a', made('b'), 2_900)).toBe(2_900);
  expect(await table.note('http://a', [{ address: '/a.js', hash: '2' }], 3_000)).toBe(3_000);
});
