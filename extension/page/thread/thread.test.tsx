// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Comment } from '../../generated/Comment';
import type { TargetState } from '../../generated/TargetState';
import type { Asked } from '../../messages';
import { sampleComment, sampleTarget } from '../../testing/samples';
import type { Root } from '../host/root';
import { initNotice } from '../notices/notice';
import type { Follow } from '../positioning/follow';
import { Sightings } from '../sightings/sightings';
import { createState } from '../state/state';
import { Drafts } from '../text-field/drafts';
import type { Fields } from '../text-field/field-frame';
import { initThread } from './thread';

const COMMENT = { ...sampleComment('c_1', 'Make it blue'), pathname: location.pathname };
/** Texts that the background was told to keep, by place; an empty one is forgotten there. */
let kept: Record<string, string>;
/** What it answers to an edit. */
let onEdit: (text: string) => Promise<unknown>;
let end: AbortController;

beforeEach(() => {
  fakeBrowser.reset();
  kept = {};
  onEdit = async (text) => ({ ok: { ...COMMENT, text, revision: 2 } });
  end = new AbortController();
  fakeBrowser.runtime.onMessage.addListener(async (asked: unknown) => {
    const message = asked as Asked<'content'>;
    if (message.type === 'keep_draft') kept[message.payload.pathname] = message.payload.text;
    if (message.type !== 'change_comment' || message.payload.change.kind !== 'edit') return { ok: null };
    return onEdit(message.payload.change.text);
  });
});
afterEach(() => end.abort());

/** The thread of the comment, open, after a page was loaded for which `before` is kept. */
function open(before: Record<string, string>, comment: Comment = COMMENT) {
  document.body.innerHTML = '<main></main>';
  const layer = document.querySelector('main') as HTMLElement;
  const state = createState(location.href);
  state.comments.value = [comment];
  state.opened.value = comment.id;
  const part = <T extends HTMLElement>(id: string) => layer.querySelector<T>(`[data-testid="${id}"]`);
  initThread(
    { layer: () => layer } as unknown as Root,
    state,
    { wake() {}, each() {} } as unknown as Follow,
    new Sightings(),
    {
      pinBox: () => null,
      seen: () => 0,
      drafts: new Drafts(before, end.signal),
      fields: { areRefused: true, mayStandInPage: () => true, hadFocus: false } as unknown as Fields,
    },
    end.signal,
  );
  const field = () => part<HTMLTextAreaElement>('thread-edit-input');
  const press = (key: string, init = {}) =>
    field()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init }));
  const type = async (text: string) => {
    await expect.poll(field).not.toBeNull();
    const input = field() as HTMLTextAreaElement;
    input.value = text;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  return { state, part, field, press, type };
}
/** The comment, outdated, with parts of its own. */
function outdated(parts: Partial<Comment>): Comment {
  const state: TargetState = {
    verdict: 'changed',
    confidence: 1,
    diff: [],
    reason: 'Its text changed.',
    checkedAt: 1,
  };
  return { ...COMMENT, status: 'outdated', targets: [{ ...sampleTarget(), state }], ...parts };
}

test('what differs is a warning until the comment is resolved', () => {
  expect(open({}, outdated({})).part('thread-verdict')?.dataset.tone).toBe('source');
  const { part } = open({}, outdated({ status: 'resolved' }));
  expect(part('thread-verdict')?.dataset.tone).toBe('settled');
  expect(part('thread-verdict')?.textContent).toContain('Its text changed.');
});

test('a change while an agent works is asked about once', () => {
  const step = (revision: number, what: string) => ({
    revision,
    at: 1,
    by: { kind: 'person' as const },
    what,
  });
  const history = [step(2, 'set to in progress'), step(3, 'became outdated: Its text changed.')];
  open({}, outdated({ stage: 'in_progress', history }));
  const said = document.body.textContent ?? '';
  expect(said.match(/as asked\?/g)).toHaveLength(1);
  expect(said).toContain('An agent is working on it.');
  expect(said).not.toMatch(/% sure/);
});

const leave = () => window.dispatchEvent(new Event('pagehide'));

test('a thread is called by its comment’s number; before it has one its title says that it is not sent', async () => {
  const numbered = open({}, { ...COMMENT, number: 7 });
  await expect.poll(() => numbered.part('thread-title')?.textContent).toMatch(/^7 /);
  expect(numbered.part('pin-thread')?.getAttribute('aria-label')).toMatch(/^Comment 7, /);
  end.abort();
  end = new AbortController();
  const unsent = open({});
  await expect
    .poll(() => unsent.part('thread-title')?.querySelector('title')?.textContent)
    .toBe('Not sent yet');
  expect(unsent.part('pin-thread')?.getAttribute('aria-label')).toMatch(/^Comment not sent yet, /);
});

test('an edit that is not saved is kept when the page goes, and offered when the thread is opened again', async () => {
  const { part, type } = open({});
  part('thread-edit')?.click();
  await type('Make it green');
  leave();
  expect(kept).toEqual({ 'edit:c_1': 'Make it green' });
  end.abort();
  end = new AbortController();
  expect(open(kept).field()?.value).toBe('Make it green');
});

test('an edit that is not saved is there again when its thread was closed and opened', async () => {
  const { state, part, field, type } = open({});
  part('thread-edit')?.click();
  await type('Make it green');
  state.opened.value = null;
  await expect.poll(field).toBeNull();
  state.opened.value = COMMENT.id;
  await expect.poll(() => field()?.value).toBe('Make it green');
});

test('of a comment whose edit was never begun, or is as the comment is, nothing is offered', () => {
  expect(open({}).field()).toBeNull();
  end.abort();
  end = new AbortController();
  expect(open({ 'edit:c_1': 'Make it blue', 'edit:c_2': 'Other' }).field()).toBeNull();
});

test('an edit is kept no more once it is saved; while it is saved nothing can be typed into it', async () => {
  let answer = (_: unknown) => {};
  onEdit = () => new Promise((resolve) => (answer = resolve));
  const { part, field } = open({ 'edit:c_1': 'Make it green' });
  part('thread-edit-save')?.click();
  await expect.poll(() => field()?.readOnly).toBe(true);
  answer({ ok: { ...COMMENT, text: 'Make it green', revision: 2 } });
  await expect.poll(field).toBeNull();
  expect(kept).toEqual({ 'edit:c_1': '' });
  expect(part('thread-text')?.textContent).toBe('Make it green');
});

test('an edit that could not be saved stays, and is kept', async () => {
  onEdit = async () => ({ error: 'Not now.' });
  const { part, field } = open({ 'edit:c_1': 'Make it green' });
  part('thread-edit-save')?.click();
  await expect.poll(() => field()?.readOnly).toBe(false);
  expect(field()?.value).toBe('Make it green');
  expect(kept).toEqual({});
});

test.each([
  ['the button', ({ part }: ReturnType<typeof open>) => part('thread-edit-cancel')?.click()],
  ['Escape', ({ press }: ReturnType<typeof open>) => press('Escape')],
])('an edit that the person cancels by %s is kept no more, and the thread stays', async (_name, cancel) => {
  const thread = open({ 'edit:c_1': 'Make it green' });
  cancel(thread);
  await expect.poll(thread.field).toBeNull();
  expect(kept).toEqual({ 'edit:c_1': '' });
  expect(thread.state.opened.value).toBe('c_1');
});

test('Ctrl+Enter saves an edit', async () => {
  const { field, press } = open({ 'edit:c_1': 'Make it green' });
  press('Enter', { ctrlKey: true });
  await expect.poll(field).toBeNull();
  expect(kept).toEqual({ 'edit:c_1': '' });
});

test.each([
  ['cancelled', ({ part }: ReturnType<typeof open>) => part('thread-edit-cancel')?.click()],
  ['saved', ({ part }: ReturnType<typeof open>) => part('thread-edit-save')?.click()],
])('an edit that was %s gives the focus back to the button that began it', async (_name, end) => {
  const thread = open({ 'edit:c_1': 'Make it green' });
  thread.field()?.focus();
  end(thread);
  await expect.poll(thread.field).toBeNull();
  await expect.poll(() => document.activeElement?.getAttribute('data-testid')).toBe('thread-edit');
});

test('a focus that went elsewhere while an edit was saved stays there', async () => {
  let answer = (_: unknown) => {};
  onEdit = () => new Promise((resolve) => (answer = resolve));
  const { part, field } = open({ 'edit:c_1': 'Make it green' });
  part('thread-edit-save')?.click();
  await expect.poll(() => field()?.readOnly).toBe(true);
  part('thread-delete')?.focus();
  answer({ ok: { ...COMMENT, text: 'Make it green', revision: 2 } });
  await expect.poll(field).toBeNull();
  expect(document.activeElement?.getAttribute('data-testid')).toBe('thread-delete');
});

test.each([
  ['an open', COMMENT],
  ['a resolved', outdated({ status: 'resolved' })],
])('the thread of %s comment takes the focus itself: a second Enter does nothing', (_name, comment) => {
  open({}, comment);
  expect(document.activeElement?.getAttribute('data-testid')).toBe('thread-title');
});

test('a message stands in the open thread, not over it, and gives the focus back to it', async () => {
  const { state, part } = open({});
  const outside = document.createElement('aside');
  initNotice({ layer: () => outside } as unknown as Root, state, end.signal);
  state.notice.value = { kind: 'info', text: 'Comment 1 reopened.' };
  await expect.poll(() => part('pin-thread')?.textContent).toContain('Comment 1 reopened.');
  expect(outside.querySelector('[data-testid="notice"]')).toBeNull();
  // Read out in it, once: beside a modal card nothing is heard.
  expect(part('pin-thread')?.querySelector('[role="status"]')?.textContent).toBe('Comment 1 reopened.');
  expect(outside.querySelector('[role="status"]')?.textContent).toBe('');
  const away = part('notice')?.querySelector('button');
  away?.focus();
  away?.click();
  await expect.poll(() => part('notice')).toBeNull();
  expect(document.activeElement?.getAttribute('data-testid')).toBe('thread-title');
  state.notice.value = { kind: 'info', text: 'Comment 1 resolved.' };
  state.opened.value = null;
  await expect.poll(() => outside.querySelector('[data-testid="notice"]')?.textContent).toContain('resolved');
});
