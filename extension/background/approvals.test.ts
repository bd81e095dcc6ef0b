/** What waits for the person's yes or no, as the hub tells it, and decisions that are sent or have failed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from '../generated/Answer';
import type { Request } from '../generated/Request';
import type { Verification } from '../generated/Verification';
import { decidedApproval, sampleRule, waitingApproval } from '../testing/approvals';
import { Approvals } from './approvals';
import { LinkLost, NoAnswer } from './link';

type Answering = (request: Request) => Promise<Answer>;

let changes: number;
let asked: Request[];
let hub: Answering;
let approvals: Approvals;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_500 });
  changes = 0;
  asked = [];
  hub = async () => list([]);
  approvals = new Approvals({
    request: (request) => {
      asked.push(request);
      return hub(request);
    },
    changed: () => {
      changes += 1;
    },
  });
});
afterEach(() => void vi.useRealTimers());

function list(
  pending: Verification[],
  more: Partial<Extract<Answer, { type: 'verifications' }>['payload']> = {},
) {
  return { type: 'verifications', payload: { pending, decided: [], rules: [], ...more } } as Answer;
}
const ids = () => approvals.state.pending.map(({ id }) => id);
const decision = { id: 'v_1', hash: 'hash of v_1', approve: true };

test('what waits is known after each connection, the first asked first', async () => {
  expect(approvals.state.line).toBe('loading');
  const [first, second] = [waitingApproval('v_1'), waitingApproval('v_2', { askedAt: 900, expiresAt: 9e5 })];
  hub = async () =>
    list([first, second], { decided: [decidedApproval('v_0')], rules: [sampleRule('rule_1')] });
  await approvals.connected();
  expect(approvals.state).toMatchObject({ line: 'live', detail: '', leftOut: 0 });
  expect(ids()).toEqual(['v_2', 'v_1']);
  expect(approvals.waiting.map(({ id }) => id)).toEqual(['v_1', 'v_2']);
  expect(approvals.state.decided.map(({ id }) => id)).toEqual(['v_0']);
  expect(approvals.state.rules).toHaveLength(1);
  hub = async () => list([second]);
  await approvals.connected();
  expect(ids()).toEqual(['v_2']);
});

test('events are applied, and a decision never becomes a question again', async () => {
  await approvals.connected();
  approvals.hear(waitingApproval('v_1'));
  expect(ids()).toEqual(['v_1']);
  approvals.hear(decidedApproval('v_1', { at: 5_000 }));
  approvals.hear(decidedApproval('v_2', { by: 'rule', at: 6_000 }));
  approvals.hear(waitingApproval('v_1'));
  expect(ids()).toEqual([]);
  expect(approvals.state.decided.map(({ id }) => id)).toEqual(['v_2', 'v_1']);
  approvals.hearRules([sampleRule('rule_1')]);
  expect(approvals.state.rules).toHaveLength(1);
});

test('what is asked or decided while the list is on its way is not lost', async () => {
  let give = (_answer: Answer) => {};
  hub = () =>
    new Promise((resolve) => {
      give = resolve;
    });
  const connected = approvals.connected();
  approvals.hear(waitingApproval('v_2'));
  approvals.hear(decidedApproval('v_1'));
  give(list([waitingApproval('v_1')]));
  await connected;
  expect(ids()).toEqual(['v_2']);
  expect(approvals.state.decided.map(({ id }) => id)).toEqual(['v_1']);
});

test('a list of a link that broke meanwhile says nothing', async () => {
  let give = (_answer: Answer) => {};
  hub = () =>
    new Promise((resolve) => {
      give = resolve;
    });
  const first = approvals.connected();
  approvals.lost('The host is gone.');
  give(list([waitingApproval('v_1')]));
  await first;
  expect(approvals.state).toMatchObject({ line: 'offline', detail: 'The host is gone.', pending: [] });
});

test('without a hub what waited stays in sight, and is not counted once its time ran out', async () => {
  hub = async () => list([waitingApproval('v_1')], { leftOut: 2 });
  await approvals.connected();
  expect(approvals.count).toBe(3);
  approvals.lost('The host is gone.');
  expect(ids()).toEqual(['v_1']);
  const before = changes;
  await vi.advanceTimersByTimeAsync(300_000);
  expect(changes).toBe(before + 1);
  expect(approvals.waiting).toEqual([]);
});

test('of a flood the first asked are shown, and how many more there are', async () => {
  hub = async () =>
    list(
      Array.from({ length: 60 }, (_, at) => waitingApproval(`v_${at}`, { askedAt: at })),
      { leftOut: 3 },
    );
  await approvals.connected();
  expect(approvals.state.pending).toHaveLength(50);
  expect(approvals.state.leftOut).toBe(13);
  expect(approvals.count).toBe(63);
});

test('a hub that knows nothing of it is said, and one that refuses says why', async () => {
  const error = (code: string, message: string) =>
    ({ type: 'error', payload: { code, message, nextStep: 'Do something.' } }) as Answer;
  hub = async () => error('bad_request', 'unknown request');
  await approvals.connected();
  expect(approvals.state).toMatchObject({
    line: 'unsupported',
    detail: expect.stringContaining('Update opentoolbar'),
  });
  hub = async () => error('forbidden', 'only a person decides');
  await approvals.connected();
  expect(approvals.state.detail).toBe('Only a person decides. Do something.');
});

test('a hub whose disk fails says so, and is asked again as soon as it says something', async () => {
  const payload = { code: 'storage', message: 'the disk is full', nextStep: 'Free some space.' };
  hub = async () => ({ type: 'error', payload }) as Answer;
  await approvals.connected();
  expect(approvals.state).toMatchObject({ line: 'offline', detail: 'The disk is full. Free some space.' });
  hub = async () => list([waitingApproval('v_1')]);
  approvals.hear(waitingApproval('v_2'));
  await vi.waitFor(() => expect(approvals.state.line).toBe('live'));
  expect(approvals.state.pending).toHaveLength(2);
});

test('a decision is sent with the hash of the words as they were shown, and is known at once', async () => {
  hub = async () => list([waitingApproval('v_1')]);
  await approvals.connected();
  hub = async () => ({
    type: 'verification',
    payload: { verification: decidedApproval('v_1'), seenBy: 1 },
  });
  await approvals.decide({ ...decision, note: ' ', rule: { hours: 8, anyContext: false } });
  expect(asked.at(-1)).toEqual({
    type: 'decide_verification',
    payload: {
      verificationId: 'v_1',
      hash: 'hash of v_1',
      approve: true,
      rule: { hours: 8, anyContext: false },
    },
  });
  expect(ids()).toEqual([]);
});

test('a decision that does not get there has failed, and is never sent later', async () => {
  await approvals.connected();
  hub = async () => {
    throw new LinkLost('gone');
  };
  await expect(approvals.decide(decision)).rejects.toThrow(/nothing was done/);
  hub = async () => {
    throw new NoAnswer('late');
  };
  await expect(approvals.decide(decision)).rejects.toThrow(/isn’t known whether/);
  const before = asked.length;
  hub = async () => list([waitingApproval('v_1')]);
  await approvals.connected();
  expect(asked.slice(before).map(({ type }) => type)).toEqual(['list_verifications']);
});

test('a decision that the hub refuses says why, and what is shown is asked for anew', async () => {
  hub = async ({ type }) =>
    type === 'list_verifications'
      ? list([])
      : {
          type: 'error',
          payload: { code: 'conflict', message: 'it is decided already', nextStep: 'Look again.' },
        };
  await expect(approvals.decide(decision)).rejects.toThrow('It is decided already. Look again.');
  expect(asked.at(-1)?.type).toBe('list_verifications');
});

test('words that would hide what they say are shown with that written out; the hash is as it came', async () => {
  const context = 'a\u0000b';
  hub = async () =>
    list([
      waitingApproval('v_1', { action: 'rm \u202ebuild', asker: 'co\ndex', context, reason: '\u200b!' }),
    ]);
  await approvals.connected();
  expect(approvals.state.pending[0]).toMatchObject({
    action: 'rm ⟨U+202E⟩build',
    reason: '⟨U+200B⟩!',
    context: 'a⟨U+0000⟩b',
    asker: 'co dex',
    hash: 'hash of v_1',
  });
});

test('a page is told of its own project alone, and nothing that it takes to decide', async () => {
  const other = { root: '/home/ada/other', name: 'other' };
  hub = async () =>
    list([
      waitingApproval('v_1', { action: 'one\ntwo' }),
      waitingApproval('v_2', { project: other }),
      waitingApproval('v_3', { expiresAt: 1_400 }),
    ]);
  await approvals.connected();
  expect(approvals.ofProject('/home/ada/shop')).toEqual({
    first: [{ id: 'v_1', action: 'one two', expiresAt: 301_000 }],
    count: 1,
  });
});

test('what is no verification or rule is none', async () => {
  expect(() => approvals.hear({ id: 'v_1' })).toThrow();
  expect(() => approvals.hear({ ...waitingApproval('v_1'), decided: { approved: 'yes' } })).toThrow();
  expect(() => approvals.hearRules('all')).toThrow();
  hub = async () => list([{ ...waitingApproval('v_1'), action: 5 } as never, waitingApproval('v_2')]);
  await approvals.connected();
  expect(ids()).toEqual(['v_2']);
});
