// @vitest-environment happy-dom
/** What the panel advises about the connection, what waits and what was refused. */
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import type { AgentLink } from '../../generated/AgentLink';
import type { Project } from '../../generated/Project';
import { drawnPanel, find, the } from '../../testing/panel/drawn';
import { FixturePlatform } from '../../testing/panel/fixture-platform';
import { comment, connection, NOW, project, tabState } from '../../testing/panel/states';

const { draw, show, settle, click, write } = drawnPanel(5);

const agentIn = (project: Project, over: Partial<AgentLink> = {}): AgentLink => ({
  client: 'codex',
  project,
  lastSeen: NOW,
  ...over,
});

const text = () => document.body.textContent ?? '';

test('comments of a project that the site belonged to before are named, not shown', async () => {
  await show(tabState({ otherProjects: [{ root: '/projects/shop', comments: 2 }] }));
  expect(the('other-project').textContent).toBe(
    '2 more comments of this site belong to /projects/shop. Choose that project to see them.',
  );
});

test('a refused change stands above what only informs', async () => {
  const problems = [{ seq: 1, sentence: 'Your reply was not sent.', text: 'Mine', canRetry: true }];
  const unreadable = ['1 comment can’t be read.'];
  await show(
    tabState({ connection: connection({ problems, unreadable, waiting: 2, delayed: 'Its disk is full.' }) }),
  );
  const order = [...document.querySelectorAll('[data-testid]')].map((part) =>
    part.getAttribute('data-testid'),
  );
  const at = (id: string) => order.indexOf(id);
  expect(at('problem')).toBeGreaterThan(-1);
  for (const later of ['waiting', 'delayed', 'unreadable']) expect(at('problem')).toBeLessThan(at(later));
});

test('what is offered to the project is taken over or left, as the person says', async () => {
  const offer = {
    id: 'moved-shop-1',
    project: { root: '/work/shop', name: 'shop' },
    kind: 'moved' as const,
    from: '/old/shop',
    bytes: 4096,
    reason: 'the project that was there is gone, and this one looks like it',
  };
  const { platform } = await show(tabState({ offers: [offer] }));
  expect(the('offer').textContent).toContain('Move its comments and conversations to /work/shop?');
  expect(the('offer').getAttribute('aria-label')).toBe('Data in /old/shop');
  expect(the('offer-accept').textContent).toBe('Move');
  // To decline is for good.
  expect(the('offer-decline').textContent).toBe('Don’t move');
  platform.answers.set('answer_offer', { added: 3, skipped: 2 });
  await click('offer-accept');
  expect(text()).toContain('Imported 3 comments. 2 skipped: known already, or they can’t be read.');
  const asked = (accept: boolean) => ({
    type: 'answer_offer',
    payload: { tabId: 7, offerId: offer.id, accept },
  });
  expect(platform.asked.at(-1)).toEqual(asked(true));
  await click('offer-decline');
  expect(platform.asked.at(-1)).toEqual(asked(false));
});

test('without a host it says where comments are stored and what to run', async () => {
  const { platform } = await show(tabState({ connection: connection({ hub: 'none', agents: [] }) }));
  expect(the('connection-hub').dataset.state).toBe('broken');
  expect(the('connection-hub').textContent).toContain('Stored in this browser');
  expect(the('connection-agent').textContent).not.toContain('Connected');
  document.querySelector<HTMLElement>('[aria-label="Copy opentoolbar setup"]')?.click();
  await settle();
  expect(platform.copied).toEqual(['opentoolbar setup']);
});

test('a refused change keeps its text to be copied, sent again or discarded', async () => {
  const sentence =
    'The project refused “Make it blue”: it is read-only. Free it and write the comment again.';
  const problems = [
    { seq: 3, sentence, text: `${sentence} All of it.`, canRetry: true },
    { seq: 4, sentence: 'Your edit “red” was not saved.', text: 'red', canRetry: false },
  ];
  const stuck = connection({ problems, waiting: 2, delayed: 'the disk is full.' });
  const { platform } = await show(tabState({ connection: stuck }));
  expect(the('waiting').textContent).toContain('2 changes wait');
  const [first, second] = document.querySelectorAll<HTMLElement>('[data-testid="problem"]');
  const press = async (of: HTMLElement | undefined, label: string) => {
    of?.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.click();
    await settle();
  };
  await press(first, 'Copy this text');
  expect(platform.copied).toEqual([`${sentence} All of it.`]);
  await press(first, 'Send this again');
  expect(platform.asked.at(-1)).toEqual({ type: 'retry_problem', payload: { seq: 3 } });
  expect(second?.querySelector('[aria-label="Send this again"]')).toBeNull();
  await press(second, 'Discard this change');
  expect(platform.asked.at(-1)).toEqual({ type: 'discard_problem', payload: { seq: 4 } });
  await click('dismiss-problems');
  expect(platform.asked.at(-1)).toEqual({ type: 'dismiss_problems', payload: { tabId: 7 } });
});

test('what is tried in vain says why, and is tried at once on demand', async () => {
  const { platform } = await show(
    tabState({ connection: connection({ waiting: 1, delayed: 'the disk is full.' }) }),
  );
  expect(the('delayed').textContent).toContain('the disk is full.');
  await click('deliver-now');
  expect(platform.asked.at(-1)).toEqual({ type: 'deliver_now', payload: { tabId: 7 } });
});

test('what cannot be read is counted and told', async () => {
  const unreadable = ["2 comments kept in this browser can't be read and aren't shown. They stay there."];
  await show(tabState({ connection: connection({ unreadable }) }));
  expect(the('unreadable').textContent).toBe(unreadable[0]);
});

test('an unknown project is chosen from the known ones, or typed; a refusal is shown', async () => {
  const { project: _, ...rest } = connection({ agents: [], choices: [project] });
  const { platform } = await show(tabState({ connection: rest }));
  document.querySelector<HTMLElement>('.choice')?.click();
  await settle();
  expect(platform.asked.at(-1)).toEqual({ type: 'set_project', payload: { tabId: 7, root: project.root } });
  platform.failNext = 'There is no such folder.';
  await write('project-path', ' /nowhere ');
  the('project-path')
    .closest('form')
    ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settle();
  expect(platform.asked.at(-1)).toEqual({ type: 'set_project', payload: { tabId: 7, root: '/nowhere' } });
  expect(document.querySelector('.chooser [role="alert"]')?.textContent).toBe('There is no such folder.');
});

test('where an agent works in another project only, that one is offered in small, and each button says what it does', async () => {
  const at = (root: string, name: string) => ({ root, name });
  const elsewhere = [agentIn(at('/work/shop', 'shop')), agentIn(at('/old/dashboard', project.name))];
  const { platform } = await show(tabState({ connection: connection({ agents: [], elsewhere }) }));
  const advice = the('advice-choose_project');
  expect(advice.querySelector('.choice, input')).toBeNull();
  const buttons = [...advice.querySelectorAll('button')];
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    'Use shop for this site',
    // Called as the site's own.
    'Use /old/dashboard for this site',
    'Another folder…',
  ]);
  expect(buttons.map(({ className }) => className)).toEqual(Array(3).fill('button quiet small'));
  expect(buttons[0]?.title).toBe('Comments of this site go to /work/shop from now on');
  platform.failNext = 'There is no such folder.';
  buttons[0]?.click();
  await settle();
  expect(platform.asked.at(-1)).toEqual({ type: 'set_project', payload: { tabId: 7, root: '/work/shop' } });
  expect(advice.querySelector('[role="alert"]')?.textContent).toBe('There is no such folder.');
  await click('other-folder');
  expect(find('project-path')).not.toBeNull();
});

test('an agent that was asked for nothing is to be told what fits the view: the comments, or the chat', async () => {
  const agents = [agentIn(project, { isNew: true })];
  const { platform, bench } = await show(tabState({ connection: connection({ agents }) }));
  const copied = async () => {
    the('advice-tell').querySelector<HTMLElement>('[aria-label^="Copy"]')?.click();
    await settle();
    return platform.copied.at(-1);
  };
  expect(await copied()).toBe('Fix the comments I left in the browser.');
  await act(() => bench.views.show('chat'));
  expect(await copied()).toBe('Wait for what I say in the browser, and answer there.');
});

test('nothing above the list moves when the connection is told', async () => {
  const { platform } = await show(
    tabState({ comments: [comment('c_1')], connection: connection({ hub: 'checking' }) }),
  );
  const above = () => {
    const list = document.querySelector('main');
    const before: string[] = [];
    for (let at = list?.previousElementSibling; at; at = at.previousElementSibling) before.push(at.className);
    return before;
  };
  const before = above();
  await act(() =>
    platform.push(
      tabState({ comments: [comment('c_1')], connection: connection({ hub: 'none', waiting: 2 }) }),
    ),
  );
  await settle();
  expect(find('waiting')).not.toBeNull();
  expect(above()).toEqual(before);
});

test.each(['connected', 'checking'] as const)(
  'what is on its way to a host that is %s is told once it takes long, and not of each change',
  async (hub) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pass = (milliseconds: number) =>
      act(async () => void (await vi.advanceTimersByTimeAsync(milliseconds)));
    try {
      const state = (waiting: number) => tabState({ connection: connection({ hub, waiting }) });
      const platform = new FixturePlatform(state(2));
      await draw(platform);
      await pass(1_000);
      expect(find('waiting')).toBeNull();
      await act(() => platform.push(state(0)));
      await pass(1_000);
      await act(() => platform.push(state(1)));
      await pass(1_900);
      expect(find('waiting')).toBeNull();
      await act(() => platform.push(state(3)));
      await pass(200);
      expect(the('waiting').textContent).toContain('3 changes');
      await act(() => platform.push(state(0)));
      expect(find('waiting')).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  },
);

test('advice that was folded stays so, and another is shown', async () => {
  const alone = tabState({ connection: connection({ agents: [] }) });
  const { platform, bench } = await show(alone);
  const advice = () => document.querySelector('[data-testid^="advice-"]:not([data-testid="advice-button"])');
  expect(advice()?.textContent).toContain('No agent works in');
  await act(() => bench.link.foldAdvice());
  expect(advice()).toBeNull();
  platform.push(tabState({ connection: connection({ hub: 'none', agents: [] }) }));
  await settle();
  expect(advice()?.textContent).toContain('Install the host');
  platform.push(alone);
  await settle();
  expect(advice()).toBeNull();
  await act(() => bench.link.foldAdvice());
  expect(advice()?.textContent).toContain('No agent works in');
});
