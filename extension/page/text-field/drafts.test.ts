// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import { redactUrl } from '../../capture/redact';
import { BACKGROUND_ANSWERS_WITHIN } from '../../deadline';
import { newSecret } from '../../state/secret';
import { pathOf } from '../state/path';
import { Drafts, placeHere } from './drafts';

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

/** What the background is told, in order: text, and how many texts its field had told with it. */
function told() {
  const heard: [string, number | undefined][] = [];
  fakeBrowser.runtime.onMessage.addListener(async (message: unknown) => {
    const { text, typed } = (message as { payload: { text: string; typed?: { count: number } } }).payload;
    heard.push([text, typed?.count]);
    return { ok: null };
  });
  const drafts = new Drafts({}, new AbortController().signal);
  const leave = () => window.dispatchEvent(new Event('pagehide'));
  return { heard, drafts, leave, place: placeHere('/cart') };
}

test('a saved text is told to be as old as its field had it, so that the field does not bring it back', () => {
  const { heard, drafts, place } = told();
  drafts.keep(place, 'Blue', { secret: newSecret(), count: 4 });
  drafts.keep(place, '');
  expect(heard).toEqual([['', 4]]);
});

test('a saved text is forgotten whatever an earlier field of its place had told the background', () => {
  const { heard, drafts, leave, place } = told();
  drafts.keep(place, 'Blue', { secret: newSecret(), count: 4 });
  // The box is opened again, and what is there is saved as it is.
  drafts.opened(place);
  leave();
  drafts.keep(place, '');
  expect(heard).toEqual([
    ['Blue', 4],
    ['', undefined],
  ]);
});

test('a text that was typed into the page itself, or into another field, is as old as that', () => {
  const { heard, drafts, leave, place } = told();
  drafts.keep(place, 'Blue', { secret: newSecret(), count: 4 });
  drafts.keep(place, 'Bluer');
  leave();
  drafts.keep(place, '');
  drafts.keep(place, 'Blue', { secret: newSecret(), count: 4 });
  drafts.keep(place, 'Green', { secret: newSecret(), count: 1 });
  drafts.keep(place, '');
  expect(heard).toEqual([
    ['Bluer', undefined],
    ['', undefined],
    ['', 1],
  ]);
});

test('a text that a background which hangs did not keep stays, and is told again as the page goes', async () => {
  vi.useFakeTimers();
  try {
    const heard: string[] = [];
    let hangs = true;
    const sending = vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((async (
      message: unknown,
    ) => {
      heard.push((message as { payload: { text: string } }).payload.text);
      await (hangs ? new Promise(() => {}) : undefined);
      return { ok: null };
    }) as never);
    const drafts = new Drafts({}, new AbortController().signal);
    const place = placeHere('/cart');
    drafts.keep(place, 'Blue');
    await vi.advanceTimersByTimeAsync(BACKGROUND_ANSWERS_WITHIN + 1_000);
    expect(drafts.of(place)).toBe('Blue');
    expect(heard).toEqual(['Blue']);
    hangs = false;
    window.dispatchEvent(new Event('pagehide'));
    expect(heard).toEqual(['Blue', 'Blue']);
    await vi.advanceTimersByTimeAsync(1_000);
    // Kept now.
    window.dispatchEvent(new Event('pagehide'));
    expect(heard).toEqual(['Blue', 'Blue']);
    sending.mockRestore();
  } finally {
    vi.useRealTimers();
  }
});
