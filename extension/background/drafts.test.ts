import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { newSecret } from '../state/secret';
import { Drafts, keepDraft } from './drafts';

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

/** A page on which one field is typed into. */
function typed() {
  const app = { drafts: new Drafts(), pages: { of: async () => undefined } };
  const secret = newSecret();
  const draft = (text: string, count: number) => ({
    pathname: '/cart',
    url: `${SITE}/cart`,
    text,
    typed: { secret, count },
  });
  const page = { tabId: 7, origin: SITE };
  return {
    /** The field itself tells it. */
    byTheField: (text: string, count: number) => keepDraft(app, page, draft(text, count), true),
    byThePage: (text: string, count: number) => keepDraft(app, page, draft(text, count), false),
    /** Of a field that told nothing yet: saved as it was found there. */
    saved: () => {
      const { typed: _, ...saved } = draft('', 0);
      return keepDraft(app, page, saved, false);
    },
    kept: async () => (await app.drafts.of(7, SITE))['/cart'],
  };
}

test('what a field tells is kept, whether the page’s last word comes before or after it', async () => {
  for (const isFirst of [true, false]) {
    const { byTheField, byThePage, kept } = typed();
    if (isFirst) await byTheField('Half a thought', 14);
    await byThePage('Half a thou', 11);
    if (!isFirst) await byTheField('Half a thought', 14);
    expect(await kept()).toBe('Half a thought');
  }
});

test('what a field tells does not bring back what the page has saved', async () => {
  for (const isFirst of [true, false]) {
    const { byTheField, byThePage, kept } = typed();
    await byThePage('Whole', 5);
    if (isFirst) await byTheField('Whole', 5);
    await byThePage('', 5);
    if (!isFirst) await byTheField('Whole', 5);
    expect(await kept()).toBeUndefined();
  }
});

test('what an earlier field told does not come back once a later one’s text is saved', async () => {
  const { byTheField, byThePage, saved, kept } = typed();
  await byThePage('Half a thou', 11);
  await byTheField('Half a thought', 14);
  await saved();
  expect(await kept()).toBeUndefined();
});

test('a saved text does not come back when the key of its page takes longer for what its field told before', async () => {
  const keys: ((key: undefined) => void)[] = [];
  const app = {
    drafts: new Drafts(),
    pages: { of: () => new Promise<undefined>((done) => keys.push(done)) },
  };
  const typed = { secret: newSecret(), count: 4 };
  const draft = (text: string) => ({ pathname: '/cart', url: `${SITE}/cart`, text, typed });
  const page = { tabId: 7, origin: SITE };
  const both = [keepDraft(app, page, draft('Blue'), true), keepDraft(app, page, draft(''), false)];
  for (const done of keys.reverse()) done(undefined);
  await Promise.all(both);
  expect(await app.drafts.of(7, SITE)).toEqual({});
});
