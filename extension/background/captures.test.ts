import { expect, test } from 'vitest';
import { Captures } from './captures';

const sent = {
  id: 'a',
  pieces: 2,
  version: 1,
  url: 'http://localhost/',
  title: 'T',
  viewport: { width: 1, height: 2 },
};
const first = { strings: '"p"', nodes: '1,2', attributes: '' };
const second = { strings: '"q\\"","r"', nodes: '3', attributes: '0,1' };

test('pieces in any order become one capture', () => {
  const captures = new Captures();
  captures.keep(1, 'a', 1, second);
  captures.keep(1, 'a', 0, first);
  expect(JSON.parse(captures.take(1, sent))).toEqual({
    version: 1,
    url: 'http://localhost/',
    title: 'T',
    viewport: { width: 1, height: 2 },
    strings: ['p', 'q"', 'r'],
    nodes: [1, 2, 3],
    attributes: [0, 1],
  });
});

test('a piece that is missing, of another capture or of another tab is said', () => {
  const captures = new Captures();
  captures.keep(1, 'a', 0, first);
  expect(() => captures.take(1, sent)).toThrow('did not arrive whole');
  captures.keep(1, 'b', 0, first);
  captures.keep(1, 'b', 1, second);
  expect(() => captures.take(1, sent)).toThrow('did not arrive whole');
  expect(() => captures.take(2, { ...sent, id: 'b' })).toThrow('did not arrive whole');
});

test('a capture can be asked about once, and a later one takes the place of an earlier one', () => {
  const captures = new Captures();
  for (const id of ['a', 'b']) {
    captures.keep(1, id, 0, first);
    captures.keep(1, id, 1, second);
  }
  expect(() => captures.take(1, sent)).toThrow();
  expect(captures.take(1, { ...sent, id: 'b' })).toContain('"nodes":[1,2,3]');
  expect(() => captures.take(1, { ...sent, id: 'b' })).toThrow();
});
