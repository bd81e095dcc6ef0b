// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { claim } from '../../capture/tree';
import { Trail, walk } from './walk';

const get = (selector: string): Element => {
  const found = document.querySelector(selector);
  if (!found) throw new Error(selector);
  return found;
};

beforeEach(() => {
  document.body.innerHTML =
    '<main><h1 id="a">a</h1><script></script><p id="b">b</p><x-card id="c"><i id="light"></i></x-card></main>';
});

it('goes to parent, first child and siblings, past what is never drawn', () => {
  expect(walk(get('#a'), 'up')).toBe(get('main'));
  expect(walk(get('main'), 'down')).toBe(get('#a'));
  expect(walk(get('#a'), 'right')).toBe(get('#b'));
  expect(walk(get('#b'), 'left')).toBe(get('#a'));
});

it('stops at the edges', () => {
  expect(walk(get('#a'), 'left')).toBeNull();
  expect(walk(get('#light'), 'down')).toBeNull();
  expect(walk(document.documentElement, 'up')).toBeNull();
});

it('enters and leaves open shadow roots', () => {
  const root = get('#c').attachShadow({ mode: 'open' });
  const button = document.createElement('button');
  root.append(button);
  expect(walk(get('#c'), 'down')).toBe(button);
  expect(walk(button, 'up')).toBe(get('#c'));
  expect(walk(button, 'right')).toBe(get('#light'));
});

it('never walks into our own root', () => {
  const root = document.createElement('div');
  document.documentElement.append(root);
  expect(walk(document.body, 'right')).toBe(root);
  claim(root);
  expect(walk(document.body, 'right')).toBeNull();
  root.remove();
});

it('down goes back to where up came from', () => {
  const trail = new Trail();
  expect(trail.step(get('#b'), 'up')).toBe(get('main'));
  expect(trail.step(get('main'), 'down')).toBe(get('#b'));
});

it('forgets the way back once another element was chosen', () => {
  const trail = new Trail();
  trail.step(get('#b'), 'up');
  trail.step(get('main'), 'up');
  trail.step(get('#a'), 'right');
  expect(trail.step(get('main'), 'down')).toBe(get('#a'));
});
