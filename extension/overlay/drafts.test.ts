// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import { redactUrl } from '../capture/redact';
import { Drafts, placeHere } from './drafts';
import { pathOf } from './words';

afterEach(() => fakeBrowser.reset());

test('an app that goes on to a page with another secret in its path shows no text of the one before', async () => {
  const asked: unknown[] = [];
  fakeBrowser.runtime.onMessage.addListener(async (message: unknown) => {
    asked.push((message as { payload: unknown }).payload);
    return { ok: null };
  });
  const go = (token: string) => {
    history.pushState(null, '', `/reset/${token}`);
    return pathOf(redactUrl(location.href));
  };
  const path = go('k3j4h5g6f7d8s9a0');
  const one = location.href;
  const drafts = new Drafts({ [path]: 'From before', 'reply:c_1': 'A reply' }, new AbortController().signal);
  expect(drafts.of(placeHere(path))).toBe('From before');
  drafts.keep(placeHere(path), 'Of one');
  expect(go('z9x8c7v6b5n4m3q2')).toBe(path);
  expect(drafts.of(placeHere(path))).toBe('');
  expect(drafts.of(placeHere('reply:c_1'))).toBe('A reply');
  window.dispatchEvent(new Event('pagehide'));
  // What was typed there is told as what it was, though the page is another by now.
  expect(asked).toEqual([{ pathname: path, url: one, text: 'Of one' }]);
  go('k3j4h5g6f7d8s9a0');
  expect(drafts.of(placeHere(path))).toBe('Of one');
});

test('a text that is saved after the app went on to another page is forgotten where it was written', () => {
  fakeBrowser.runtime.onMessage.addListener(async () => ({ ok: null }));
  const drafts = new Drafts({}, new AbortController().signal);
  history.pushState(null, '', '/b');
  drafts.keep(placeHere('/b'), 'Of b');
  history.pushState(null, '', '/a');
  const a = placeHere('/a');
  drafts.keep(a, 'Of a');
  history.pushState(null, '', '/b');
  drafts.keep(a, '');
  expect(drafts.of(a)).toBe('');
  expect(drafts.of(placeHere('/b'))).toBe('Of b');
});
