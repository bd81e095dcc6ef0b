// @vitest-environment happy-dom
import { render } from 'preact';
import { expect, test, vi } from 'vitest';
import { sampleComment } from '../../testing/samples';
import { Asked } from './Asked';

type Parts = Partial<Parameters<typeof Asked>[0]>;

function drawn(parts: Parts = {}) {
  const root = document.createElement('div');
  const does = { accept: vi.fn(async () => {}), reopen: vi.fn(async () => true), reply: vi.fn() };
  const comment = { ...sampleComment('c_1'), stage: 'review' as const };
  render(<Asked comment={comment} canAccept isGone={false} {...does} {...parts} />, root);
  const button = (id: string) => root.querySelector<HTMLElement>(`[data-testid="thread-${id}"]`);
  return { root, button, ...does };
}

test('a change is accepted as it is now', async () => {
  const { button, accept } = drawn();
  button('accept')?.click();
  await expect.poll(() => accept.mock.calls.length).toBe(1);
});

test('what is said to be ready and is not is given back, and the person says what is missing', async () => {
  const { button, reopen, reply } = drawn();
  expect(button('not-yet')).toBeNull();
  button('back')?.click();
  await expect.poll(() => reply.mock.calls.length).toBe(1);
  expect(reopen).toHaveBeenCalledOnce();
});

test('a change of the stage that is refused keeps the focus where it is', async () => {
  const reopen = vi.fn(async () => false);
  const { button, reply } = drawn({ reopen });
  button('back')?.click();
  await expect.poll(() => reopen.mock.calls.length).toBe(1);
  await expect.poll(() => button('back')?.getAttribute('aria-disabled')).toBe('false');
  expect(reply).not.toHaveBeenCalled();
});

test('while the agent works the person says what is missing and leaves it to the agent, or gives it back', async () => {
  const { button, reopen, reply } = drawn({ comment: { ...sampleComment('c_1'), stage: 'in_progress' } });
  button('not-yet')?.click();
  expect(reply).toHaveBeenCalledOnce();
  expect(reopen).not.toHaveBeenCalled();
  button('back')?.click();
  await expect.poll(() => reply.mock.calls.length).toBe(2);
  expect(reopen).toHaveBeenCalledOnce();
});

test('what is gone cannot be kept as it is now', () => {
  const { root, button } = drawn({ isGone: true });
  expect(button('accept')).toBeNull();
  expect(root.textContent).toMatch(/^If it was to go, resolve the comment\./);
});

test('what is not found for certain is not accepted either', () => {
  expect(drawn({ canAccept: false }).button('accept')).toBeNull();
});
