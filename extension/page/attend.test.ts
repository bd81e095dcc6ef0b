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
    const approvals = { first: [], count: 0 };
    return {
      ok: {
        comments,
        connection,
        annotations: [],
        answers,
        approvals,
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

test('who hides the pins of a page without any is shown the way back; a page of a tab whose pins are hidden is left alone', async () => {
  const listeners: ((message: unknown, sender: unknown, respond: () => void) => unknown)[] = [];
  fakeBrowser.runtime.onMessage.addListener = ((listener: never) => listeners.push(listener)) as never;
  let isHidden = true;
  fakeBrowser.runtime.sendMessage = (async ({ type }: { type: string }) => {
    const approvals = { first: [], count: 0 };
    const known = { comments: [], connection: { isConnected: true }, annotations: [] };
    const rest = { answers: { chat: 0, comments: [] }, approvals, picking: false, pinsHidden: isHidden };
    return { ok: type === 'get_drafts' ? {} : { ...known, ...rest, showsEmbedded: false } };
  }) as never;
  const begin = async () => {
    const heard: ToContent[] = [];
    let facts: PageFacts | undefined;
    offer((known) => {
      facts = known;
      return { receive: (message) => void heard.push(message), moved: () => {} };
    });
    const life = new AbortController();
    attend(life);
    await quiet();
    const tell = async (hidden: boolean) => {
      const told: ToContent = { type: 'pins_hidden', payload: { hidden } };
      for (const listener of listeners.splice(0, Number.POSITIVE_INFINITY)) {
        listener(told, {}, () => {});
        listeners.push(listener);
      }
      await quiet();
    };
    return { facts: () => facts, heard, tell, life };
  };
  const hidden = await begin();
  expect(hidden.facts()).toBeUndefined();
  await hidden.tell(false);
  expect(hidden.facts()).toBeUndefined();
  await hidden.tell(true);
  expect(hidden.facts()?.pinsHidden).toBe(true);
  hidden.life.abort();
  listeners.length = 0;
  isHidden = false;
  const shown = await begin();
  await shown.tell(true);
  expect(shown.facts()?.pinsHidden).toBe(true);
  shown.life.abort();
});
