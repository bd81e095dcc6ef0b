/** The number of what waits at the toolbar button, and what the button says beside it. */
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { BUTTON_TITLE, fakeButton } from '../testing/button';
import { showWaiting, tellKeys } from './badge';
import { showAnswers, warn } from './toolbar';

let button: ReturnType<typeof fakeButton>;
let tab: number;
let other: number;
beforeEach(async () => {
  fakeBrowser.reset();
  button = fakeButton();
  tab = (await fakeBrowser.tabs.create({})).id ?? -1;
  other = (await fakeBrowser.tabs.create({})).id ?? -1;
});

test('the number of what waits stands in every tab, and goes with it', async () => {
  await showWaiting(2);
  expect(await button.says(tab)).toEqual(['2', `2 approvals wait for you. ${BUTTON_TITLE}`]);
  await showWaiting(1);
  expect(await button.says(other)).toEqual(['1', `1 approval waits for you. ${BUTTON_TITLE}`]);
  await showWaiting(0);
  expect(await button.says(tab)).toEqual(['', BUTTON_TITLE]);
});

test('what a tab said is said again once nothing waits, and stays in its title meanwhile', async () => {
  await warn(tab, 'It may not run.');
  await showAnswers(other, 3);
  await showWaiting(1);
  expect(await button.says(tab)).toEqual(['1', '1 approval waits for you. It may not run.']);
  expect((await button.says(other))[0]).toBe('1');
  await showWaiting(2);
  expect((await button.says(tab))[0]).toBe('2');
  await showWaiting(0);
  expect(await button.says(tab)).toEqual(['!', 'It may not run.']);
  expect(await button.says(other)).toEqual(['3', 'opentoolbar: 3 new answers of your agent']);
});

test('what is said of a tab while something waits shows after, also what is nothing', async () => {
  await showAnswers(other, 3);
  await showWaiting(1);
  await showAnswers(tab, 2);
  await showAnswers(other, 0);
  expect((await button.says(tab))[0]).toBe('1');
  expect((await button.says(other))[0]).toBe('1');
  await showWaiting(0);
  expect((await button.says(tab))[0]).toBe('2');
  expect((await button.says(other))[0]).toBe('');
});

test('a tab that went to another page meanwhile says nothing of the page before', async () => {
  await warn(tab, 'It may not run.');
  await showWaiting(1);
  button.navigate(tab);
  await showWaiting(2);
  await showWaiting(0);
  expect(await button.says(tab)).toEqual(['', BUTTON_TITLE]);
  await warn(other, 'It may not run.');
  await showWaiting(1);
  button.navigate(other);
  await showWaiting(0);
  expect(await button.says(other)).toEqual(['', BUTTON_TITLE]);
});

test('keys that are told while something waits take nothing away', async () => {
  await showWaiting(1);
  await tellKeys();
  expect(await button.says(tab)).toEqual(['1', `1 approval waits for you. ${BUTTON_TITLE}`]);
});
