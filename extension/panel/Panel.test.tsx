// @vitest-environment happy-dom
/** The panel as a whole: what it says of a page, and what concerns all of its parts. */
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import type { Comment } from '../generated/Comment';
import { drawnPanel, find, the } from '../testing/panel/drawn';
import { FixturePlatform } from '../testing/panel/fixture-platform';
import { busyComments, comment, NOW, tabState } from '../testing/panel/states';

const { show, draw, end, settle, click, press, write } = drawnPanel(5);

afterEach(() => {
  vi.useRealTimers();
});

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
  expect(the('empty').textContent).toContain('in the browser’s toolbar or Alt+Shift+K: a picture');
  expect(find('no-shortcut')).toBeNull();
  expect((the('copy-prompt') as HTMLButtonElement).disabled).toBe(true);
  expect((the('export-json') as HTMLButtonElement).disabled).toBe(true);
});

test('where the browser set no shortcut the panel says so, and how to set one, until one is set', async () => {
  const { platform } = await show(tabState(), (platform) => {
    platform.keys = { picking: '', panel: '', pins: '' };
  });
  const pick = () => the('toggle-picking').getAttribute('title');
  const everywhere = () =>
    [...document.querySelectorAll('[data-testid="everywhere"] dt')].map((keys) => keys.textContent);
  expect(the('empty').textContent).toContain('in the browser’s toolbar: a picture');
  // Of the browser's doing and of the person's alike.
  expect(the('no-shortcut').textContent).toBe(
    'No keyboard shortcut is set for picking. Set one in about:shortcuts',
  );
  expect(pick()).toContain('Pick an element to comment on (no shortcut is set: about:shortcuts)');
  expect(pick()).toContain('To keep a picture with the comment, start with the toolbar button.');
  expect(everywhere()).toEqual(['not set', 'not set', 'not set']);
  the('no-shortcut').querySelector('button')?.click();
  expect(platform.settingsOpened).toBe(1);

  platform.keys = { picking: 'Ctrl+Shift+1', panel: 'Ctrl+Shift+2', pins: 'Ctrl+Shift+3' };
  window.dispatchEvent(new Event('focus'));
  await settle();
  expect(find('no-shortcut')).toBeNull();
  expect(the('empty').textContent).toContain('in the browser’s toolbar or Ctrl+Shift+1: a picture');
  expect(pick()).toContain('Pick an element to comment on (Ctrl+Shift+1)');
  expect(pick()).toContain('picture with the comment, start with the toolbar button or Ctrl+Shift+1.');
  expect(everywhere()).toEqual(['Ctrl+Shift+1', 'Ctrl+Shift+2', 'Ctrl+Shift+3']);
});

test('shortcut settings that the browser does not open are named', async () => {
  const { platform } = await show(tabState(), (platform) => {
    platform.keys = { picking: '', panel: '', pins: '' };
  });
  platform.openShortcutSettings = () => Promise.reject(new Error('no'));
  the('no-shortcut').querySelector('button')?.click();
  await settle();
  expect(text()).toContain('Open them yourself: about:shortcuts.');
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
    const { list } = drawn.comments;
    const { drawn: comments } = list;
    Object.defineProperty(list, 'drawn', {
      get() {
        if (broken) throw new TypeError('pathname is null');
        return comments;
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
  bench.comments.list.focus('c_0');
  await settle();
  await press('End');
  expect(document.activeElement).toBe(the('comment-c_999'));
  expect(the('comment-c_999').getAttribute('aria-posinset')).toBe('1000');
});

test('the background is told what the person can see in the panel', async () => {
  const { bench, platform } = await show(tabState());
  const sees = () => platform.sight?.value;
  expect(sees()).toBe('page');
  bench.comments.list.scope.value = 'origin';
  expect(sees()).toBe('origin');
  bench.views.show('chat');
  expect(sees()).toBe('chat');
  bench.views.visible.value = false;
  expect(sees()).toBe('nothing');
  bench.views.show('comments');
});

test('pins are hidden in the tab and shown again; a page without comments has none to hide', async () => {
  const { platform } = await show(tabState({ comments: busyComments() }));
  const button = () => the('toggle-pins');
  expect(button().textContent).toBe('Hide pins');
  expect(button().title).toBe('Hide the pins on the page, in this tab (Alt+Shift+U)');
  button().click();
  await settle();
  expect(platform.asked.at(-1)).toEqual({
    type: 'set_pins_hidden',
    payload: { tabId: platform.state?.tabId, hidden: true },
  });
  const before = the('filter-all').textContent;
  platform.push(tabState({ comments: busyComments(), pinsHidden: true }));
  await settle();
  expect(button().textContent).toBe('Show pins');
  expect(the('filter-all').textContent, 'hidden pins count').toBe(before);
  platform.push(tabState({ comments: [] }));
  await settle();
  expect(find('toggle-pins')).toBeNull();
});

test('the help says how to work on the page, also where there are comments already', async () => {
  const { bench } = await show(tabState({ comments: busyComments() }));
  bench.helpOpen.value = true;
  await settle();
  const help = document.querySelector('dialog.help')?.textContent ?? '';
  for (const way of ['pick several elements', 'Walk the page', 'Send it to the chat instead'])
    expect(help).toContain(way);
  expect(find('empty'), 'where it was said before').toBeNull();
});

test('the view that the person asked for in the page is shown, with the conversation of that page', async () => {
  const { platform, bench } = await show(tabState());
  expect(the('tab-comments').getAttribute('aria-selected')).toBe('true');
  bench.chat.chosen.value = 's_other';
  await act(() => {
    for (const watcher of platform.watchers) watcher.onShow('chat');
  });
  expect(the('tab-chat').getAttribute('aria-selected')).toBe('true');
  expect(find('composer')).not.toBeNull();
  expect(bench.chat.chosen.value).toBeNull();
});
