// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Comment } from '../../generated/Comment';
import { sampleComment } from '../../testing/samples';
import type { Root } from '../host/root';
import { startPicking, stopPicking } from '../state/pick';
import { createState, type State } from '../state/state';
import { initAnswered } from './answered';

vi.mock('../messaging/link', () => ({ ask: vi.fn(async () => null) }));

const agent = { kind: 'agent', name: 'codex' } as const;
let end: AbortController;
let state: State;
let layer: HTMLElement;
/** What a screen reader was given to say, in order. */
let spoken: string[];
let givenBack: number;

beforeEach(() => {
  vi.useFakeTimers();
  end = new AbortController();
  document.body.innerHTML = '<main></main>';
  layer = document.querySelector('main') as HTMLElement;
  state = createState(location.href);
  spoken = [];
  givenBack = 0;
});
afterEach(() => {
  end.abort();
  vi.useRealTimers();
});

function begin() {
  const shadow = {
    get activeElement() {
      return document.activeElement;
    },
  };
  const root = { layer: () => layer, shadow, giveFocusBack: () => givenBack++ };
  initAnswered(root as unknown as Root, state, end.signal);
  const status = layer.querySelector('[role="status"]') as HTMLElement;
  expect(status.textContent, 'a screen reader reads what comes into it').toBe('');
  new MutationObserver(() => {
    if (status.textContent) spoken.push(status.textContent);
  }).observe(status, { childList: true, characterData: true, subtree: true });
}

const note = () => layer.querySelector('[data-testid="answered"]')?.querySelector('p')?.textContent;
const pass = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms);
const press = async (id: string) => {
  layer.querySelector<HTMLElement>(`[data-testid="${id}"]`)?.click();
  await pass();
};
/** The comment with so many replies of an agent. */
const replied = (id: string, replies: number, more: Partial<Comment> = {}): Comment => ({
  ...sampleComment(id),
  number: id === 'c_1' ? 1 : 2,
  pathname: location.pathname,
  createdAt: id === 'c_1' ? 1 : 2,
  replies: Array.from({ length: replies }, (_, at) => ({
    id: `r_${at}`,
    author: agent,
    text: 'Done',
    createdAt: at,
  })),
  ...more,
});
const tell = async (chat: number, ...comments: Comment[]) => {
  state.comments.value = comments;
  state.answers.value = {
    chat,
    comments: comments.filter((one) => one.replies.length > 0).map(({ id }) => id),
  };
  await pass();
};

test('an answer that was put away is not shown again, and another to the same comment is', async () => {
  begin();
  await tell(0, replied('c_1', 1));
  expect(note()).toBe('codex answered comment 1.');
  await press('answered-away');
  expect(note()).toBeUndefined();
  await tell(0, replied('c_1', 1, { text: 'Make it green', revision: 2 }));
  expect(note()).toBeUndefined();
  await tell(0, replied('c_1', 2));
  expect(note()).toBe('codex answered comment 1.');
  await press('answered-away');
  await tell(0, replied('c_1', 2, { status: 'resolved', resolution: { by: agent, at: 5 } }));
  expect(note()).toBe('codex resolved comment 1.');
});

test('an answer to a comment is shown after one to another was put away, and named', async () => {
  begin();
  await tell(0, replied('c_1', 1), replied('c_2', 0));
  await press('answered-away');
  await tell(0, replied('c_1', 1), replied('c_2', 1));
  expect(note()).toBe('codex answered comment 2.');
});

test('an answer to a comment is shown although one in the conversation was put away, and the other way round', async () => {
  begin();
  await tell(1);
  await press('answered-away');
  await tell(1, replied('c_1', 1));
  expect(note()).toBe('codex answered comment 1.');
  await press('answered-away');
  await tell(2, replied('c_1', 1));
  expect(note()).toBe('Your agent answered in the conversation.');
});

test('an answer in the conversation is shown although as many were put away, once those are read', async () => {
  begin();
  await tell(1);
  await press('answered-away');
  state.answers.value = { chat: 0, comments: [] };
  state.answers.value = { chat: 1, comments: [] };
  await pass();
  expect(note()).toBe('Your agent answered in the conversation.');
});

test('a screen reader is given each answer once, however often the note makes room', async () => {
  begin();
  await tell(0, replied('c_1', 1));
  for (const isPicking of [true, false]) {
    if (isPicking) startPicking(state, { kind: 'comment' });
    else stopPicking(state);
    await pass();
  }
  expect(spoken).toEqual(['codex answered comment 1.']);
  await tell(0, replied('c_1', 2));
  expect(spoken).toEqual(['codex answered comment 1.', 'codex answered comment 1.']);
});

test('the focus of a note that is put away goes back to where it was; what has it elsewhere keeps it', async () => {
  begin();
  await tell(1);
  await press('answered-away');
  expect(givenBack).toBe(0);
  await tell(2);
  layer.querySelector<HTMLElement>('[data-testid="answered-away"]')?.focus();
  await press('answered-away');
  expect(givenBack).toBe(1);
});
