import { expect, test } from 'vitest';
import { differenceOf, spoken } from './difference';
import { sureness, surenessSentence } from './words';

const text = (before: string, after: string) =>
  differenceOf({ field: 'text', before, after })
    .pieces.map(({ kind, text: said }) =>
      kind === 'same' ? said : `${kind === 'removed' ? '-' : '+'}[${said}]`,
    )
    .join('');

test('of a text only the words that differ are marked', () => {
  expect(text('Save the order now', 'Save your order now')).toBe('Save -[the]+[your] order now');
  expect(text('Save order', 'Save order today')).toBe('Save order+[ today]');
  expect(text('Pay now', 'Cancel')).toBe('-[Pay now]+[Cancel]');
});

test('a long text is shortened where nothing differs', () => {
  const start = 'one two three four five six seven eight nine ten ';
  expect(text(`${start}red`, `${start}blue`)).toBe('… eight nine ten -[red]+[blue]');
});

test('classes that came and went are named one by one', () => {
  const { label, pieces } = differenceOf({
    field: 'classes',
    before: 'button primary wide',
    after: 'button danger wide',
  });
  expect(label).toBe('Classes');
  expect(pieces).toEqual([
    { kind: 'removed', text: 'primary' },
    { kind: 'added', text: 'danger' },
  ]);
});

test('attributes, tags, children and boxes say what they are', () => {
  expect(spoken(differenceOf({ field: 'attribute:href', before: '/a', after: '/b' }))).toBe(
    'Attribute href: removed “/a”, added “/b”',
  );
  expect(spoken(differenceOf({ field: 'attribute:title', after: '' }))).toBe(
    'Attribute title: added “(empty)”',
  );
  expect(spoken(differenceOf({ field: 'tag', before: 'a', after: 'button' }))).toBe(
    'Tag: removed “<a>”, added “<button>”',
  );
  expect(spoken(differenceOf({ field: 'children' }))).toBe('Children: as many, of other kinds');
  expect(spoken(differenceOf({ field: 'box', before: '10 x 20', after: '30 x 20' }))).toBe(
    'Size: removed “10 × 20 px”, added “30 × 20 px”',
  );
});

test('a text that differs beyond what is kept says so', () => {
  expect(spoken(differenceOf({ field: 'text' }))).toBe('Text: differs further on');
});

test('confidence is told in percent, and never as certain', () => {
  expect([0, 0.304, 0.95, 0.99, 1].map(sureness)).toEqual([
    '0 % sure',
    '30 % sure',
    '95 % sure',
    '99 % sure',
    '99 % sure',
  ]);
  expect(surenessSentence(1)).toBe('When it says 99 % sure, it is right about 99 times in 100.');
});
