// @vitest-environment happy-dom
/** Which answers of agents count as seen: those that were on the screen of a panel that somebody can see. */
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reply } from '../../generated/Reply';
import { drawnPanel, the } from '../../testing/panel/drawn';
import { comment, NOW, tabState } from '../../testing/panel/states';

const { show, settle } = drawnPanel(5);

/** Says of what it watches how much of it is on the screen, as it is told. */
class FakeObserver {
  static all: FakeObserver[] = [];
  readonly watched = new Set<Element>();
  constructor(private readonly tell: (entries: IntersectionObserverEntry[]) => void) {
    FakeObserver.all.push(this);
  }
  observe(element: Element) {
    this.watched.add(element);
  }
  unobserve(element: Element) {
    this.watched.delete(element);
  }
  disconnect() {
    this.watched.clear();
  }
  static see(target: Element, height: number, seen: number) {
    const entry = {
      target,
      isIntersecting: seen > 0,
      boundingClientRect: { height },
      intersectionRect: { height: seen },
    } as unknown as IntersectionObserverEntry;
    for (const each of FakeObserver.all) if (each.watched.has(target)) each.tell([entry]);
  }
  static watches = (target: Element) => FakeObserver.all.some(({ watched }) => watched.has(target));
}

beforeEach(() => {
  FakeObserver.all = [];
  vi.stubGlobal('IntersectionObserver', FakeObserver);
});
afterEach(() => void vi.unstubAllGlobals());

const agent = { kind: 'agent', name: 'claude-code 2.1' } as const;
const reply = (id: string, author: Reply['author']): Reply => ({ id, author, text: id, createdAt: NOW });
const answered = (...comments: string[]) => ({ chat: 0, comments });
const comments = [
  comment('c_1', { replies: [reply('r_agent', agent), reply('r_own', { kind: 'person' })] }),
  comment('c_2', { number: 2, replies: [reply('r_agent', agent)] }),
  comment('c_3', { number: 3, replies: [reply('r_agent', agent)] }),
];
const answerOf = (id: string) => {
  const answer = the(`comment-${id}`).querySelector('[data-answer]');
  if (!answer) throw new Error(`no answer to ${id} is shown`);
  return answer;
};

async function shown(unseen: string[]) {
  const { platform, bench } = await show(tabState({ comments, answers: answered(...unseen) }));
  const seen = () =>
    platform.asked.flatMap(({ type, payload }) =>
      type === 'seen_answers' ? (payload as { commentIds: string[] }).commentIds : [],
    );
  const see = (element: Element, height: number, part: number) =>
    act(() => FakeObserver.see(element, height, part));
  return { platform, bench, seen, see };
}

test('an answer is seen once at least half of it is on the screen, and not by being listed', async () => {
  const { platform, seen, see } = await shown(['c_1', 'c_2']);
  expect(seen()).toEqual([]);
  await see(answerOf('c_1'), 80, 30);
  expect(seen()).toEqual([]);
  await see(answerOf('c_1'), 80, 40);
  expect(platform.asked.at(-1)).toEqual({ type: 'seen_answers', payload: { tabId: 7, commentIds: ['c_1'] } });
  // The background has heard of it.
  await act(() => platform.push(tabState({ comments, answers: answered('c_2') })));
  await settle();
  expect(FakeObserver.watches(answerOf('c_1'))).toBe(false);
  expect(FakeObserver.watches(answerOf('c_2'))).toBe(true);
  expect(FakeObserver.watches(answerOf('c_3'))).toBe(false);
  expect(seen()).toEqual(['c_1']);
});

test('an answer that is higher than the list is seen once it fills half of that', async () => {
  const { seen, see } = await shown(['c_2']);
  await see(answerOf('c_2'), 5_000, window.innerHeight / 2 - 1);
  expect(seen()).toEqual([]);
  await see(answerOf('c_2'), 5_000, window.innerHeight / 2);
  expect(seen()).toEqual(['c_2']);
});

test('what is on the screen of a panel that nobody sees is seen when the panel is looked at', async () => {
  const { bench, seen, see } = await shown(['c_2']);
  await act(() => {
    bench.views.visible.value = false;
  });
  await see(answerOf('c_2'), 80, 80);
  expect(seen()).toEqual([]);
  await act(() => {
    bench.views.visible.value = true;
  });
  expect(seen()).toEqual(['c_2']);
});

test('what was on the screen before another view was shown is not', async () => {
  const { bench, platform, seen, see } = await shown(['c_2']);
  await see(answerOf('c_2'), 80, 80);
  await act(() => bench.views.show('chat'));
  await act(() => platform.push(tabState({ comments, answers: answered('c_2') })));
  expect(seen()).toEqual(['c_2']);
});
