import { expect, test } from 'vitest';
import { watch, watchChat } from './ports';
import { read, type Schema } from './schema';

test('a panel says which tab it watches and what is seen of it, and which conversation', () => {
  const tab = { type: 'watch', tabId: 7, sight: 'chat' };
  const conversation = { type: 'watch_chat', sessionId: 's_1' };
  expect(read(watch, tab)).toEqual({ value: tab });
  expect(read(watchChat, conversation)).toEqual({ value: conversation });
});

test.each<[string, Schema, unknown]>([
  ['nothing', watch, undefined],
  ['another type', watch, { type: 'watch_chat', tabId: 7, sight: 'chat' }],
  ['a tab that is no number', watch, { type: 'watch', tabId: '7', sight: 'chat' }],
  ['a sight that there is none of', watch, { type: 'watch', tabId: 7, sight: 'all' }],
  ['a conversation without a name', watchChat, { type: 'watch_chat' }],
  ['a conversation of another type', watchChat, { type: 'watch', sessionId: 's_1' }],
  [
    'a conversation with a name that is far too long',
    watchChat,
    { type: 'watch_chat', sessionId: 's'.repeat(81) },
  ],
])('%s is not watched', (_name, schema, said) => {
  expect(read(schema, said)).toHaveProperty('wrong');
});
