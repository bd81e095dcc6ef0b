// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import type { Root } from '../host/root';
import { startPicking, stopPicking } from '../state/pick';
import { createState } from '../state/state';
import { initHiddenPins } from './hidden-pins';

vi.mock('../messaging/link', () => ({ ask: vi.fn(async () => null) }));

const end = new AbortController();
afterEach(() => end.abort());

test('that pins are hidden is said by that alone, however many there are, and so is the way back', async () => {
  const layer = document.createElement('div');
  const state = createState(location.href);
  initHiddenPins({ layer: () => layer, shadow: document } as unknown as Root, state, end.signal);
  const button = () => layer.querySelector<HTMLElement>('[data-testid="show-pins"]');
  const said = () => layer.querySelector('[role="status"]')?.textContent;
  expect(button()).toBeNull();
  state.pinsHidden.value = true;
  await expect.poll(said).toBe('Pins are hidden.');
  expect(button()?.textContent?.trim()).toBe('Show pins');
  startPicking(state, { kind: 'comment' });
  await expect.poll(button).toBeNull();
  expect(said()).toBe('Pins are hidden.');
  stopPicking(state);
  await expect.poll(() => button()).not.toBeNull();
  button()?.click();
  await expect.poll(said).toBe('Pins are shown.');
  expect(button()).toBeNull();
});
