// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { choose, compose, pickedIn, startPicking, stopPicking } from './pick';
import { createState } from './state';

const started = () => createState('http://localhost:5173/shop');
const element = () => document.createElement('p');
const request = { annotationId: 'a_1', agent: 'beta', message: 'Which one?' } as never;

test('what was picked for a comment is not pinned in place of the element that is picked next', () => {
  const state = started();
  startPicking(state, { kind: 'comment' });
  choose(state, [element(), element()]);
  startPicking(state, { kind: 'repin', commentId: 'c_1', at: 0 });
  expect(pickedIn(state.pick.value)).toEqual([]);
  expect(state.pick.value).toMatchObject({ step: 'choosing', purpose: { kind: 'repin' } });
});

test('the comment box is not open while an element is picked for something else', () => {
  const state = started();
  startPicking(state, { kind: 'comment' });
  compose(state, [element()]);
  expect(state.composing.value).toBe(true);
  startPicking(state, { kind: 'repin', commentId: 'c_1', at: 0 });
  expect([state.picking.value, state.composing.value]).toEqual([true, false]);
});

test('words about what an agent asked for are its answer, also once other elements are chosen', () => {
  const state = started();
  startPicking(state, { kind: 'answer', request });
  compose(state, [element()]);
  choose(state, []);
  compose(state, [element()]);
  expect(state.pick.value).toMatchObject({ step: 'composing', purpose: { kind: 'answer', request } });
});

test('text that comes back is of a comment, whatever an element is picked for by then', () => {
  const state = started();
  startPicking(state, { kind: 'repin', commentId: 'c_1', at: 0 });
  const one = element();
  compose(state, [one]);
  expect(state.pick.value).toMatchObject({ step: 'composing', purpose: { kind: 'comment' } });
  expect(pickedIn(state.pick.value)).toEqual([one]);
  stopPicking(state);
  compose(state, []);
  expect(state.pick.value).toMatchObject({ step: 'choosing', purpose: { kind: 'comment' } });
});

test('what comes late changes nothing once picking is off', () => {
  const state = started();
  state.opened.value = 'c_1';
  startPicking(state, { kind: 'comment' });
  expect(state.opened.value).toBeNull();
  stopPicking(state);
  choose(state, [element()]);
  expect([state.picking.value, pickedIn(state.pick.value)]).toEqual([false, []]);
});
