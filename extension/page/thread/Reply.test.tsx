// @vitest-environment happy-dom
import { render } from 'preact';
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { Drafts } from '../text-field/drafts';
import type { Fields } from '../text-field/field-frame';
import { Reply } from './Reply';

beforeEach(() => fakeBrowser.reset());

test('a reply cannot be changed while it is sent: what was typed then would be gone with it', async () => {
  fakeBrowser.runtime.onMessage.addListener(async () => ({ ok: null }));
  const root = document.createElement('div');
  const drafts = new Drafts({}, new AbortController().signal);
  const fields = { areRefused: true, mayStandInPage: () => true, hadFocus: false } as unknown as Fields;
  let taken = (_is: boolean): void => {};
  const send = () => new Promise<boolean>((resolve) => (taken = resolve));
  render(<Reply commentId="c_1" drafts={drafts} fields={fields} send={send} onInput={() => {}} />, root);
  const field = () => root.querySelector('textarea') as HTMLTextAreaElement;
  field().value = 'Yes, blue';
  field().dispatchEvent(new Event('input', { bubbles: true }));
  await expect.poll(() => root.querySelector('[data-testid="thread-reply-send"]')).not.toBeNull();
  expect(field().readOnly).toBe(false);
  root.querySelector<HTMLElement>('[data-testid="thread-reply-send"]')?.click();
  await expect.poll(() => field().readOnly).toBe(true);
  taken(true);
  await expect.poll(() => field().readOnly).toBe(false);
  expect(field().value).toBe('');
});

test.each([
  [19_999, false],
  [20_000, true],
])('a reply of %i characters is the longest that is taken, and says so: %s', async (length, isFull) => {
  const root = document.createElement('div');
  const drafts = new Drafts({ 'reply:c_1': 'x'.repeat(length) }, new AbortController().signal);
  // As where a page keeps our frames away: what a frame shows, this process does not see.
  const fields = { areRefused: true, mayStandInPage: () => false, hadFocus: false } as unknown as Fields;
  render(
    <Reply commentId="c_1" drafts={drafts} fields={fields} send={async () => true} onInput={() => {}} />,
    root,
  );
  expect(root.querySelector('textarea')).toBeNull();
  root.querySelector<HTMLElement>('[data-testid="field-in-page"]')?.click();
  await expect.poll(() => root.querySelector('textarea')).not.toBeNull();
  expect(root.querySelector('textarea')?.maxLength).toBe(20_000);
  expect(root.querySelector('[data-testid="text-full"]') !== null).toBe(isFull);
});
