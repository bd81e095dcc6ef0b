// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { beforeAll, expect, test } from 'vitest';
import { Unanswered } from '../../ask-again';
import type { ChatState } from '../../state/chat';
import type { TabState } from '../../state/tab';
import { eventually, quiet } from '../../testing/eventually';
import { answered, chat, chatContext, said } from '../../testing/panel/chats';
import { drawnPanel, find, the } from '../../testing/panel/drawn';
import { FixturePlatform } from '../../testing/panel/fixture-platform';
import { connection, NOW, project, summary, tabState } from '../../testing/panel/states';
import { Workbench } from '../workbench';

// Growing text is drawn with the next frame.
const { draw, end, settle, click, press: pressIn, write: writeInto } = drawnPanel(40);
const press = (key: string, more?: KeyboardEventInit, on: Element = the('composer')) =>
  pressIn(key, more, on);
const write = (text: string) => writeInto('composer', text);

// The parser comes only when there is something to show; here it is to be there in time.
beforeAll(async () => {
  await Promise.all([import('micromark'), import('micromark-extension-gfm-table')]);
});

async function show(state: ChatState | null, over: Partial<TabState> = {}) {
  const platform = new FixturePlatform(tabState(over));
  if (state) platform.chats.set(state.sessionId, state);
  const bench = await draw(platform, (bench) => bench.views.show('chat'));
  await settle();
  return { platform, bench };
}

const asked = (platform: FixturePlatform, type: string) =>
  platform.asked.filter((one) => one.type === type).map(({ payload }) => payload);

test('an empty conversation says how to begin and what the agent must call', async () => {
  await show(null);
  expect(the('chat-empty').textContent).toContain('Press Pick or Alt+Shift+K,');
  expect(the('chat-empty').textContent).toContain('Wait for what I say in the browser');
  expect(the('send').getAttribute('aria-disabled')).toBe('true');
});

test('Enter sends with the latest selection, Shift+Enter and an input method do not', async () => {
  const { platform } = await show(chat({ messages: [said('m_1', 'First')] }));
  await write('Second');
  await press('Enter', { shiftKey: true });
  await press('Enter', { isComposing: true });
  expect(asked(platform, 'send_message')).toEqual([]);
  await press('Enter');
  expect(asked(platform, 'send_message')).toEqual([
    { id: expect.stringMatching(/^m_/), sessionId: 's_own', text: 'Second', contextId: 'ctx_save' },
  ]);
  expect((the('composer') as HTMLTextAreaElement).value).toBe('');
});

test('a message that the background ended on is sent again as the same, and the text is kept until it is heard', async () => {
  const { platform } = await show(chat());
  const ask = platform.ask.bind(platform);
  const sent: unknown[] = [];
  let isEnding = true;
  platform.ask = (async (type: 'send_message', payload: { id: string; sessionId: string; text: string }) => {
    if (type !== 'send_message') return ask(type, payload);
    sent.push(payload.id);
    if (isEnding) throw new Unanswered('The background ended.');
    return null;
  }) as typeof platform.ask;
  await write('Once');
  await press('Enter');
  await eventually(() => expect(sent).toHaveLength(4));
  await quiet();
  expect((the('composer') as HTMLTextAreaElement).value).toBe('Once');
  isEnding = false;
  await press('Enter');
  await eventually(() => expect((the('composer') as HTMLTextAreaElement).value).toBe(''));
  expect(sent).toHaveLength(5);
  expect(new Set(sent).size).toBe(1);
});

test('the same words written again later are another message', async () => {
  const { platform } = await show(chat());
  const sent: unknown[] = [];
  platform.ask = (async (type: string, payload: { id: string }) => {
    if (type !== 'send_message') return null;
    sent.push(payload.id);
    if (sent.length === 1) throw new Error('Not this time.');
    return null;
  }) as unknown as typeof platform.ask;
  await write('Go on');
  await press('Enter');
  await write('');
  await write('Go on');
  await press('Enter');
  await eventually(() => expect(sent).toHaveLength(2));
  expect(new Set(sent).size).toBe(2);
});

test('the selection can be dropped, until something new is pointed at', async () => {
  const { platform } = await show(chat({ messages: [said('m_1', 'First')] }));
  await click('drop-context');
  await write('About all of it');
  await press('Enter');
  expect(asked(platform, 'send_message')).toEqual([
    { id: expect.stringMatching(/^m_/), sessionId: 's_own', text: 'About all of it' },
  ]);
  await act(() => platform.pushChat(chat({ contexts: [chatContext(), chatContext({ id: 'ctx_new' })] })));
  await settle();
  expect(find('drop-context')).not.toBeNull();
});

test('what was pointed at on another page is not what the next words are about', async () => {
  await show(chat({ messages: [said('m_1', 'First')] }), {
    chats: [summary({ url: 'http://localhost:5173/elsewhere' })],
  });
  expect(find('drop-context')).toBeNull();
});

test('a message that could not be sent stays in the box', async () => {
  const { platform } = await show(chat());
  await write('Important');
  platform.failNext = 'The page of this conversation is closed.';
  await press('Enter');
  expect((the('composer') as HTMLTextAreaElement).value).toBe('Important');
  expect(document.body.textContent).toContain('The page of this conversation is closed.');
});

test('what is being written is kept for each conversation, over a reload of the panel', async () => {
  const chats = [summary(), summary({ sessionId: 's_two', tabId: 8, title: 'Two' })];
  const { bench } = await show(chat(), { chats });
  await write('Half a sent');
  await act(() => {
    bench.chat.chosen.value = 's_two';
  });
  await settle();
  expect((the('composer') as HTMLTextAreaElement).value).toBe('');
  end();
  await show(chat(), { chats });
  expect((the('composer') as HTMLTextAreaElement).value).toBe('Half a sent');
});

test('a growing answer: what is finished is not drawn again, raw HTML stays text', async () => {
  const first = answered('m_a', 'One.\n\nTwo <img src=x onerror=alert(1)>\n', { isComplete: false });
  const { platform } = await show(chat({ messages: [said('m_1', 'Why?'), first] }));
  const finished = the('answer-m_a').firstElementChild;
  const paragraph = finished?.querySelector('p');
  expect(paragraph?.textContent).toBe('One.');
  let parts = 1;
  for (const text of ['</b> grows\n', '\n```ts\nconst a', ' = 1;\n```\n', '\nThree.']) {
    await act(() => platform.pushText('m_a', text, ++parts));
    await settle();
  }
  const answer = the('answer-m_a');
  expect(answer.textContent).toContain('Two <img src=x onerror=alert(1)>\n</b> grows');
  expect(answer.querySelector('img')).toBeNull();
  expect(the('code').querySelector('code')?.textContent).toBe('const a = 1;\n');
  expect(answer.firstElementChild).toBe(finished);
  expect(finished?.querySelector('p')).toBe(paragraph);
  // The same part again, and one of a message that is not known, change nothing.
  await act(() => platform.pushText('m_a', 'Three.', parts));
  await act(() => platform.pushText('m_unknown', 'lost', 2));
  await settle();
  expect(answer.textContent?.split('Three.')).toHaveLength(2);
  // Nor does the whole, when it comes.
  const content =
    'One.\n\nTwo <img src=x onerror=alert(1)>\n</b> grows\n\n```ts\nconst a = 1;\n```\n\nThree.';
  await act(() => platform.pushChat(chat({ messages: [said('m_1', 'Why?'), answered('m_a', content)] })));
  await settle();
  expect(finished?.querySelector('p')).toBe(paragraph);
  await click('copy-code');
  expect(platform.copied).toEqual(['const a = 1;\n']);
  await click('copy-m_a');
  expect(platform.copied[1]).toBe(content);
});

test('a table of an answer is one, and what stands in it stays text', async () => {
  const content = 'Prices:\n\n| item | price |\n| --- | ---: |\n| coffee <img src=x> | **12** |\n';
  await show(chat({ messages: [answered('m_a', content)] }));
  const cells = [...the('answer-m_a').querySelectorAll('td')];
  expect(cells.map(({ textContent }) => textContent)).toEqual(['coffee <img src=x>', '12']);
  expect(the('answer-m_a').querySelector('img')).toBeNull();
});

test('a screen reader is told of whole answers, not of parts', async () => {
  const growing = answered('m_a', 'It is', { isComplete: false });
  const { platform } = await show(chat({ messages: [said('m_1', 'Why?')] }));
  expect(the('chat-log').getAttribute('aria-live')).toBe('off');
  await act(() => platform.pushChat(chat({ messages: [said('m_1', 'Why?'), growing] })));
  await act(() => platform.pushText('m_a', ' blue', 2));
  await settle();
  expect(the('announcement').textContent).toBe('');
  const whole = answered('m_a', 'It is **blue**.', { parts: 3 });
  await act(() => platform.pushChat(chat({ messages: [said('m_1', 'Why?'), whole] })));
  await settle();
  expect(the('announcement').textContent).toBe('claude-code answered: It is blue.');
});

test('what an agent does, and how far a question has come', async () => {
  const { platform } = await show(chat({ messages: [said('m_1', 'Why?', { delivery: 'waiting' })] }), {
    connection: connection({ hub: 'lost', agents: [] }),
  });
  expect(the('chat-status').textContent).toContain('Waits in this browser');
  await act(() => platform.push(tabState()));
  await act(() => platform.pushChat(chat({ messages: [said('m_1', 'Why?')] })));
  await settle();
  expect(the('chat-status').textContent).toContain('Wait for what I say in the browser');
  const activities = [{ agent: 'claude-code', status: 'searching' as const, detail: 'Looking for Button' }];
  await act(() => platform.pushChat(chat({ messages: [said('m_1', 'Why?', { isRead: true })], activities })));
  await settle();
  expect(the('chat-status').textContent).toContain('claude-code is searching: Looking for Button');
  // What it last said is no longer known to be so when it does not answer.
  const hanging = { client: 'claude-code', project, lastSeen: NOW, presence: 'silent' as const };
  await act(() => platform.push(tabState({ connection: connection({ agents: [hanging] }) })));
  await settle();
  expect(the('chat-status').textContent).toContain(
    'claude-code was searching: Looking for Button. It does not answer now.',
  );
  await click('stop-waiting');
  expect(asked(platform, 'stop_waiting')).toEqual([{ sessionId: 's_own' }]);
  await act(() => platform.pushChat(chat({ messages: [said('m_1', 'Why?', { isStopped: true })] })));
  await settle();
  expect(find('chat-status')).toBeNull();
  expect(the('message-m_1').textContent).toContain('Taken back');
});

test('who is writing, and who left before the end', async () => {
  const growing = answered('m_a', 'It is', { isComplete: false, agent: 'claude-code 2.1' });
  const { platform } = await show(chat({ messages: [said('m_1', 'Why?', { isRead: true }), growing] }));
  expect(the('chat-status').textContent).toContain('claude-code 2.1 is writing…');
  await act(() => platform.push(tabState({ connection: connection({ agents: [] }) })));
  await settle();
  expect(the('chat-status').textContent).toContain('left before its answer was complete');
});

test('a refused message says why, and can be sent again, copied or discarded', async () => {
  const refused = said('m_1', 'Too much', { delivery: 'refused', why: 'It is too long. Say less.' });
  const { platform } = await show(chat({ messages: [refused] }));
  expect(the('refused-m_1').textContent).toContain('Not sent: It is too long. Say less.');
  expect(find('chat-status')).toBeNull();
  await click('retry-m_1');
  expect(asked(platform, 'retry_message')).toEqual([{ messageId: 'm_1' }]);
});

test('a selection stands where it changes, with its component and file', async () => {
  await show(
    chat({
      messages: [said('m_1', 'One'), answered('m_a', 'Yes'), said('m_2', 'Two', { contextId: 'ctx_save' })],
    }),
  );
  expect(the('message-m_1').textContent).toContain('button “Save changes”');
  expect(the('message-m_1').textContent).toContain('SaveBar.tsx:42');
  expect(the('message-m_2').textContent).not.toContain('SaveBar');
});

test('an agent’s request can be answered or declined from here', async () => {
  const annotations = [{ annotationId: 'a_1', agent: 'claude-code', message: 'Which one?' }];
  const { platform } = await show(chat({ annotations }));
  expect(the('annotation-a_1').textContent).toContain('Which one?');
  await click('point-a_1');
  await click('decline-a_1');
  expect(asked(platform, 'point_for_annotation')).toEqual([{ tabId: 7, annotationId: 'a_1' }]);
  expect(asked(platform, 'decline_annotation')).toEqual([{ tabId: 7, annotationId: 'a_1' }]);
});

test('several conversations can be switched between; one whose page is closed can only be read', async () => {
  const chats = [
    summary(),
    { sessionId: 's_old', url: 'http://localhost:5173/', title: 'Start', unread: 2, lastAt: 1 },
  ];
  const { platform } = await show(chat(), { chats });
  platform.chats.set('s_old', chat({ sessionId: 's_old', messages: [said('m_9', 'Long ago')] }));
  const picker = the('chat-sessions') as HTMLSelectElement;
  expect([...picker.options].map(({ textContent }) => textContent)).toEqual([
    'Settings – Acme Dashboard · localhost:5173/settings',
    'Start · localhost:5173/ (2 new)',
  ]);
  picker.value = 's_old';
  picker.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  expect(the('chat-log').textContent).toContain('Long ago');
  expect(the('composer-closed').textContent).toContain('closed');
  expect(find('composer')).toBeNull();
  expect(asked(platform, 'read_chat')).toEqual([{ sessionId: 's_old' }]);
});

test('an answer below the fold is read once the person has come to the end again', async () => {
  const { platform, bench } = await show(chat({ messages: [said('m_9', 'Long ago')] }));
  bench.chat.atEnd.value = false;
  await act(() => platform.push(tabState({ sessionId: 's_own', chats: [summary({ unread: 1 })] })));
  expect(asked(platform, 'read_chat')).toEqual([]);
  const view = the('chat-log').closest('.view');
  await act(() => void view?.dispatchEvent(new Event('scroll')));
  expect(asked(platform, 'read_chat')).toEqual([{ sessionId: 's_own' }]);
});

test('views are tabs: arrow keys walk them, the choice is remembered, what is new is marked', async () => {
  const { platform } = await show(chat(), { chats: [summary({ unread: 3 })] });
  expect(asked(platform, 'read_chat')).toEqual([{ sessionId: 's_own' }]);
  await press('ArrowLeft', {}, the('tab-chat'));
  expect(the('tab-comments').getAttribute('aria-selected')).toBe('true');
  expect(document.activeElement).toBe(the('tab-comments'));
  expect(find('composer')).toBeNull();
  expect(the('marks-chat').textContent).toContain('3');
  await press('End', {}, the('tab-comments'));
  expect(the('tab-approvals').getAttribute('aria-selected')).toBe('true');
  await press('ArrowLeft', {}, the('tab-approvals'));
  expect(find('composer')).not.toBeNull();
  end();
  const again = new Workbench(new FixturePlatform(tabState()));
  expect(again.views.view.value).toBe('chat');
  again.end();
  await show(chat());
});
