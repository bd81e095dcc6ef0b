import { expect, test } from 'vitest';
import { decode, messageTypes } from './decode';
import { identify, mayAsk, type RawSender } from './sender';

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

test('a content script may send these messages and no other', () => {
  const allowed = messageTypes.filter((type) => mayAsk(content!, { type, payload: {} } as never));
  expect(allowed.sort()).toEqual([
    'ask_files',
    'capture_piece',
    'change_comment',
    'create_comment',
    'decline_annotation',
    'describe',
    'get_drafts',
    'get_page_state',
    'judge',
    'keep_draft',
    'keep_looks',
    'load_overlay',
    'note_document',
    'note_made',
    'note_sources',
    'offer_field',
    'open_panel',
    'overlay_removed',
    'page_moved',
    'picking_changed',
    'report_states',
    'seen_answer',
    'send_to_chat',
    'show_embedded',
  ]);
});

test('only the panel names the tab that it declines for', () => {
  const decline = (payload: object) => ({ type: 'decline_annotation', payload }) as never;
  const ofTab = decline({ tabId: 8, annotationId: 'a_1' });
  const own = decline({ annotationId: 'a_1' });
  expect([mayAsk(content!, ofTab), mayAsk(content!, own)]).toEqual([false, true]);
  expect([mayAsk(panel!, ofTab), mayAsk(panel!, own)]).toEqual([true, false]);
});

test('a content script cannot act on other tabs', () => {
  for (const type of [
    'set_picking',
    'jump_to',
    'import_comments',
    'export_json',
    'set_project',
    'check_connection',
  ]) {
    expect(mayAsk(content!, { type, payload: {} } as never)).toBe(false);
    expect(mayAsk(panel!, { type, payload: {} } as never)).toBe(true);
  }
});

test('only a content script captures and creates', () => {
  for (const type of ['describe', 'judge', 'create_comment', 'page_moved', 'picking_changed']) {
    expect(mayAsk(content!, { type, payload: {} } as never)).toBe(true);
    expect(mayAsk(panel!, { type, payload: {} } as never)).toBe(false);
  }
});

test.each([
  ['nothing', undefined],
  ['text', 'describe'],
  ['an unknown type', { type: 'reboot', payload: {} }],
  ['a type that every object has', { type: 'constructor', payload: {} }],
  ['no payload', { type: 'picking_changed' }],
  ['a payload of another form', { type: 'picking_changed', payload: { picking: 'yes' } }],
  ['nodes that are no indexes', { type: 'describe', payload: { capture: '', nodes: [-1], probes: [null] } }],
  [
    'far too many nodes',
    { type: 'describe', payload: { capture: '', nodes: Array(51).fill(1), probes: [] } },
  ],
])('%s is no message', (_name, message) => {
  expect(decode(message)).toBeUndefined();
});

test('a message of the right form is one', () => {
  const message = { type: 'report_states', payload: { reports: [{ commentId: 'c_1', states: [] }] } };
  expect(decode(message)).toBe(message);
});

test('a page that the browser prepared ahead of a click speaks for no tab before it is gone to', () => {
  // As Chrome says it: the tab is the one that it may come to.
  expect(who({ ...page, documentLifecycle: 'prerender' })).toBeUndefined();
  expect(who({ ...page, documentLifecycle: 'active' })).toMatchObject({ kind: 'content', tabId: 7 });
  // On its way out it still keeps what the person typed.
  expect(who({ ...page, documentLifecycle: 'pending_deletion' })?.kind).toBe('content');
});

test('what is written in a page is kept however long the address is that the page gave itself', () => {
  const url = `https://example.com/#${'state'.repeat(100_000)}`;
  const message = { type: 'keep_draft', payload: { pathname: '/', url, text: 'Not lost' } };
  expect(decode(message)).toBe(message);
});
