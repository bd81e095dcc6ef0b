import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { documentSource } from '../page/evidence/document-source';
import { MAX_DOCUMENTS, MAX_PAGES, notedDocument } from './documents';
import { SourceTable } from './source-table';
import { openStore, type StoredSources } from './store';

/** Loads of documents one after the other, a thousand milliseconds apart: what is said of each. */
class Loads {
  documents: NonNullable<StoredSources['documents']> = [];
  private at = 0;

  load(code: string, kinds = 'a b c d', address = 'document /'): number {
    this.at += 1_000;
    const noted = notedDocument(this.documents, { address, code, kinds }, this.at);
    this.documents = noted.documents;
    return noted.changedAt;
  }
}

const said = (...codes: string[]) => {
  const loads = new Loads();
  return codes.map((code) => loads.load(code)).at(-1);
};

test('some of the code has to have taken the place of other code: one piece more or less is no change', () => {
  expect(said('a b', 'a b c')).toBe(0);
  expect(said('a b c', 'a b')).toBe(0);
  expect(said('', 'a')).toBe(0);
  expect(said('a', '')).toBe(0);
  expect(said('a b', 'a c')).toBe(2_000);
  expect(said('a', 'b')).toBe(2_000);
  // What is told stays told while pieces come and go.
  expect(said('a b', 'a c', 'a c d')).toBe(2_000);
});

test('of more pieces than are told one more is none that another gave way to', () => {
  const name = (at: number) => String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26));
  const pieces = Array.from({ length: 60 }, (_, at) => `<script>go(${name(at)})</script>`);
  const codeOf = (text: string) => {
    const parts = documentSource(text);
    for (;;) {
      const { done, value } = parts.next();
      if (done) return value.code.join(' ');
    }
  };
  const loads = new Loads();
  const said = pieces.map((piece) => {
    loads.load(codeOf(pieces.join('')));
    const more = loads.load(codeOf(`${piece.replace('go', 'show')}${pieces.join('')}`));
    const less = loads.load(codeOf(pieces.filter((each) => each !== piece).join('')));
    return more + less;
  });
  expect(said.every((at) => at === 0)).toBe(true);
  const edited = pieces.map((piece) => piece.replace('go', 'show')).join('');
  expect(loads.load(codeOf(edited))).toBeGreaterThan(0);
});

test('an edit that is undone is a change, and so is one that is made again', () => {
  expect(said('a', 'b', 'a')).toBe(3_000);
  expect(said('a', 'b', 'a', 'b')).toBe(4_000);
});

test('another page at the same address is no change, there and back, while an edit of each counts', () => {
  const loads = new Loads();
  const shop = (code: string, kinds = 'a b c d') => loads.load(code, kinds);
  const login = (code: string) => loads.load(code, 'a x y');
  expect([shop('s'), login('l'), shop('s'), login('l'), shop('s')]).toEqual([0, 0, 0, 0, 0]);
  expect([login('k'), shop('s'), login('k')]).toEqual([6_000, 0, 6_000]);
  expect([shop('t'), login('k'), shop('s')]).toEqual([9_000, 6_000, 11_000]);
  // Made of somewhat other elements by the edit, and back.
  expect([shop('t', 'a b c d e f'), login('k'), shop('s')]).toEqual([12_000, 6_000, 14_000]);
  expect(loads.documents[0]?.[1]).toHaveLength(2);
});

test('a page is compared with the one that it is most like', () => {
  const loads = new Loads();
  loads.load('s', 'a b c d');
  loads.load('t', 'c d e f g');
  expect(loads.load('s', 'a b c d e f')).toBe(0);
  expect(loads.documents[0]?.[1]).toHaveLength(2);
});

test('of long lists of kinds those that come first are compared', () => {
  const kinds = (from: number) => Array.from({ length: 16 }, (_, at) => `k${from + at}`).join(' ');
  const loads = new Loads();
  loads.load('a', kinds(10));
  expect(loads.load('b', kinds(12))).toBe(2_000);
  expect(loads.load('a', kinds(40))).toBe(0);
  // Of one with eight more that come first the last eight are not known: half of the first sixteen is the same.
  const letters = [...'abcdefghijklmnop'];
  loads.load('a', letters.join(' '));
  expect(loads.load('b', [...'01234567', ...letters.slice(0, 8)].join(' '))).toBe(5_000);
});

test('pages at one address are bounded, and so are documents: those that were seen longest ago go', () => {
  const loads = new Loads();
  for (let at = 0; at < MAX_PAGES; at++) loads.load('a', `k${at}`);
  loads.load('a', 'k0');
  loads.load('a', 'new');
  expect(loads.documents[0]?.[1]).toHaveLength(MAX_PAGES);
  expect(loads.load('b', 'k0')).toBeGreaterThan(0);
  expect(loads.load('b', 'k1')).toBe(0);
  for (let at = 0; at < 2 * MAX_DOCUMENTS; at++) loads.load('a', '', `document /${at}`);
  expect(loads.documents).toHaveLength(MAX_DOCUMENTS);
});

test('the browser keeps it beside what the origin loaded, for each origin its own', async () => {
  globalThis.indexedDB = new IDBFactory();
  const table = new SourceTable(await openStore());
  const seen = (code: string) => ({ address: 'document /', code, kinds: 'a b' });
  expect(await table.noteDocument('http://a', seen('a'), 1_000)).toBe(0);
  await table.note('http://a', [{ address: '/a.js', hash: '1' }], 1_500);
  await table.noteMade('http://a', { address: 'document /', skeleton: 'a', words: '', changedAt: 0 }, 1_500);
  expect(await table.noteDocument('http://b', seen('b'), 2_000)).toBe(0);
  expect(await table.noteDocument('http://a', seen('b'), 2_000)).toBe(2_000);
  expect(await table.note('http://a', [{ address: '/a.js', hash: '2' }], 3_000)).toBe(3_000);
  const other = { address: 'document /', skeleton: 'b', words: '', changedAt: 0 };
  expect(await table.noteMade('http://a', other, 4_000)).toBe(4_000);
});
