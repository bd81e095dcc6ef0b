// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Fields } from './field-frame';
import type { Follow } from './follow';
import { ask } from './link';
import type { Root } from './root';
import { TextField } from './text-field';

vi.mock('./link', () => ({ ask: vi.fn(async () => null) }));

let box: HTMLElement;
let fields: Fields;
let text: string;
/** Whether what is in the frame answers. */
let answers: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(ask).mockImplementation(async () => null as never);
  document.body.innerHTML = '<main></main>';
  box = document.querySelector('main') as HTMLElement;
  const shadow = box.attachShadow({ mode: 'open' });
  const layer = () => shadow.appendChild(document.createElement('div'));
  vi.stubGlobal('MessageChannel', Channel);
  fields = new Fields(
    { host: box, shadow, layer } as unknown as Root,
    { wake: () => {} } as unknown as Follow,
    new AbortController().signal,
  );
  answers = true;
  text = '';
});
afterEach(() => {
  render(null, box.shadowRoot as ShadowRoot);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What is in the frame, without a frame: it takes the secret and writes when it is told to. */
let port: { onmessage: ((event: { data: string }) => void) | null } | null = null;
class Channel {
  port1 = { onmessage: null as ((event: { data: string }) => void) | null, postMessage() {}, close() {} };
  port2 = {};
  constructor() {
    port = this.port1;
    if (!answers) return;
    setTimeout(() => {
      for (const type of ['here', 'ready']) say({ type });
    }, 1);
  }
}
const say = (message: object) => port?.onmessage?.({ data: JSON.stringify(message) });

function show(value = text): void {
  text = value;
  render(
    <TextField
      fields={fields}
      testid="field"
      label="Comment"
      rows={3}
      value={text}
      onText={(next) => show(next)}
    />,
    box.shadowRoot as ShadowRoot,
  );
}
const part = <T extends Element>(selector: string) =>
  box.shadowRoot?.querySelector<T & HTMLElement>(selector);
async function load(): Promise<void> {
  const frame = part<HTMLIFrameElement>('iframe');
  if (!frame) throw new Error('There is no frame.');
  Object.defineProperty(frame, 'contentWindow', { value: { postMessage() {} }, configurable: true });
  frame.dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(10);
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('what was written in the frame does not come into the page before the person says so', async () => {
  show();
  await load();
  say({ type: 'text', text: 'Secret' });
  answers = false;
  await load();
  await pass(3_000);
  expect(part('textarea')).toBeFalsy();
  expect(box.shadowRoot?.innerHTML).not.toContain('Secret');
  part('[data-testid="field-in-page"]')?.click();
  await pass(100);
  expect(part<HTMLTextAreaElement>('textarea')?.value).toBe('Secret');
});

test('once a field was ready, not even an empty one goes into the page by itself, and it can be tried again', async () => {
  show();
  await load();
  answers = false;
  await load();
  await pass(3_000);
  expect(part('textarea')).toBeFalsy();
  answers = true;
  part('[data-testid="field-again"]')?.click();
  await pass(100);
  await load();
  await pass(20_000);
  expect(part('iframe')).toBeTruthy();
  expect(part('[data-testid="field-asks"]')).toBeFalsy();
});

test('a draft does not go into the page by itself', async () => {
  answers = false;
  show('Draft');
  await load();
  await pass(3_000);
  expect(part('textarea')).toBeFalsy();
  expect(part('[data-testid="field-in-page"]')).toBeTruthy();
});

test('a page that never let a frame stand has the empty field in itself; the next draft does not follow', async () => {
  answers = false;
  show();
  await load();
  await pass(3_000);
  expect(part('textarea')).toBeTruthy();
  render(null, box.shadowRoot as ShadowRoot);
  show('Draft');
  expect(part('textarea')).toBeFalsy();
});

test('the time that our root is out of the document does not count', async () => {
  show();
  await load();
  answers = false;
  await load();
  box.remove();
  await pass(20_000);
  expect(part('iframe')).toBeTruthy();
  document.body.append(box);
  answers = true;
  await load();
  await pass(20_000);
  expect(part('iframe')).toBeTruthy();
});

test.each([
  ['a frame that never loads', async () => {}],
  [
    'a background that never answers',
    async () => {
      vi.mocked(ask).mockReturnValue(new Promise(() => {}) as never);
      await load();
    },
  ],
  [
    'a frame that is there and never ready',
    async () => {
      answers = false;
      await load();
      say({ type: 'here' });
    },
  ],
])('%s is given up', async (_name, play) => {
  show('Draft');
  await play();
  await pass(15_000);
  expect(part('[data-testid="field-asks"]')).toBeTruthy();
});
