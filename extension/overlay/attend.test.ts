// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import type { ToContent } from '../state/to-content';
import { eventually, quiet } from '../testing/eventually';
import { sampleComment } from '../testing/samples';
import { attend } from './attend';
import { offer, type PageFacts } from './handover';

test('what is told while the background’s answer is on its way is not replaced by that answer, which is older', async () => {
  const listeners: ((message: unknown, sender: unknown, respond: () => void) => unknown)[] = [];
  fakeBrowser.runtime.onMessage.addListener = ((listener: never) => listeners.push(listener)) as never;
  let answerDrafts = () => {};
  const drafts = new Promise<void>((resolve) => {
    answerDrafts = resolve;
  });
  let isAnswered = false;
  fakeBrowser.runtime.sendMessage = (async ({ type }: { type: string }) => {
    if (type === 'get_drafts') {
      await drafts;
      return { ok: {} };
    }
    isAnswered = true;
    const connection = { isConnected: true };
    const comments = [sampleComment('c_1')];
    const answers = { chat: 0, comments: [] };
    return {
      ok: {
        comments,
        connection,
        annotations: [],
        answers,
        picking: false,
        pinsHidden: false,
        showsEmbedded: false,
      },
    };
  }) as never;
  let facts: PageFacts | undefined;
  const heard: ToContent[] = [];
  offer((known) => {
    facts = known;
    return { receive: (message) => void heard.push(message), moved: () => {} };
  });
  const life = new AbortController();
  attend(life);
  await eventually(() => expect(isAnswered).toBe(true));
  const told: ToContent[] = [
    { type: 'comments', payload: { comments: [sampleComment('c_1'), sampleComment('c_2')] } },
    { type: 'annotations', payload: { annotations: [{ annotationId: 'a_1' }] as never } },
  ];
  for (const message of told) for (const listener of listeners) listener(message, {}, () => {});
  answerDrafts();
  await eventually(() => expect(facts).toBeDefined());
  await quiet();
  expect(facts?.comments.map(({ id }) => id)).toEqual(['c_1', 'c_2']);
  expect(facts?.annotations).toHaveLength(1);
  expect(facts?.connection).toEqual({ isConnected: true });
  // Neither is the overlay told anything older.
  expect(heard.filter(({ type }) => type === 'comments' || type === 'annotations')).toEqual([]);
  life.abort();
});
