import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { Drafts } from './drafts';

const SITE = 'http://localhost:5173';
beforeEach(() => fakeBrowser.reset());

test('a text survives the background and belongs to its tab, site and page', async () => {
  await new Drafts().keep(7, SITE, '/cart', 'Make it blue');
  const restarted = new Drafts();
  expect(await restarted.of(7, SITE)).toEqual({ '/cart': 'Make it blue' });
  expect(await restarted.of(8, SITE)).toEqual({});
  expect(await restarted.of(7, 'http://localhost:51')).toEqual({});
});

test('saved text and closed tabs leave nothing', async () => {
  const drafts = new Drafts();
  await drafts.keep(7, SITE, '/cart', 'Make it blue');
  await drafts.keep(7, SITE, '/cart', '');
  expect(await drafts.of(7, SITE)).toEqual({});
  await drafts.keep(7, SITE, '/', 'Other');
  await drafts.forget(7);
  expect(await drafts.of(7, SITE)).toEqual({});
});

test('texts of several pages kept at once do not undo one another', async () => {
  const drafts = new Drafts();
  await Promise.all(Array.from({ length: 30 }, (_, at) => drafts.keep(7, SITE, `/${at}`, `text ${at}`)));
  const kept = await drafts.of(7, SITE);
  expect(Object.keys(kept)).toHaveLength(20);
  expect(kept['/29']).toBe('text 29');
});
