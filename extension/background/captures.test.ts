import { expect, test } from 'vitest';
import { pieceOf } from '../state/pieces';
import { Captures } from './captures';

const sent = {
  id: 'a',
  pieces: 2,
  version: 1,
  url: 'http://localhost/',
  title: 'T',
  viewport: { width: 1, height: 2 },
};
const first = pieceOf({ strings: ['p'], nodes: [1, -2], attributes: [], drawings: [] });
const second = pieceOf({ strings: ['q"', '', 'é'], nodes: [3], attributes: [0, 1], drawings: [1, 2] });

test('pieces in any order become one capture', () => {
  const captures = new Captures();
  captures.keep(1, 'a', 1, second);
  captures.keep(1, 'a', 0, first);
  expect(captures.take(1, sent)).toEqual({
    version: 1,
    url: 'http://localhost/',
    title: 'T',
    viewport: { width: 1, height: 2 },
    strings: 'p\0q"\0\0é\0',
    nodes: Int32Array.of(1, -2, 3),
    attributes: Uint32Array.of(0, 1),
    drawings: Uint32Array.of(1, 2),
  });
});

test('a piece that is missing, of another capture or of another tab is said', () => {
  const captures = new Captures();
  captures.keep(1, 'a', 0, first);
  expect(() => captures.take(1, sent)).toThrow('did not arrive whole');
  captures.keep(1, 'b', 0, first);
  captures.keep(1, 'b', 1, second);
  expect(() => captures.take(1, { ...sent, id: 'c' })).toThrow('did not arrive whole');
  expect(() => captures.take(2, { ...sent, id: 'b' })).toThrow('did not arrive whole');
});

test('captures of one tab that come at the same time do not disturb one another', () => {
  const captures = new Captures();
  for (const [at, piece] of [first, second].entries()) {
    for (const id of ['a', 'b']) captures.keep(1, id, at, piece);
  }
  expect(captures.take(1, sent).nodes).toEqual(Int32Array.of(1, -2, 3));
  expect(captures.take(1, { ...sent, id: 'b' }).nodes).toEqual(Int32Array.of(1, -2, 3));
});

test('a capture can be asked about once, and the oldest goes when too many are on their way', () => {
  const captures = new Captures();
  for (const id of ['a', 'b', 'c', 'd']) {
    captures.keep(1, id, 0, first);
    captures.keep(1, id, 1, second);
  }
  expect(() => captures.take(1, sent)).toThrow('did not arrive whole');
  expect(captures.take(1, { ...sent, id: 'b' }).nodes).toEqual(Int32Array.of(1, -2, 3));
  expect(() => captures.take(1, { ...sent, id: 'b' })).toThrow();
});

test('a tab that goes takes its captures along', () => {
  const captures = new Captures();
  captures.keep(1, 'a', 0, first);
  captures.keep(1, 'a', 1, second);
  captures.forget(1);
  expect(() => captures.take(1, sent)).toThrow('did not arrive whole');
});

test('a piece that is no base64 of whole numbers is said, and the capture is gone', () => {
  const captures = new Captures();
  for (const nodes of ['not base64!', btoa('abc')]) {
    captures.keep(1, 'a', 0, first);
    captures.keep(1, 'a', 1, { ...second, nodes });
    expect(() => captures.take(1, sent)).toThrow('The page arrived damaged. Reload it.');
    expect(() => captures.take(1, sent)).toThrow('did not arrive whole');
  }
});
