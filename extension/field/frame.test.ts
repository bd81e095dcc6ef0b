// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newSecret } from '../state/secret';
import { type KeptText, startField } from './frame';

const PLACE = { pathname: '/cart', url: 'http://localhost/cart' };
let field: HTMLTextAreaElement;
/** What the background was told, in order. */
let kept: [text: string, count: number][];
/** Ends the oldest telling that is under way: whether it was kept. */
let answer: (isKept: boolean) => void;
let waiting: ((isKept: boolean) => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<textarea></textarea>';
  field = document.querySelector('textarea') as HTMLTextAreaElement;
  kept = [];
  waiting = [];
  answer = (isKept) => waiting.shift()?.(isKept);
});
afterEach(() => {
  window.dispatchEvent(new Event('pagehide'));
  vi.useRealTimers();
});

/** A field whose overlay never says a word but where its text belongs: its page hangs. */
async function open(): Promise<void> {
  const keep = ({ text, typed }: KeptText) => {
    kept.push([text, typed.count]);
    return new Promise<boolean>((resolve) => waiting.push(resolve));
  };
  startField(field, { confirm: async () => true, keep });
  const port = { postMessage() {}, onmessage: null as ((event: { data: string }) => void) | null };
  const opening = new MessageEvent('message', {
    data: JSON.stringify({ type: 'open_field', secret: newSecret() }),
  });
  Object.defineProperty(opening, 'ports', { value: [port] });
  window.dispatchEvent(opening);
  await pass(0);
  port.onmessage?.({ data: JSON.stringify({ type: 'place', place: PLACE }) });
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
function type(text: string): void {
  field.value = text;
  field.dispatchEvent(new Event('input'));
}

test('what is typed is kept by the background at once, though the page hangs', async () => {
  await open();
  type('H');
  expect(kept).toEqual([['H', 1]]);
});

test('however fast somebody types, one text is on its way, and then the latest', async () => {
  await open();
  for (const text of ['H', 'Ha', 'Hal', 'Half']) type(text);
  await pass(5_000);
  expect(kept).toEqual([['H', 1]]);
  answer(true);
  await pass(1_000);
  answer(true);
  await pass(1_000);
  expect(kept).toEqual([
    ['H', 1],
    ['Half', 4],
  ]);
});

test('typing costs the background ten texts a second at most', async () => {
  await open();
  for (let at = 1; at <= 100; at++) {
    type('x'.repeat(at));
    answer(true);
    await pass(10);
  }
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThanOrEqual(11);
});

test('a text that the background did not keep is told again, and not for ever', async () => {
  await open();
  type('Half');
  answer(false);
  await pass(1_000);
  expect(kept).toEqual([
    ['Half', 1],
    ['Half', 1],
  ]);
  for (let at = 0; at < 50; at++) {
    answer(false);
    await pass(10_000);
  }
  expect(kept.length).toBeLessThan(10);
  // The next letter is another occasion.
  const before = kept.length;
  type('Half a');
  expect(kept.at(before)).toEqual(['Half a', 2]);
});

test('as its page goes, a field tells what is not known to be kept, and nothing else', async () => {
  await open();
  type('Half');
  type('Half a');
  window.dispatchEvent(new Event('pagehide'));
  expect(kept.at(-1)).toEqual(['Half a', 2]);
  const told = kept.length;
  while (waiting.length > 0) answer(true);
  await pass(1_000);
  window.dispatchEvent(new Event('pagehide'));
  expect(kept.length).toBe(told);
});
