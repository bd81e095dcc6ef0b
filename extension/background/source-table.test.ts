import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { damage } from '../testing/damage';
import { MAX_ADDRESSES, MAX_ORIGINS, noted, SourceTable } from './source-table';
import { openStore } from './store';

const seen = (...pairs: [address: string, hash: string][]) =>
  pairs.map(([address, hash]) => ({ address, hash }));

test('other content at an address that was loaded before is a change; a new address is none', () => {
  const first = noted(undefined, seen(['/a.js', '1'], ['/b.js', '1']), 1_000);
  expect(first.changedAt).toBe(0);
  const again = noted(first.sources, seen(['/a.js', '1'], ['/lazy.js', '1']), 2_000);
  expect(again.changedAt).toBe(0);
  const edited = noted(again.sources, seen(['/a.js', '2'], ['/b.js', '1']), 3_000);
  expect(edited.changedAt).toBe(3_000);
});

test('a change is told to whoever loads that content later, with the moment at which it was first seen', () => {
  const first = noted(undefined, seen(['/a.js', '1']), 1_000);
  const other = noted(first.sources, seen(['/a.js', '2']), 2_000);
  expect(noted(other.sources, seen(['/a.js', '2']), 9_000).changedAt).toBe(2_000);
  expect(noted(other.sources, seen(['/b.js', '1']), 9_000).changedAt).toBe(0);
});

test('addresses are bounded: those used longest ago go', () => {
  let { sources } = noted(undefined, seen(['/old.js', '1'], ['/kept.js', '1']), 1);
  const many = Array.from({ length: MAX_ADDRESSES - 1 }, (_, at) => [`/${at}.js`, '1'] as [string, string]);
  sources = noted(sources, seen(['/kept.js', '1']), 2).sources;
  sources = noted(sources, seen(...many), 3).sources;
  expect(sources.loaded).toHaveLength(MAX_ADDRESSES);
  expect(noted(sources, seen(['/kept.js', '2']), 4).changedAt).toBe(4);
  expect(noted(sources, seen(['/old.js', '2']), 4).changedAt).toBe(0);
});

test('origins are bounded: the one used longest ago goes', async () => {
  globalThis.indexedDB = new IDBFactory();
  const table = new SourceTable(await openStore());
  for (let at = 0; at <= MAX_ORIGINS; at++) await table.note(`http://${at}`, seen(['/a.js', '1']), at + 1);
  expect(await table.note('http://1', seen(['/a.js', '2']), 1_000)).toBe(1_000);
  expect(await table.note('http://0', seen(['/a.js', '2']), 1_001)).toBe(0);
});

test('what an origin loaded is noted anew where the browser cannot read it, and keeps no other from being noted', async () => {
  globalThis.indexedDB = new IDBFactory();
  const store = await openStore();
  const table = new SourceTable(store);
  for (let at = 0; at < MAX_ORIGINS; at++) await table.note(`http://${at}`, seen(['/a.js', '1']), at + 1);
  await damage(store, 'sources', 'http://7');
  // It goes first where another one needs its room.
  expect(await table.note('http://new', seen(['/a.js', '1']), 100)).toBe(0);
  expect(await store.getAllKeys('sources')).not.toContain('http://7');
  expect(await table.note('http://new', seen(['/a.js', '2']), 101)).toBe(101);
  await damage(store, 'sources', 'http://new');
  expect(await table.note('http://new', seen(['/a.js', '3']), 102)).toBe(0);
  expect(await table.note('http://new', seen(['/a.js', '4']), 103)).toBe(103);
});

test('an origin that names moments that are yet to come stays no longer than others', async () => {
  globalThis.indexedDB = new IDBFactory();
  const table = new SourceTable(await openStore());
  const year = 365 * 24 * 3_600_000;
  for (let at = 0; at < MAX_ORIGINS; at++)
    await table.note(`http://${at}`, seen(['/a.js', '1']), Date.now() + year);
  for (const page of [1, 2]) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await table.note(`http://mine-${page}`, seen(['/a.js', '1']), Date.now());
  }
  expect(await table.note('http://mine-1', seen(['/a.js', '2']), Date.now())).toBeGreaterThan(0);
});
