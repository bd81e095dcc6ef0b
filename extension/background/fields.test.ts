import { expect, test } from 'vitest';
import { newSecret } from '../field/protocol';
import { FieldOffers, fieldMessageOf } from './fields';
import type { RawSender } from './sender';

const ROOT = 'chrome-extension://abc/';
const secret = newSecret();
const frame: RawSender = {
  id: 'abc',
  url: `${ROOT}field.html`,
  frameId: 4,
  tab: { id: 7, windowId: 1, active: true },
};
const claim = { type: 'claim_field', payload: { secret } };

const words = { pathname: '/', url: 'http://localhost/', text: 'Half' };
const keepText = { type: 'keep_text', payload: { ...words, typed: { secret, count: 3 } } };

test('a field in a frame tells what is typed, of its own tab', () => {
  const draft = keepText.payload;
  expect(fieldMessageOf(frame, keepText, 'abc', ROOT)).toEqual({ type: 'keep_text', tabId: 7, draft });
});

test('a field in a frame asks for its own tab', () => {
  expect(fieldMessageOf(frame, claim, 'abc', ROOT)).toEqual({ type: 'claim_field', tabId: 7, secret });
});

test.each<[string, RawSender, unknown]>([
  ['another extension', { ...frame, id: 'other' }, claim],
  ['the page around it', { ...frame, url: 'http://localhost/field.html', frameId: 0 }, claim],
  ['the field as a page of its own', { ...frame, frameId: 0 }, claim],
  ['another page of ours in a frame', { ...frame, url: `${ROOT}panel.html` }, claim],
  ['the field with words of the page in its address', { ...frame, url: `${ROOT}field.html?secret=1` }, claim],
  ['no tab', { id: 'abc', url: frame.url, frameId: 4 }, claim],
  ['another message', frame, { type: 'get_drafts', payload: { secret } }],
  ['no secret', frame, { type: 'claim_field', payload: {} }],
  ['a text without a number', frame, { type: 'keep_text', payload: words }],
  ['a text of the page around it', { ...frame, frameId: 0 }, keepText],
  ['a text that is none', frame, { type: 'keep_text', payload: { ...keepText.payload, text: 1 } }],
  ['no message', frame, undefined],
])('%s asks for none', (_name, sender, message) => {
  expect(fieldMessageOf(sender, message, 'abc', ROOT)).toBeUndefined();
});

test('a secret is good once, and in its own tab', () => {
  const offers = new FieldOffers();
  offers.offer(7, secret);
  expect(offers.claim(8, secret)).toBe(false);
  expect(offers.claim(7, newSecret())).toBe(false);
  expect([offers.claim(7, secret), offers.claim(7, secret)]).toEqual([true, false]);
});

test('a tab that offers for ever, or is closed, keeps nothing', () => {
  const offers = new FieldOffers();
  const secrets = Array.from({ length: 100 }, newSecret);
  for (const each of secrets) offers.offer(7, each);
  expect(secrets.filter((each) => offers.claim(7, each)).length).toBe(16);
  offers.offer(7, secret);
  offers.forget(7);
  expect(offers.claim(7, secret)).toBe(false);
});
