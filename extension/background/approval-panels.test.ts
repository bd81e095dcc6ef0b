import { beforeEach, expect, test } from 'vitest';
import type { ApprovalsToPanel } from '../state/ports';
import { approvalsState } from '../testing/approvals';
import { ApprovalPanels } from './approval-panels';

let now: number;
let panels: ApprovalPanels;
beforeEach(() => {
  now = 1_000;
  panels = new ApprovalPanels(
    () => approvalsState(),
    () => now,
  );
});

function port() {
  const said: ApprovalsToPanel['type'][] = [];
  return { said, postMessage: ({ type }: ApprovalsToPanel) => void said.push(type) };
}

test('a panel is told everything at first, and at every change until it is gone', () => {
  const panel = port();
  panels.watch(panel, 7);
  panels.watch(panel, 8);
  panels.changed();
  expect(panel.said).toEqual(['approvals', 'approvals']);
  panels.unwatch(panel);
  panels.changed();
  expect(panel.said).toHaveLength(2);
});

test('the panel of the tab shows it, and no other', () => {
  const [own, other] = [port(), port()];
  panels.watch(own, 7);
  panels.watch(other, 8);
  panels.show(7);
  expect(own.said).toContain('show');
  expect(other.said).not.toContain('show');
});

test('a panel that is about to open shows it, once, and not long after', () => {
  panels.show(7);
  const [other, own, again] = [port(), port(), port()];
  panels.watch(other, 8);
  panels.watch(own, null);
  panels.watch(own, 7);
  panels.watch(again, 7);
  expect([other, own, again].map(({ said }) => said.includes('show'))).toEqual([false, true, false]);
  panels.show(undefined);
  panels.unwatch(own);
  for (const one of [other, own, again]) panels.unwatch(one);
  panels.show(undefined);
  now += 60_000;
  const late = port();
  panels.watch(late, 7);
  expect(late.said).not.toContain('show');
});

test('a panel that closes as it is told keeps the others from nothing', () => {
  const panel = port();
  panels.watch({ postMessage: () => panel.said.push('show') && fail() }, 7);
  panels.watch(panel, 7);
  panels.changed();
  expect(panel.said.filter((type) => type === 'approvals')).toHaveLength(2);
});

function fail(): never {
  throw new Error('the port is closed');
}
