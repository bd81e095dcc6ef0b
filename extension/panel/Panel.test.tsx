// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import type { Comment } from '../generated/Comment';
import { eventually } from '../testing/eventually';
import { drawnPanel, find, the } from './fixtures/drawn';
import { FixturePlatform } from './fixtures/fixture-platform';
import { busyComments, comment, connection, NOW, project, tabState, target } from './fixtures/states';

const { draw, end, settle, click, press, write } = drawnPanel(5);

afterEach(() => {
  vi.useRealTimers();
});

async function show(state: FixturePlatform['state'], prepare?: (platform: FixturePlatform) => void) {
  const platform = new FixturePlatform(state);
  prepare?.(platform);
  const bench = await draw(platform);
  await settle();
  return { platform, bench };
}

const text = () => document.body.textContent ?? '';
const shown = () => [...document.querySelectorAll('article')].map((card) => card.dataset.testid);

test('without a state yet it says that it reads', async () => {
  await show(tabState(), (platform) => {
    platform.silent = true;
  });
  expect(the('loading').getAttribute('role')).toBe('status');
});

test('a background that does not answer is said, with a button that tries again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const platform = new FixturePlatform(tabState());
  platform.silent = true;
  await draw(platform);
  await act(() => {
    vi.advanceTimersByTime(10_000);
  });
  expect(the('no-answer').textContent).toContain('Your comments are safe');
  platform.silent = false;
  the('no-answer').querySelector('button')?.click();
  await act(() => {
    vi.advanceTimersByTime(10);
  });
  expect(find('no-answer')).toBeNull();
  expect(find('empty')).not.toBeNull();
});

test('an empty page says how to begin, with the person’s own shortcut', async () => {
  await show(tabState());
  expect(the('empty').textContent).toContain('Alt+Shift+C');
  expect((the('copy-prompt') as HTMLButtonElement).disabled).toBe(true);
  expect((the('export-json') as HTMLButtonElement).disabled).toBe(true);
});

test('an empty page leads to the comments of other pages', async () => {
  await show(tabState({ url: 'http://localhost:5173/new', comments: busyComments() }));
  await click('show-elsewhere');
  expect(shown()).toHaveLength(6);
  expect([...document.querySelectorAll('h2')].map((title) => title.textContent)).toContain('/settings5');
});

test('a closed tab is said to be closed', async () => {
  await show(null);
  expect(find('no-tab')).not.toBeNull();
});

test('a site that is not allowed can be allowed, a page of the browser cannot', async () => {
  await show(tabState({ allowed: false, url: 'https://example.com/a', title: 'Example' }));
  expect(the('allow-site').textContent).toBe('Allow on example.com');
  expect(find('toggle-picking')).toBeNull();
  await click('allow-site');
  expect(text()).toContain('Allowed on example.com.');
  end();
  await show(tabState({ allowed: false, url: 'chrome://settings/', title: 'Settings' }));
  expect(find('allow-site')).toBeNull();
  expect(the('not-allowed').textContent).toContain('Browsers keep their own pages');
  end();
  await show(tabState({ allowed: false, url: '', title: '' }));
  expect(the('not-allowed').textContent).toContain('click opentoolbar’s button');
});

test('a page whose address the browser does not tell can be allowed by its address', async () => {
  const { platform } = await show(tabState({ allowed: false, url: '', title: '' }));
  await write('allow-address', 'not an address');
  await click('allow-site');
  expect(the('allow-error').textContent).toMatch(/^That is no address of a web page\./);
  expect(the('allow-address').getAttribute('aria-invalid')).toBe('true');
  expect(platform.allowed).toEqual([]);
  await write('allow-address', ' staging.example.org/shop ');
  await click('allow-site');
  expect(platform.allowed).toEqual(['https://staging.example.org/shop', 'http://staging.example.org/shop']);
  expect(text()).toContain('Allowed on staging.example.org.');
});

test('a browser that withholds local sites is asked for them by a button', async () => {
  await show(tabState({ allowed: false, url: '', title: '' }), (platform) => {
    platform.withheld = true;
  });
  expect(the('not-allowed').textContent).toContain('keeps sites from opentoolbar');
  await click('allow-local');
  expect(text()).toContain('Allowed on local dev servers.');
  expect(find('allow-local')).toBeNull();
});

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
  const { platform } = await show(tabState({ connection: connection({ problems, waiting: 2 }) }));
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

test('a comment that cannot be drawn costs itself alone, and is drawn when it is mended', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const bad = { ...comment('c_bad'), targets: [{ snapshot: null }] } as unknown as Comment;
  const { platform } = await show(tabState({ comments: [comment('c_ok'), bad] }));
  expect(find('comment-c_ok')).not.toBeNull();
  expect(the('failed-part').getAttribute('role')).toBe('alert');
  expect(the('failed-part').textContent).toContain('This comment can’t be shown');
  expect(find('copy-prompt')).not.toBeNull();
  expect(error).toHaveBeenCalled();
  error.mockRestore();
  await act(() =>
    platform.push(tabState({ comments: [comment('c_ok'), comment('c_bad', { revision: 2 })] })),
  );
  await settle();
  expect(find('failed-part')).toBeNull();
  expect(find('comment-c_bad')).not.toBeNull();
});

test('a view that cannot be drawn leaves the other one, the connection and a button that tries again', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  let broken = true;
  const bench = await draw(new FixturePlatform(tabState({ comments: [comment('c_ok')] })), (drawn) => {
    const { drawn: list } = drawn;
    Object.defineProperty(drawn, 'drawn', {
      get() {
        if (broken) throw new TypeError('pathname is null');
        return list;
      },
    });
  });
  await settle();
  expect(the('failed-part').textContent).toContain('The comments can’t be shown');
  expect(the('failed-part').querySelector('[aria-label="Copy the reason"]')).not.toBeNull();
  expect(find('connection-hub')).not.toBeNull();
  await click('tab-chat');
  expect(find('failed-part')).toBeNull();
  expect(find('composer') ?? find('chat-log')).not.toBeNull();
  await click('tab-comments');
  expect(find('failed-part')).not.toBeNull();
  broken = false;
  await click('reload-part');
  expect(find('comment-c_ok')).not.toBeNull();
  expect(bench.tab.line.value).toBe('live');
  error.mockRestore();
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

test('filter and search narrow the list, and nothing found can be undone at once', async () => {
  await show(tabState({ comments: busyComments() }));
  expect(shown()).toHaveLength(5);
  await click('filter-outdated');
  expect(shown()).toEqual(['comment-c_outdated']);
  expect(the('filter-outdated').getAttribute('aria-pressed')).toBe('true');
  await write('search', 'no such words');
  expect(shown()).toEqual([]);
  the('no-match').querySelector('button')?.click();
  await settle();
  expect(shown()).toHaveLength(5);
});

test('a card says number, status, stage, element, place and how it differs', async () => {
  await show(tabState({ comments: busyComments() }));
  const card = the('comment-c_outdated').textContent ?? '';
  for (const part of [
    '4',
    'Outdated',
    'heading',
    'SaveBar.tsx:42',
    'its text and classes are others now',
    'title-xl',
  ]) {
    expect(card).toContain(part);
  }
  expect(the('comment-c_review').textContent).toContain('Ready to review');
  expect(the('comment-c_resolved').textContent).toContain('Resolved by claude-code');
});

/** One comment whose element has another text now. */
function outdated(verdict: 'changed' | 'ambiguous' = 'changed') {
  const state = {
    verdict,
    confidence: 0.95,
    diff: verdict === 'changed' ? [{ field: 'text', before: 'Save all', after: 'Save now' }] : [],
    reason: 'Its text changed.',
    checkedAt: NOW,
  };
  return comment('c_1', { status: 'outdated', targets: [target({ state })] });
}

test('a verdict is told in words, with what differs word by word', async () => {
  await show(tabState({ comments: [outdated()] }));
  expect(the('verdict-c_1').textContent).toContain('Changed, almost certain.');
  expect(the('verdict-c_1').textContent).not.toMatch(/0\.95/);
  expect(the('verdict-c_1').querySelector('del')?.textContent).toBe('was all');
  expect(the('verdict-c_1').querySelector('ins')?.textContent).toBe('now now');
});

test('“Still the same” and “Point at it again” are done on the page, and undone here', async () => {
  const before = outdated();
  const { platform } = await show(tabState({ comments: [before] }));
  await click('still-same-c_1');
  expect(platform.asked.at(-1)).toMatchObject({
    type: 'settle',
    payload: { tabId: 7, commentId: 'c_1', at: 0, act: 'confirm' },
  });
  expect(find('undo')).toBeNull();
  const pinned = { ...comment('c_1', { revision: 2 }), targets: [target({ anchor: 'AQI=' })] };
  await act(() => platform.push(tabState({ comments: [pinned] })));
  await settle();
  await click('undo');
  expect(platform.asked.at(-1)).toMatchObject({
    type: 'change_comment',
    payload: { commentId: 'c_1', change: { kind: 'repin', targets: [{ anchor: 'AQ==' }] } },
  });
});

test('one of several is chosen on the page', async () => {
  const { platform } = await show(tabState({ comments: [outdated('ambiguous')] }));
  expect(find('still-same-c_1')).toBeNull();
  await click('choose-c_1');
  expect(platform.asked.at(-1)).toMatchObject({ type: 'settle', payload: { act: 'choose' } });
});

test('on another page of the site there is nothing to settle an element on', async () => {
  await show(tabState({ url: 'http://localhost:5173/', comments: [outdated()] }));
  await click('scope-origin');
  expect(find('verdict-c_1')).not.toBeNull();
  expect(find('repin-c_1')).toBeNull();
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

test('a reply’s markdown is drawn without raw HTML, images and dangerous links', async () => {
  const evil =
    '**bold** <img src=x onerror=alert(1)> ![p](http://evil.example/p.png) [x](javascript:alert(1)) [ok](https://ok.example/)';
  const reply = { id: 'r_1', author: { kind: 'agent', name: 'a' } as const, text: evil, createdAt: NOW };
  const { platform } = await show(tabState({ comments: [comment('c_a', { replies: [reply] })] }));
  await eventually(() => expect(document.querySelector('.markdown strong')?.textContent).toBe('bold'));
  expect(document.querySelector('.markdown img')).toBeNull();
  expect(document.querySelector('.markdown a[href^="javascript"]')).toBeNull();
  document.querySelector<HTMLElement>('.markdown a[href="https://ok.example/"]')?.click();
  expect(platform.opened).toEqual(['https://ok.example/']);
});

test('delete leaves the focus on the next comment and is undone by the button', async () => {
  await show(tabState({ comments: busyComments() }));
  await click('delete-c_open');
  expect(shown()).not.toContain('comment-c_open');
  expect(document.activeElement).toBe(the('comment-c_working'));
  expect(text()).toContain('Deleted comment 2.');
  await click('undo');
  expect(shown()).toContain('comment-c_open');
});

test('resolve, reopen and delete by key, each undone with Ctrl+Z', async () => {
  const { bench } = await show(tabState({ comments: busyComments() }));
  bench.focus('c_open');
  await settle();
  await press('r');
  expect(the('comment-c_open').dataset.status).toBe('resolved');
  await press('z', { ctrlKey: true });
  expect(the('comment-c_open').dataset.status).toBe('active');
  bench.focus('c_open');
  await settle();
  await press('Delete');
  expect(find('comment-c_open')).toBeNull();
  await press('z', { metaKey: true });
  expect(find('comment-c_open')).not.toBeNull();
  await press('z', { ctrlKey: true });
  expect(text()).toContain('Nothing to undo.');
});

test('arrow keys, Home and End walk the list with one tab stop, Enter jumps', async () => {
  const { bench, platform } = await show(tabState({ comments: busyComments() }));
  const stops = () =>
    [...document.querySelectorAll<HTMLElement>('article')].filter((card) => card.tabIndex === 0);
  expect(stops()).toHaveLength(1);
  bench.focus('c_open');
  await settle();
  await press('ArrowDown');
  expect(document.activeElement).toBe(the('comment-c_working'));
  await press('End');
  expect(document.activeElement).toBe(the('comment-c_resolved'));
  await press('ArrowDown');
  expect(document.activeElement).toBe(the('comment-c_resolved'));
  await press('Home');
  await press('j');
  await press('k');
  expect(document.activeElement).toBe(the('comment-c_open'));
  expect(stops()).toEqual([the('comment-c_open')]);
  await press('Enter');
  expect(platform.asked.at(-1)).toEqual({ type: 'jump_to', payload: { tabId: 7, commentId: 'c_open' } });
});

test('jump goes to the page of a comment elsewhere on the site, and nowhere else', async () => {
  const evil = comment('c_evil', { pathname: '/x', url: 'https://evil.example/x' });
  const { platform } = await show(tabState({ comments: [...busyComments(), evil] }));
  await click('scope-origin');
  await click('jump-c_elsewhere');
  await click('jump-c_evil');
  expect(platform.visited).toEqual(['http://localhost:5173/']);
  expect(document.querySelector('.message.failed')?.textContent).toContain('https://evil.example/x');
});

test('an edit is saved with Ctrl+Enter against the revision that was seen, and the focus returns', async () => {
  const { bench, platform } = await show(tabState({ comments: busyComments() }));
  bench.focus('c_open');
  await settle();
  await press('e');
  expect(document.activeElement).toBe(the('input-c_open'));
  await write('input-c_open', 'Make it green.');
  await press('Enter', { ctrlKey: true });
  expect(platform.asked.at(-1)?.payload).toEqual({
    commentId: 'c_open',
    change: { kind: 'edit', text: 'Make it green.', baseRevision: 1 },
  });
  expect(the('comment-c_open').textContent).toContain('Make it green.');
  expect(document.activeElement).toBe(the('comment-c_open'));
});

test('Esc drops an edit', async () => {
  const { platform } = await show(tabState({ comments: busyComments() }));
  await click('edit-c_open');
  await write('input-c_open', 'Never mind');
  await press('Escape');
  expect(find('input-c_open')).toBeNull();
  expect(platform.asked.filter(({ type }) => type === 'change_comment')).toEqual([]);
  await click('edit-c_open');
  expect((the('input-c_open') as HTMLTextAreaElement).value).not.toBe('Never mind');
});

test('a refused edit keeps the text and says why', async () => {
  const { platform } = await show(tabState({ comments: busyComments() }));
  await click('edit-c_open');
  await write('input-c_open', 'Long thought-out words');
  platform.failNext = 'The project is read-only. Change its permissions, then save again.';
  await click('save-c_open');
  expect((the('input-c_open') as HTMLTextAreaElement).value).toBe('Long thought-out words');
  expect(document.querySelector('.editor [role="alert"]')?.textContent).toBe(
    'The project is read-only. Change its permissions, then save again.',
  );
});

test('a text changed elsewhere meanwhile is shown before it is replaced', async () => {
  const { platform } = await show(tabState({ comments: busyComments() }));
  await click('edit-c_open');
  await write('input-c_open', 'Mine');
  const comments = busyComments();
  comments[0] = comment('c_open', { text: 'Theirs', revision: 4 });
  await act(() => platform.push(tabState({ comments })));
  await click('save-c_open');
  expect(document.querySelector('.editor [role="alert"]')?.textContent).toContain('“Theirs”');
  await click('save-c_open');
  expect(platform.asked.at(-1)?.payload).toMatchObject({ change: { text: 'Mine', baseRevision: 4 } });
});

test('unsaved words survive another editor being opened', async () => {
  await show(tabState({ comments: busyComments() }));
  await click('reply-c_open');
  await write('input-c_open', 'Half an answer');
  await click('edit-c_working');
  await click('reply-c_open');
  expect((the('input-c_open') as HTMLTextAreaElement).value).toBe('Half an answer');
});

test('a reply that failed is sent again under the same id', async () => {
  const { platform } = await show(tabState({ comments: busyComments() }));
  await click('reply-c_open');
  await write('input-c_open', 'Yes');
  platform.failNext = 'The host did not answer. Try again.';
  await click('save-c_open');
  await click('save-c_open');
  const [first, second] = platform.asked.filter(({ type }) => type === 'change_comment');
  expect(second?.payload).toEqual(first?.payload);
  expect(the('comment-c_open').textContent).toContain('Yes');
});

test('Copy as Prompt copies what the background wrote, at the chosen level, and says how large it is', async () => {
  const { platform } = await show(tabState({ comments: busyComments() }));
  const level = the('prompt-level') as HTMLSelectElement;
  level.value = 'full';
  level.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  await click('copy-prompt');
  expect(platform.asked.at(-1)?.payload).toEqual({ tabId: 7, level: 'full', pathname: '/settings' });
  expect(platform.copied).toEqual(['# Feedback (full)\n']);
  expect(text()).toContain('Copied 4 comments as a full prompt, about 10 tokens.');
});

test('export follows the scope and names the file', async () => {
  const { platform } = await show(tabState({ comments: busyComments() }));
  await click('scope-origin');
  await click('export-json');
  expect(platform.asked.at(-1)?.payload).toEqual({ tabId: 7 });
  expect(platform.downloads[0]?.name).toBe('opentoolbar-localhost-5173-2026-11-21.json');
});

test('import says what was added, updated and skipped; a bad file is a sentence', async () => {
  const { bench, platform } = await show(tabState());
  const file = new File(['{}'], 'feedback.json');
  await act(() => bench.exchange.importJson(file));
  expect(text()).toContain('Imported feedback.json: 2 added, 1 updated, 3 skipped');
  expect(text()).toContain('1 left as they were because they have no room for more');
  platform.failNext = 'feedback.json is not an export of opentoolbar: line 1 is not JSON.';
  await act(() => bench.exchange.importJson(file));
  expect(document.querySelector('.message.failed')?.textContent).toContain('is not an export');
});

test('picking is toggled and shown as pressed', async () => {
  const { platform } = await show(tabState());
  await click('toggle-picking');
  expect(platform.asked.at(-1)).toEqual({ type: 'set_picking', payload: { tabId: 7, picking: true } });
  await act(() => platform.push(tabState({ picking: true })));
  expect(the('toggle-picking').getAttribute('aria-pressed')).toBe('true');
});

test('a change by an agent is told to screen readers', async () => {
  const { platform } = await show(tabState({ comments: [comment('c_a')] }));
  const by = { kind: 'agent', name: 'claude-code' } as const;
  const resolved = comment('c_a', { revision: 2, status: 'resolved', resolution: { by, at: NOW } });
  await act(() => platform.push(tabState({ comments: [resolved] })));
  expect(the('announcement').textContent).toBe('Comment 1: resolved by claude-code.');
  expect(the('announcement').getAttribute('role')).toBe('status');
});

test('? opens the help, / the search', async () => {
  await show(tabState({ comments: busyComments() }));
  await press('/');
  expect(document.activeElement).toBe(the('search'));
  (document.activeElement as HTMLElement).blur();
  await press('?');
  expect(document.querySelector<HTMLDialogElement>('dialog')?.open).toBe(true);
});

test('a thousand comments are drawn in part, and the keyboard still reaches the last', async () => {
  const comments = Array.from({ length: 1000 }, (_, index) =>
    comment(`c_${index}`, { createdAt: NOW + index }),
  );
  const { bench } = await show(tabState({ comments }));
  expect(shown().length).toBeLessThan(200);
  bench.focus('c_0');
  await settle();
  await press('End');
  expect(document.activeElement).toBe(the('comment-c_999'));
  expect(the('comment-c_999').getAttribute('aria-posinset')).toBe('1000');
});
