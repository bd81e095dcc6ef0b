import { expect, test } from 'vitest';
import { laidOut } from './laid-out';

test('an entry has a line of its own, and words and numbers stay as they came', () => {
  expect(laidOut('{"id":100000000000000000001,"a":[1,{"b":"x, y: {z}"}],"c":[],"d":{}}')).toBe(
    [
      '{',
      '  "id": 100000000000000000001,',
      '  "a": [',
      '    1,',
      '    {',
      '      "b": "x, y: {z}"',
      '    }',
      '  ],',
      '  "c": [],',
      '  "d": {}',
      '}',
    ].join('\n'),
  );
});

test('what is no JSON of several entries is left alone', () => {
  for (const text of ['rm -rf build/', '"a"', '{"a": 1', '{a: 1}', '', '12'])
    expect(laidOut(text)).toBe(text);
});

test('what is nested without end costs no more than its own length', () => {
  const deep = `${'['.repeat(8_192)}${']'.repeat(8_192)}`;
  expect(laidOut(deep)).toBe(deep);
  const wide = JSON.stringify(Array.from({ length: 4_000 }, () => [[[[1]]]]));
  expect(laidOut(wide).length).toBeLessThan(20 * wide.length);
});

test('it differs from what came by white space between the parts alone', () => {
  const parts = (text: string) =>
    [...text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)].map(([part]) => part);
  const strings = ['""', '"\\""', '"\\\\"', '"a, b: {c} [d]"', '"\\u0041\\n"', '"ä 🎈"'];
  const leaves = [...strings, '1', '-1.5e+300', '100000000000000000001', 'true', 'null', '{}', '[ ]'];
  // Each leaf in each place of each shape, with white space and without.
  for (const leaf of leaves)
    for (const key of strings)
      for (const shape of ['[%]', '{"k": %}', '{ K : % , "l":[%, [%]] }', '[[ % ],[{K:%}]]', '\n[%\n,%]\t']) {
        const json = shape.replaceAll('%', () => leaf).replaceAll('K', () => key);
        const shown = laidOut(json);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
        expect(parts(shown)).toEqual(parts(json));
      }
});
