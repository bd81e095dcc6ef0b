// @vitest-environment happy-dom
/** The list of comments: how it is narrowed, walked, changed, and taken elsewhere. */
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import type { TargetState } from '../../generated/TargetState';
import type { TabState } from '../../state/tab';
import { eventually } from '../../testing/eventually';
import { drawnPanel, find, the } from '../../testing/panel/drawn';
import { busyComments, comment, NOW, tabState, target } from '../../testing/panel/states';

const { show, settle, click, press, write } = drawnPanel(5);

const text = () => document.body.textContent ?? '';
const shown = () => [...document.querySelectorAll('article')].map((card) => card.dataset.testid);

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

test('a card of a comment that the host has not stored says so in place of a number', async () => {
  const { number, ...unsent } = comment('c_1');
  await show(tabState({ comments: [unsent] }));
  const card = the('comment-c_1');
  expect(card.getAttribute('aria-label')).toMatch(/^Comment not sent yet, Active: /);
  expect(card.querySelector('.number [role="img"] title')?.textContent).toBe('Not sent yet');
  expect(card.querySelector('.stage')?.textContent).toBe('Not sent yet');
  expect(the('edit-c_1').getAttribute('aria-label')).toBe('Edit the comment');
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
  expect(the('verdict-c_1').textContent).toContain('Its text changed. 95 % sure.');
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

/** A comment whose element changed while an agent worked on it. */
function asked(stage: 'in_progress' | 'review') {
  const step = (revision: number, what: string) => ({
    revision,
    at: NOW,
    by: { kind: 'agent' as const, name: 'a' },
    what,
  });
  const history = [step(2, 'set to in progress'), step(3, 'became outdated: Its text changed.')];
  if (stage === 'review') history.push(step(4, 'ready for review'));
  return { ...outdated(), stage, history };
}

test('what changes while an agent works is a question, and no outdated comment', async () => {
  await show(tabState({ comments: [asked('in_progress')] }));
  expect(the('comment-c_1').textContent).toContain('Changed, as asked?');
  expect(the('comment-c_1').textContent).not.toContain('Outdated');
  expect(the('comment-c_1').getAttribute('aria-label')).toContain('Changed, as asked?');
  expect(the('verdict-c_1').dataset.tone).toBe('asked');
  expect(the('comment-c_1').textContent?.match(/changed/gi)).toHaveLength(2); // the question, and "Its text changed."
  expect(find('still-same-c_1')).toBeNull();
  await click('not-yet-c_1');
  expect(document.activeElement?.tagName).toBe('TEXTAREA');
  await click('filter-outdated');
  expect(shown()).toEqual([]);
  await click('filter-active');
  expect(shown()).toEqual(['comment-c_1']);
});

test('what was asked for is accepted on the page, or given back to the agents with Undo', async () => {
  const { platform } = await show(tabState({ comments: [asked('review')] }));
  await click('accept-c_1');
  expect(platform.asked.at(-1)).toMatchObject({
    type: 'settle',
    payload: { commentId: 'c_1', act: 'confirm' },
  });
  await click('give-back-c_1');
  expect(platform.asked.at(-1)).toMatchObject({
    type: 'change_comment',
    payload: { commentId: 'c_1', change: { kind: 'set_stage', stage: 'open' } },
  });
  expect(text()).toContain('Reopened comment 1.');
  expect(find('undo')).not.toBeNull();
});

/** The state in which an agent went on with a comment. */
function goneOnWith(state: TabState | null): TabState {
  if (!state) throw new Error('no state');
  const comments = state.comments.map((each) => {
    const revision = each.revision + 1;
    const by = { kind: 'agent' as const, name: 'beta' };
    const entry = { revision, at: NOW, by, what: 'set to in progress' };
    return { ...each, revision, history: [...each.history, entry] };
  });
  return { ...state, comments };
}

test('what was given back is not taken away from the agent that began it meanwhile', async () => {
  const { platform } = await show(tabState({ comments: [asked('review')] }));
  await click('give-back-c_1');
  expect(find('undo')).not.toBeNull();
  platform.push(goneOnWith(platform.state));
  await settle();
  expect(find('undo')).toBeNull();
  const before = platform.asked.length;
  (document.activeElement as HTMLElement).blur();
  await press('z', { ctrlKey: true });
  expect(text()).toContain('Not undone: beta has changed comment 1 since.');
  expect(platform.asked.length).toBe(before);
  await press('z', { ctrlKey: true });
  expect(text()).toContain('Nothing to undo.');
});

test('what an agent works on is given back to the agents too', async () => {
  const { platform } = await show(tabState({ comments: [asked('in_progress')] }));
  await click('give-back-c_1');
  expect(platform.asked.at(-1)).toMatchObject({
    type: 'change_comment',
    payload: { commentId: 'c_1', change: { kind: 'set_stage', stage: 'open' } },
  });
  expect(document.activeElement?.tagName).toBe('TEXTAREA');
  // A person cannot give the agent its claim again.
  expect(find('undo')).toBeNull();
});

test('a resolved comment asks nothing', async () => {
  await show(tabState({ comments: [{ ...asked('review'), status: 'resolved' as const }] }));
  expect(find('asked-c_1')).toBeNull();
  expect(the('comment-c_1').textContent).not.toContain('as asked?');
});

test('what may have changed is active, says why, and is confirmed as it is', async () => {
  const state = { ...outdated().targets[0]?.state, cause: 'unknown' } as unknown as TargetState;
  const { platform } = await show(tabState({ comments: [comment('c_1', { targets: [target({ state })] })] }));
  expect(the('comment-c_1').dataset.status).toBe('active');
  expect(the('comment-c_1').textContent).toContain('May have changed');
  expect(the('verdict-c_1').textContent).toContain('Nothing tells whether the source did.');
  expect(the('verdict-c_1').textContent).not.toMatch(/% sure/);
  await click('still-same-c_1');
  expect(platform.asked.at(-1)).toMatchObject({ type: 'settle', payload: { act: 'confirm' } });
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
  bench.comments.list.focus('c_open');
  await settle();
  await press('r');
  expect(the('comment-c_open').dataset.status).toBe('resolved');
  await press('z', { ctrlKey: true });
  expect(the('comment-c_open').dataset.status).toBe('active');
  bench.comments.list.focus('c_open');
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
  bench.comments.list.focus('c_open');
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
  bench.comments.list.focus('c_open');
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
  await act(() => bench.comments.exchange.importJson(file));
  expect(text()).toContain('Imported feedback.json: 2 added, 1 updated, 3 skipped');
  expect(text()).toContain('1 left as they were because they have no room for more');
  platform.failNext = 'feedback.json is not an export of opentoolbar: line 1 is not JSON.';
  await act(() => bench.comments.exchange.importJson(file));
  expect(document.querySelector('.message.failed')?.textContent).toContain('is not an export');
});
