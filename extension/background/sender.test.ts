import { expect, test } from 'vitest';
import { identify, type RawSender } from './sender';

const ROOT = 'chrome-extension://abc/';
const page: RawSender = {
  id: 'abc',
  url: 'http://localhost:5173/shop?x=1',
  frameId: 0,
  tab: { id: 7, windowId: 1, active: true, title: 'Shop' },
};
const who = (sender: RawSender) => identify(sender, 'abc', ROOT);
const panel = who({
  id: 'abc',
  url: `${ROOT}panel.html`,
  frameId: 0,
  tab: { id: 9, windowId: 1, active: true },
});
const content = who(page);

test('a content script speaks for its own tab, by what the browser says', () => {
  expect(content).toMatchObject({ kind: 'content', tabId: 7, origin: 'http://localhost:5173' });
});

test('a panel in a tab is a panel', () => {
  expect(panel).toEqual({ kind: 'panel' });
});

test.each([
  ['another extension', { ...page, id: 'other' }],
  ['a frame', { ...page, frameId: 3 }],
  ['our own page in a frame of another', { ...page, url: `${ROOT}panel.html`, frameId: 3 }],
  ['no tab', { id: 'abc', url: page.url, frameId: 0 }],
  ['no address', { ...page, url: undefined }],
  ['a page that names itself like the extension', { ...page, id: 'x', url: `${ROOT}panel.html` }],
])('%s is a stranger', (_name, sender) => {
  expect(who(sender)).toBeUndefined();
});

test('a page that the browser prepared ahead of a click speaks for no tab before it is gone to', () => {
  // As Chrome says it: the tab is the one that it may come to.
  expect(who({ ...page, documentLifecycle: 'prerender' })).toBeUndefined();
  expect(who({ ...page, documentLifecycle: 'active' })).toMatchObject({ kind: 'content', tabId: 7 });
  // On its way out it still keeps what the person typed.
  expect(who({ ...page, documentLifecycle: 'pending_deletion' })?.kind).toBe('content');
});

const frame: RawSender = { ...page, url: `${ROOT}field.html`, frameId: 4 };

test('a text field of ours in a frame speaks for its own tab, whoever put it there', () => {
  expect(who(frame)).toEqual({ kind: 'field', tabId: 7 });
});

test.each<[string, RawSender]>([
  ['another extension', { ...frame, id: 'other' }],
  ['the page around it', { ...frame, url: 'http://localhost/field.html', frameId: 0 }],
  ['the field as a page of its own', { ...frame, frameId: 0 }],
  ['another page of ours in a frame', { ...frame, url: `${ROOT}panel.html` }],
  ['the field with words of the page in its address', { ...frame, url: `${ROOT}field.html?secret=1` }],
  ['no tab', { id: 'abc', url: frame.url, frameId: 4 }],
])('%s is no field', (_name, sender) => {
  expect(who(sender)?.kind).not.toBe('field');
});
