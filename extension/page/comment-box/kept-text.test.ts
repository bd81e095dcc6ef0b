// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPicking } from '../state/pick';
import { createState } from '../state/state';
import { Drafts, placeHere } from '../text-field/drafts';
import { type Composing, firstText, placeFor, tellKept, whileSending } from './kept-text';

vi.mock('../messaging/link', () => ({ ask: async () => ({}) }));

const request = { annotationId: 'a_1', agent: 'beta', message: 'Which one?' } as never;
const element = document.createElement('p');
const comment: Composing = { step: 'composing', purpose: { kind: 'comment' }, elements: [element] };
const answer: Composing = { step: 'composing', purpose: { kind: 'answer', request }, elements: [element] };

let end: AbortController;
beforeEach(() => {
  end = new AbortController();
});
afterEach(() => end.abort());

function page(kept: Record<string, string> = {}) {
  const state = createState(location.href);
  const drafts = new Drafts(kept, end.signal);
  state.annotations.value = [request];
  state.connection.value = { isConnected: true } as never;
  return { state, drafts, here: placeHere(state.pathname.value) };
}

test('a comment and an answer are kept apart', () => {
  const { state } = page();
  expect(placeFor(state, answer).key).toBe('answer:a_1');
  expect(placeFor(state, comment).key).toBe(location.pathname);
});

test('an answer that nobody waits for any more stands in the next comment, behind what waits there', () => {
  const { state, drafts, here } = page();
  drafts.keep(here, 'A comment');
  const place = placeFor(state, answer);
  drafts.keep(place, 'An answer');
  expect(firstText(state, drafts, here)).toBe('A comment');
  state.annotations.value = [];
  expect(firstText(state, drafts, place)).toBe('An answer');
  expect(firstText(state, drafts, here)).toBe('A comment\n\nAn answer');
  expect([drafts.of(here), drafts.of(place)]).toEqual(['A comment\n\nAn answer', '']);
  expect(firstText(state, drafts, here)).toBe('A comment\n\nAn answer');
});

test('while nothing is heard of the agents an answer is kept: they may wait', () => {
  const { state, drafts, here } = page();
  drafts.keep(placeFor(state, answer), 'An answer');
  state.annotations.value = [];
  state.connection.value = { isConnected: false } as never;
  expect(firstText(state, drafts, here)).toBe('');
  expect(drafts.of(placeHere('answer:a_1'))).toBe('An answer');
});

test('an answer that is being sent is no comment, though its request is over', async () => {
  const { state, drafts, here } = page();
  const place = placeFor(state, answer);
  drafts.keep(place, 'An answer');
  await whileSending(place, async () => {
    state.annotations.value = [];
    expect(firstText(state, drafts, here)).toBe('');
  });
  expect(firstText(state, drafts, here)).toBe('An answer');
});

test('an answer of which nobody waits any more is brought back as a comment', () => {
  const { state, drafts, here } = page();
  const place = placeFor(state, answer);
  drafts.keep(place, 'An answer');
  state.annotations.value = [];
  tellKept(state, drafts, place, answer);
  state.notice.value?.action?.run();
  expect(state.pick.value).toEqual(comment);
  expect(firstText(state, drafts, here)).toBe('An answer');
});

test('what is kept is told with the way back to it, and what it was for', () => {
  const { state, drafts } = page();
  const place = placeFor(state, answer);
  tellKept(state, drafts, place, answer);
  expect(state.notice.value).toBeNull();
  drafts.keep(place, 'An answer');
  startPicking(state, { kind: 'repin', commentId: 'c_1', at: 0 });
  tellKept(state, drafts, place, answer);
  expect(state.notice.value?.text).toBe('Your answer is kept.');
  state.notice.value?.action?.run();
  expect(state.pick.value).toEqual(answer);
});

test('of another page nothing is told', () => {
  const { state, drafts } = page();
  const elsewhere = { key: '/elsewhere', pathname: '/elsewhere', url: `${location.origin}/elsewhere` };
  drafts.keep(elsewhere, 'Of another page');
  tellKept(state, drafts, elsewhere, comment);
  expect(state.notice.value).toBeNull();
});
