// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing';
import { attend } from '../attend';
import { ask } from '../messaging/link';
import { beginLife } from './life';

afterEach(() => fakeBrowser.reset());

test('a script that is told at any question that it may not be here ends; any other refusal ends nothing', async () => {
  const life = beginLife();
  let answer: unknown = { error: 'Try again.' };
  fakeBrowser.runtime.onMessage.addListener(async () => answer);
  await expect(ask('get_drafts', {})).rejects.toThrow('Try again.');
  expect(life?.signal.aborted).toBe(false);
  answer = { error: 'It is not allowed here.', leave: true };
  await expect(ask('get_drafts', {})).rejects.toThrow('It is not allowed here.');
  expect(life?.signal.aborted).toBe(true);
});

test('a script leaves when the background says so of its own site, and not of the one that the tab was on before', async () => {
  const life = beginLife();
  if (!life) throw new Error('an earlier script lives on');
  const listeners: ((message: unknown, sender: unknown, respond: () => void) => unknown)[] = [];
  fakeBrowser.runtime.onMessage.addListener = ((listener: never) => listeners.push(listener)) as never;
  attend(life);
  const say = (origin: string) =>
    listeners.forEach((listener) => void listener({ type: 'leave', payload: { origin } }, {}, () => {}));
  say('https://elsewhere.example');
  expect(life.signal.aborted).toBe(false);
  say(location.origin);
  expect(life.signal.aborted).toBe(true);
});
