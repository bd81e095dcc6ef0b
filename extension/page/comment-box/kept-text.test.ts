// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPicking } from '../state/pick';
import { createState } from '../state/state';
import { Drafts, placeHere } from '../text-field/drafts';
import { type Composing, keepLateAnswers, placeFor, tellKept } from './kept-text';

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
  keepLateAnswers(state, drafts, end.signal);
  return { state, drafts, here: placeHere(state.pathname.value) };
}

test('a comment and an answer are kept apart', () => {
  const { state } = page();
  expect(placeFor(state, answer).key).toBe('answer:a_1');
  expect(placeFor(state, comment).key).toBe(location.pathname);
});

test('the text of an answer that nobody waits for any more is there for the next comment, behind what waits', () => {
  const { state, drafts, here } = page();
  drafts.keep(here, 'A comment');
  drafts.keep(placeFor(state, answer), 'An answer');
  state.pick.value = answer;
  state.annotations.value = [];
  // Its box is open: the person may send it as a comment.
  expect(drafts.of(here)).toBe('A comment');
  state.pick.value = { step: 'off' };
  expect(drafts.of(here)).toBe('A comment\n\nAn answer');
  expect(drafts.of(placeHere('answer:a_1'))).toBe('');
});

test('an answer that was sent is not kept', () => {
  const { state, drafts, here } = page();
  state.pick.value = answer;
  drafts.keep(placeFor(state, answer), 'An answer');
  drafts.keep(placeFor(state, answer), '');
  state.annotations.value = [];
  state.pick.value = { step: 'off' };
  expect(drafts.of(here)).toBe('');
});

test('what is kept is told with the way back to it, and what it was for', () => {
  const { state, drafts } = page();
  const place = placeFor(state, answer);
  tellKept(state, drafts, place, answer);
  expect(state.notice.value).toBeNull();
  drafts.keep(place, 'An answer');
  startPicking(state, { kind: 'repin', commentId: 'c_1', at: 0 });
  tellKept(state, drafts, place, answer);
  expect(state.notice.value?.text).toBe('Your answer to beta is kept.');
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
