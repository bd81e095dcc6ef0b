// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageApproval } from '../../state/approvals';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { startPicking, stopPicking } from '../state/pick';
import { createState, type State } from '../state/state';
import { initApprovals } from './approvals';

vi.mock('../messaging/link', () => ({ ask: vi.fn(async () => null) }));

const NOW = 1_000_000;
let end: AbortController;
let state: State;
let layer: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.mocked(ask).mockClear();
  end = new AbortController();
  document.body.innerHTML = '<main></main>';
  layer = document.querySelector('main') as HTMLElement;
  state = createState(location.href);
  const root = { layer: () => layer, shadow: { activeElement: null }, giveFocusBack: () => {} };
  initApprovals(root as unknown as Root, state, end.signal);
});
afterEach(() => {
  end.abort();
  vi.useRealTimers();
});

const find = (id: string) => layer.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const pass = (ms = 200) => vi.advanceTimersByTimeAsync(ms);
async function wait(...first: PageApproval[]) {
  state.approvals.value = { first, count: first.length };
  await pass();
}
const one = { id: 'v_1', action: 'Delete build/', expiresAt: NOW + 65_000 };

test('what waits is shown with the time left and one button, which opens the panel', async () => {
  await wait(one);
  expect(find('approval-action')?.textContent).toBe('Delete build/');
  expect(find('approval-time')?.textContent).toBe('1 min 5 s left');
  expect(layer.querySelectorAll('button')).toHaveLength(1);
  find('approval-open')?.click();
  expect(vi.mocked(ask).mock.calls).toEqual([['open_approvals', {}]]);
});

test('time goes on, and what has none any more gives way to the next', async () => {
  await wait(one, { id: 'v_2', action: 'Push', expiresAt: NOW + 900_000 });
  expect(layer.textContent).toContain('2 approvals wait for you');
  await pass(64_000);
  expect(find('approval-time')?.textContent).toBe('1 s left');
  await pass(2_000);
  expect(find('approval-action')?.textContent).toBe('Push');
  expect(layer.textContent).toContain('An agent asks for your approval');
  await wait();
  expect(find('approval')).toBeNull();
});

test('a screen reader is told of each once', async () => {
  await wait(one);
  const status = layer.querySelector('[role="status"]');
  expect(status?.textContent).toBe('An agent asks for your approval: Delete build/');
  await pass(10_000);
  expect(layer.querySelectorAll('[role="status"] span')).toHaveLength(1);
});

test('it is in nobody’s way while picking, and gone at the end', async () => {
  await wait(one);
  startPicking(state, { kind: 'comment' });
  await pass();
  expect(find('approval')).toBeNull();
  stopPicking(state);
  await pass();
  expect(find('approval')).not.toBeNull();
  end.abort();
  expect(layer.textContent).toBe('');
  await pass(1_500);
  expect(vi.getTimerCount()).toBe(0);
});
