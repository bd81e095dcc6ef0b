// @vitest-environment happy-dom
/** What a person sees of approvals, and how they decide. */
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import type { ApprovalsState } from '../../state/approvals';
import { approvalsState, decidedApproval, sampleRule, waitingApproval } from '../../testing/approvals';
import { drawnPanel, find, the } from '../../testing/panel/drawn';
import type { FixturePlatform } from '../../testing/panel/fixture-platform';
import { NOW, project, tabState } from '../../testing/panel/states';

const { show, settle, click, press, write } = drawnPanel(5);

afterEach(() => void vi.restoreAllMocks());

const waiting = (id: string, over: object = {}) =>
  waitingApproval(id, { project, askedAt: NOW - 1_000, expiresAt: NOW + 299_000, ...over });
const text = () => document.body.textContent ?? '';
const asked = (platform: FixturePlatform, type: string) =>
  platform.asked.filter((one) => one.type === type).map(({ payload }) => payload);

const rested = () => act(() => new Promise((done) => setTimeout(done, 800)));

/** The view, with this in it. Its buttons have only just come, and decide nothing yet. */
async function view(state: Partial<ApprovalsState> | null, prepare?: (platform: FixturePlatform) => void) {
  localStorage.setItem('opentoolbar.panel.view', 'approvals');
  const shown = await show(tabState(), (platform) => {
    platform.approvals = state && approvalsState(state);
    prepare?.(platform);
  });
  const push = async (next: Partial<ApprovalsState>) => {
    await act(() => shown.platform.pushApprovals(approvalsState(next)));
    await settle();
  };
  return { ...shown, push };
}

/** The view, some time after it came. */
async function restedView(state: Partial<ApprovalsState>) {
  const shown = await view(state);
  await rested();
  return shown;
}

test('nothing yet, nothing that waits, no hub and one that is too old are each said', async () => {
  const { push } = await view(null);
  expect(the('approvals-loading').getAttribute('role')).toBe('status');
  await push({ line: 'loading' });
  expect(find('approvals-loading')).not.toBeNull();
  await push({});
  expect(the('approvals-empty').textContent).toContain('Nothing waits for you');
  expect(find('approvals-trouble')).toBeNull();
  await push({ line: 'offline', detail: 'The host is gone.' });
  expect(the('approvals-trouble').textContent).toBe('The host is gone.');
  expect(find('approvals-empty')).toBeNull();
  await push({ line: 'unsupported', detail: 'Update opentoolbar.' });
  expect(the('approvals-trouble').textContent).toBe('Update opentoolbar.');
});

test('a card says what, why, with what, who says it asks, and how long there is', async () => {
  const over = { asker: 'claude-code 2.1', context: '{"command":"rm -rf build/"}' };
  await view({ pending: [waiting('v_1', over)] });
  expect(the('action-v_1').textContent).toBe('Delete v_1');
  expect(the('reason-v_1').textContent).toBe('It is stale');
  expect(the('context-v_1').textContent).toBe('{\n  "command": "rm -rf build/"\n}');
  expect(the('asker-v_1').textContent).toBe('It says it is claude-code 2.1');
  expect(the('left-v_1').textContent).toBe('4 min 59 s left');
  expect(find('project-v_1')).toBeNull();
  expect(the('marks-approvals').textContent).toBe('1 waiting');
});

test('an asker that is not connected any more is said to be gone, in this project alone', async () => {
  const asked = (id: string, asker: string, over: object = {}) => waiting(id, { asker, ...over });
  const elsewhere = { project: { root: '/home/ada/other', name: 'other' } };
  await view({
    pending: [
      asked('v_1', 'claude-code 2.1'),
      asked('v_2', 'codex 1.2'),
      asked('v_3', 'codex 1.2', elsewhere),
    ],
  });
  const gone = /not connected now/;
  expect(the('asker-v_1').textContent).not.toMatch(gone);
  expect(the('asker-v_2').textContent).toMatch(gone);
  expect(the('asker-v_3').textContent).not.toMatch(gone);
});

test('a project that is not the one of this page is named', async () => {
  await view({ pending: [waiting('v_1', { project: { root: '/home/ada/other', name: 'other' } })] });
  expect(the('project-v_1').textContent).toBe('other, not the one of this page');
});

test('what agents write is text: no markup, no picture, no link', async () => {
  const html = '<img src=x onerror=alert(1)><a href="https://evil.example">Approve</a> **bold**';
  await view({ pending: [waiting('v_1', { action: html, reason: html, context: html, asker: html })] });
  const card = the('approval-v_1');
  expect(card.querySelectorAll('img, a, b, strong')).toHaveLength(0);
  expect(the('action-v_1').textContent).toBe(html);
});

test('yes and no are sent with the hash that was shown, and the note; reject comes first', async () => {
  const { platform, push } = await restedView({ pending: [waiting('v_1'), waiting('v_2')] });
  const buttons = [...the('approval-v_1').querySelectorAll('button')].map((one) => one.textContent);
  expect(buttons).toEqual(['Reject', 'Approve']);
  expect(the('approval-v_1').querySelector('form, [type="submit"]')).toBeNull();
  await write('note-v_1', 'Not today');
  await click('reject-v_1');
  await push({ pending: [waiting('v_2')] });
  await rested();
  await click('approve-v_2');
  expect(asked(platform, 'decide_approval')).toEqual([
    { id: 'v_1', hash: 'hash of v_1', approve: false, note: 'Not today' },
    { id: 'v_2', hash: 'hash of v_2', approve: true },
  ]);
});

test('Enter in the note decides nothing', async () => {
  const { platform } = await view({ pending: [waiting('v_1')] });
  for (const more of [{}, { ctrlKey: true }, { metaKey: true }]) await press('Enter', more, the('note-v_1'));
  expect(asked(platform, 'decide_approval')).toEqual([]);
});

test('a click on a card that has just moved under the pointer decides nothing', async () => {
  const { platform, push } = await restedView({ pending: [waiting('v_1'), waiting('v_2')] });
  await push({ pending: [waiting('v_2')] });
  expect(the('approve-v_2').getAttribute('aria-disabled')).toBe('true');
  await click('approve-v_2');
  expect(asked(platform, 'decide_approval')).toEqual([]);
  await rested();
  expect(the('approve-v_2').getAttribute('aria-disabled')).toBe('false');
});

test('a card that comes under the pointer decides nothing at first: with the view, and later', async () => {
  localStorage.setItem('opentoolbar.panel.view', 'comments');
  const { platform } = await show(tabState(), (platform) => {
    platform.approvals = approvalsState({ pending: [waiting('v_1')] });
  });
  await rested();
  await click('tab-approvals');
  expect(the('approve-v_1').getAttribute('aria-disabled')).toBe('true');
  await click('approve-v_1');
  await rested();
  expect(the('approve-v_1').getAttribute('aria-disabled')).toBe('false');
  await act(() => platform.pushApprovals(approvalsState({ pending: [waiting('v_1'), waiting('v_2')] })));
  await settle();
  expect(the('approve-v_1').getAttribute('aria-disabled')).toBe('false');
  expect(the('approve-v_2').getAttribute('aria-disabled')).toBe('true');
  await click('approve-v_2');
  expect(asked(platform, 'decide_approval')).toEqual([]);
  await rested();
  await click('approve-v_2');
  expect(asked(platform, 'decide_approval')).toEqual([{ id: 'v_2', hash: 'hash of v_2', approve: true }]);
});

test('all are rejected by two presses, and kept by Cancel; there is no such yes', async () => {
  const pending = [waiting('v_1'), waiting('v_2'), waiting('v_3')];
  const { platform, push } = await restedView({ pending });
  await click('reject-all');
  expect(document.activeElement).toBe(the('reject-none'));
  await click('reject-none');
  expect(asked(platform, 'decide_approval')).toEqual([]);
  await click('reject-all');
  expect(the('reject-all-now').textContent).toBe('Reject all 3');
  await click('reject-all-now');
  expect(asked(platform, 'decide_approval')).toEqual(
    pending.map(({ id, hash }) => ({ id, hash, approve: false })),
  );
  expect(the('announcement').textContent).toBe('3 of 3 rejected.');
  await push({ pending: [waiting('v_1')] });
  expect(find('reject-all')).toBeNull();
});

test('who decides by keys goes on in the view, on no button', async () => {
  const { push } = await view({ pending: [waiting('v_1'), waiting('v_2')] });
  the('reject-v_1').focus();
  await push({ pending: [waiting('v_2')] });
  expect(document.activeElement).toBe(document.querySelector('main.approvals'));
});

test('one that comes stands below, is told to a screen reader, and moves nothing', async () => {
  const { push } = await restedView({ pending: [waiting('v_1')] });
  await push({ pending: [waiting('v_1'), waiting('v_2')] });
  expect(the('announcement').textContent).toBe('Approval asked for by codex 1.2: Delete v_2');
  expect(the('approve-v_1').getAttribute('aria-disabled')).toBe('false');
});

test('a rule is off by default, and goes with a yes alone', async () => {
  const { platform } = await restedView({ pending: [waiting('v_1'), waiting('v_2')] });
  expect((the('always-v_1') as HTMLInputElement).checked).toBe(false);
  expect(find('hours-v_1')).toBeNull();
  await click('always-v_1');
  expect((the('any-context-v_1') as HTMLInputElement).checked).toBe(false);
  const hours = the('hours-v_1') as HTMLSelectElement;
  expect([...hours.options].map(({ value }) => value)).toEqual(['1', '8', '24', '168']);
  hours.value = '24';
  await act(() => void hours.dispatchEvent(new Event('change', { bubbles: true })));
  expect(the('approve-v_1').textContent).toBe('Approve, and for 24 hours');
  await click('approve-v_1');
  await click('always-v_2');
  await click('reject-v_2');
  expect(asked(platform, 'decide_approval')).toEqual([
    { id: 'v_1', hash: 'hash of v_1', approve: true, rule: { hours: 24, anyContext: false } },
    { id: 'v_2', hash: 'hash of v_2', approve: false },
  ]);
});

test('a decision that failed says so at its card, and can be tried again', async () => {
  const { platform } = await restedView({ pending: [waiting('v_1')] });
  platform.failNext = 'The host isn’t responding, so nothing was done. Try again when it is back.';
  await click('approve-v_1');
  expect(the('error-v_1').getAttribute('role')).toBe('alert');
  expect(the('error-v_1').textContent).toContain('nothing was done');
  await click('approve-v_1');
  expect(find('error-v_1')).toBeNull();
});

test('without a hub, and after its time, nothing can be decided', async () => {
  const { platform, push } = await restedView({
    line: 'offline',
    detail: 'It is gone.',
    pending: [waiting('v_1')],
  });
  expect(the('approvals-trouble').textContent).toContain('nothing can be decided here now');
  await click('approve-v_1');
  await push({ pending: [waiting('v_1', { expiresAt: NOW })] });
  expect(the('left-v_1').textContent).toBe('time ran out');
  expect(text()).toContain('Its time ran out: it is rejected.');
  expect(find('marks-approvals')).toBeNull();
  await click('approve-v_1');
  expect(asked(platform, 'decide_approval')).toEqual([]);
});

test('time goes on once a second, and less often for who wants no motion', async () => {
  for (const [isStill, left] of [
    [false, '4 min 57 s left'],
    [true, '4 min 59 s left'],
  ] as const) {
    vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: isStill } as MediaQueryList);
    const { platform, bench } = await view({ pending: [waiting('v_1')] });
    platform.now = () => NOW + 2_000;
    await act(() => new Promise((done) => setTimeout(done, 1_100)));
    expect(the('left-v_1').textContent).toBe(left);
    bench.end();
    document.body.innerHTML = '';
  }
});

test('rules are listed with what they allow, and stopped by a press', async () => {
  const rules = [sampleRule('rule_1', { uses: 2 }), sampleRule('rule_2', { context: 'staging' })];
  const { platform } = await view({ rules });
  expect(the('rule_1').textContent).toMatch(/Run the tests.*Without a context alone.*in shop.*used 2 times/);
  expect(the('rule_2').textContent).toMatch(/With exactly this context.*not used yet.*staging/);
  await click('stop-rule_1');
  expect(asked(platform, 'stop_rule')).toEqual([{ ruleId: 'rule_1' }]);
});

test('what was decided says what became of it, by whom and how', async () => {
  const decided = [
    decidedApproval('v_1', { at: NOW - 120_000, note: 'Go on' }, { project }),
    decidedApproval('v_2', { approved: false, way: 'terminal' }, { project }),
    decidedApproval('v_3', { approved: false, by: 'timeout' }),
    decidedApproval('v_4', { by: 'rule' }, { project }),
    decidedApproval('v_5', { approved: false, by: 'withdrawn' }, { project }),
  ];
  await view({ decided });
  const details = the('decided-v_1').querySelector('details') as HTMLDetailsElement;
  expect(details.querySelectorAll('pre')).toHaveLength(0);
  details.open = true;
  await act(() => void details.dispatchEvent(new Event('toggle')));
  const exactly = [...the('decided-v_1').querySelectorAll('details pre')].map((box) => box.textContent);
  expect(exactly).toEqual(['Delete v_1', 'It is stale']);
  expect(the('decided-v_1').textContent).toMatch(/Approved by you in a browser · 2 min ago.*Go on/);
  expect(the('decided-v_2').textContent).toContain('Rejected by you in a terminal');
  expect(the('decided-v_3').textContent).toMatch(/nobody decided in time.*in shop/);
  expect(the('decided-v_4').textContent).toContain('Approved by a rule of yours');
  expect(the('decided-v_5').textContent).toContain('Taken back by its asker');
});

test('notifications are asked for by a press alone; refused, it says so and goes on', async () => {
  const { platform } = await view({});
  platform.notifications.answer = false;
  expect(platform.notifications.isAllowed).toBe(false);
  await click('allow-notifications');
  expect(the('notifications-refused').textContent).toContain('didn’t allow');
  platform.notifications.answer = true;
  await click('allow-notifications');
  expect(find('notifications')).toBeNull();
});

test('where opentoolbar may not be, and where no tab is, what waits can be seen', async () => {
  const { platform } = await show(tabState({ allowed: false }), (platform) => {
    platform.approvals = approvalsState({ pending: [waiting('v_1')] });
  });
  expect(find('not-allowed')).not.toBeNull();
  await click('tab-approvals');
  expect(find('approval-v_1')).not.toBeNull();
  await act(() => platform.approvalWatchers[0]?.onShow());
  expect(the('tab-approvals').getAttribute('aria-selected')).toBe('true');
});

test('the panel goes to it when the person wants to see it', async () => {
  const { platform } = await show(tabState());
  expect(find('approvals-empty')).toBeNull();
  await act(() => platform.approvalWatchers[0]?.onShow());
  expect(find('approvals-empty')).not.toBeNull();
});

test('while the background comes back what was shown stays, with its note, and cannot be decided', async () => {
  const { platform, push } = await restedView({ pending: [waiting('v_1')] });
  await write('note-v_1', 'Wait');
  await act(() => platform.approvalWatchers[0]?.onLost());
  expect(the('approve-v_1').getAttribute('aria-disabled')).toBe('true');
  await push({ line: 'loading' });
  expect(the('approvals-trouble').textContent).toContain('Reconnecting');
  expect((the('note-v_1') as HTMLTextAreaElement).value).toBe('Wait');
  await click('approve-v_1');
  expect(asked(platform, 'decide_approval')).toEqual([]);
  await push({ pending: [waiting('v_1')] });
  expect(the('approve-v_1').getAttribute('aria-disabled')).toBe('false');
});

test('a background that ended is asked again, and one that stays silent is said to be', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { platform } = await (async () => {
      const shown = view({ pending: [waiting('v_1')] });
      await vi.advanceTimersByTimeAsync(100);
      return shown;
    })();
    const lost = platform.approvalWatchers[0];
    platform.approvals = null;
    await act(() => lost?.onLost());
    await act(async () => void (await vi.advanceTimersByTimeAsync(5_000)));
    expect(the('approvals-trouble').textContent).toContain('isn’t responding');
    expect(the('approve-v_1').getAttribute('aria-disabled')).toBe('true');
    expect(platform.approvalWatchers).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});
