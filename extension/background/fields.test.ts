/** Text fields in frames: which are the overlay's, and what they may say. */
import { beforeEach, expect, test } from 'vitest';
import type { Asked } from '../messages';
import { newSecret } from '../state/secret';
import { RouterWorld, SITE } from '../testing/router-world';
import { FieldOffers } from './fields';
import type { Sender } from './sender';

const secret = newSecret();
const words = { pathname: '/', url: `${SITE}/`, text: 'Half' };
const keepText = { type: 'keep_text', payload: { ...words, typed: { secret, count: 3 } } } as const;
const claim = { type: 'claim_field', payload: { secret } } as const;

let world: RouterWorld;
let { page, ask } = {} as RouterWorld;
let field: Sender;

beforeEach(async () => {
  world = await RouterWorld.create();
  ({ page, ask } = world);
  field = { kind: 'field', tabId: page.tabId };
});

test('a field in a frame tells what is typed, of its own tab', async () => {
  expect(await ask(keepText, field)).toEqual({ ok: null });
  expect(await ask({ type: 'get_drafts', payload: {} }, page)).toEqual({ ok: { '/': 'Half' } });
  const elsewhere = { ...page, tabId: page.tabId + 1 };
  expect(await ask({ type: 'get_drafts', payload: {} }, elsewhere)).toEqual({ ok: {} });
});

test('a field in a frame asks for its own tab', async () => {
  await ask({ type: 'offer_field', payload: { secret } }, page);
  expect(await ask(claim, { kind: 'field', tabId: page.tabId + 1 })).toEqual({ ok: false });
  expect(await ask(claim, field)).toEqual({ ok: true });
  expect(await ask(claim, field)).toEqual({ ok: false });
});

test.each<[string, unknown]>([
  ['another message', { type: 'get_drafts', payload: { secret } }],
  ['no secret', { type: 'claim_field', payload: {} }],
  ['a text without a number', { type: 'keep_text', payload: words }],
  ['a text that is none', { type: 'keep_text', payload: { ...keepText.payload, text: 1 } }],
  ['no message', undefined],
])('%s of a field asks for none', async (_name, said) => {
  expect(await ask(said as Asked, field)).toEqual({ error: expect.any(String) });
  expect(await ask({ type: 'get_drafts', payload: {} }, page)).toEqual({ ok: {} });
});

test('what is typed on a page of no origin is kept for nobody', async () => {
  const nowhere = { ...keepText, payload: { ...keepText.payload, url: 'no address' } };
  expect(await ask(nowhere, field)).toEqual({ error: 'This is another page.' });
});

test('the page around a field, and the panel, say nothing in its name', async () => {
  for (const sender of [page, { kind: 'panel' } as const]) {
    expect(await ask(keepText, sender)).toEqual({ error: expect.stringContaining('not allowed') });
    expect(await ask(claim, sender)).toEqual({ error: expect.stringContaining('not allowed') });
  }
  expect(await ask({ type: 'get_drafts', payload: {} }, page)).toEqual({ ok: {} });
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
