// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { reachOf } from './drawing';

afterEach(() => {
  document.body.innerHTML = '';
});

test('a form with a field that is called as what an SVG is asked is no SVG', () => {
  document.body.innerHTML =
    '<form><input name="getScreenCTM"><div style="filter: drop-shadow(rgb(0, 0, 0) 0px 60px 0px)"><input type="password"></div></form>';
  const form = document.querySelector('form') as HTMLFormElement & { getScreenCTM?: unknown };
  expect(form.getScreenCTM).toBe(document.querySelector('input'));
  expect(reachOf(document.querySelector('[type=password]') as Element)).toBe(60);
});
