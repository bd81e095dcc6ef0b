import { expect, test } from 'vitest';
import { isSecret, newSecret } from '../state/secret';
import {
  decodeFromField,
  decodeOpening,
  decodeToField,
  encode,
  type FieldLook,
  type FromField,
  type ToField,
} from './protocol';

const look: FieldLook = {
  label: 'What should change?',
  placeholder: 'What should change?',
  rows: 3,
  maxLength: 20_000,
  isReadOnly: false,
  isSmall: false,
  tallest: 320,
};

test('a secret is new each time, and 32 bytes of it', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(isSecret(secret)).toBe(true);
});

test.each<ToField>([
  { type: 'write', text: '„\u2028\u0000𝒳"' },
  { type: 'look', look },
  { type: 'focus' },
  { type: 'place', place: { pathname: 'reply:c_1', url: 'http://localhost:5173/cart?page=2' } },
])('what the overlay says arrives as it was said: $type', (message) => {
  expect(decodeToField(encode(message))).toEqual(message);
});

test.each<FromField>([
  { type: 'here' },
  { type: 'ready' },
  { type: 'refused' },
  { type: 'text', text: 'a'.repeat(100_000), count: 7 },
  { type: 'key', key: 'Enter', shiftKey: false, ctrlKey: true, metaKey: false },
  { type: 'height', height: 72 },
  { type: 'focused', isFocused: false },
])('what the field says arrives as it was said: $type', (message) => {
  expect(decodeFromField(encode(message))).toEqual(message);
});

test.each([
  undefined,
  null,
  7,
  {},
  '',
  'null',
  '[]',
  '{"type":"text","count":1}',
  '{"type":"text","text":7,"count":1}',
  '{"type":"text","text":"a"}',
  '{"type":"text","text":"a","count":-1}',
  `{"type":"text","text":"${'a'.repeat(100_001)}","count":1}`,
  '{"type":"height","height":"72"}',
  '{"type":"focused","isFocused":1}',
  '{"type":"height","height":-1}',
  '{"type":"height","height":1e999}',
  '{"type":"key","key":"a","shiftKey":false,"ctrlKey":false,"metaKey":false}',
  '{"type":"key","key":"Tab"}',
  '{"type":"write"}',
  '{"type":"heard","count":0.5}',
  '{"type":"place","place":{"pathname":"/"}}',
  '{"type":"place","place":null}',
  '{"type":"look","look":null}',
  JSON.stringify({ type: 'look', look: { ...look, tallest: 1e9 } }),
  JSON.stringify({ type: 'look', look: { ...look, isReadOnly: 'no' } }),
  '{"type":"open_field","secret":"00"}',
  '{"type":"open_field","secret":{"length":64}}',
])('what is none of these messages is nothing to either side: %s', (data) => {
  expect([decodeToField(data), decodeFromField(data), decodeOpening(data)]).toEqual([null, null, null]);
});
