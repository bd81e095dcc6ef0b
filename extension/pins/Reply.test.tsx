// @vitest-environment happy-dom
import { render } from 'preact';
import { expect, test } from 'vitest';
import { Drafts } from '../overlay/drafts';
import type { Fields } from '../overlay/field-frame';
import { Reply } from './Reply';

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
