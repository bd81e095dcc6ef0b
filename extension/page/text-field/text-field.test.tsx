// @vitest-environment happy-dom
import { render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import type { Follow } from '../positioning/follow';
import { Fields } from './field-frame';
import { TextField } from './text-field';

vi.mock('../messaging/link', () => ({ ask: vi.fn(async () => null) }));

let box: HTMLElement;
let fields: Fields;
/** What is to be told that our root is in the document again. */
let returned: Set<() => void>;
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
  returned = new Set();
  fields = new Fields(
    { host: box, shadow, layer, returned } as unknown as Root,
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
let port: Channel['port1'] | null = null;
class Channel {
  port1 = {
    onmessage: null as ((event: { data: string }) => void) | null,
    told: [] as { type: string; text?: string }[],
    postMessage(data: string) {
      this.told.push(JSON.parse(data));
    },
    close() {
      this.onmessage = null;
    },
  };
  port2 = {};
  constructor() {
    port = this.port1;
    if (!answers) return;
    setTimeout(() => {
      for (const type of ['here', 'ready']) say({ type });
    }, 1);
  }
}
const say = (message: object, by = port) => by?.onmessage?.({ data: JSON.stringify(message) });

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
  say({ type: 'text', text: 'Secret', count: 1 });
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

test.each([
  ['that is kept', 'heard', { key: '/', pathname: '/', url: 'http://localhost/' }, ['Not lost']],
  ['that is not kept', 'not heard: it would open again what was closed', undefined, []],
])(
  'what was typed of a text %s, and on its way when its field is removed, is %s; no key is',
  async (...all) => {
    const [, , place, expected] = all;
    const heard: string[] = [];
    const field = (
      <TextField
        fields={fields}
        testid="field"
        label="Comment"
        rows={3}
        value=""
        onText={(next) => heard.push(next)}
        onKeyDown={({ key }) => heard.push(key)}
        {...(place ? { place } : {})}
      />
    );
    render(field, box.shadowRoot as ShadowRoot);
    await load();
    const before = port;
    render(null, box.shadowRoot as ShadowRoot);
    say({ type: 'text', text: 'Not lost', count: 1 }, before);
    say({ type: 'key', key: 'Enter', shiftKey: false, ctrlKey: true, metaKey: false }, before);
    await pass(10);
    say({ type: 'text', text: 'Too late', count: 2 }, before);
    expect(heard).toEqual(expected);
  },
);

test('that a field is opened is told when it comes, and again when its frame has loaded again', async () => {
  let opened = 0;
  const field = (
    <TextField
      fields={fields}
      testid="field"
      label="Comment"
      rows={3}
      value=""
      onText={() => {}}
      onOpen={() => opened++}
    />
  );
  render(field, box.shadowRoot as ShadowRoot);
  await pass(1);
  expect(opened).toBe(1);
  await load();
  const first = opened;
  await load();
  expect(opened).toBe(first + 1);
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

const returns = async () => {
  for (const each of returned) each();
};
/** It loads again, and is not ready yet. */
const loads = async () => {
  answers = false;
  await load();
  answers = true;
};

test.each([
  ['our root was taken out', returns],
  ['the frame loaded again', loads],
])('what was typed and on its way when %s is written into the field that comes', async (_name, leave) => {
  show();
  await load();
  say({ type: 'text', text: 'Not', count: 1 });
  const before = port;
  await leave();
  say({ type: 'text', text: 'Not lost', count: 1 }, before);
  expect(text).toBe('Not lost');
  await load();
  expect(port?.told.filter(({ type }) => type === 'write').at(-1)?.text).toBe('Not lost');
  // The new field has the word.
  say({ type: 'text', text: 'Not', count: 1 }, before);
  expect(text).toBe('Not lost');
});

test('what was typed and on its way does not come in the place of what was written instead of it', async () => {
  show();
  await load();
  const before = port;
  await returns();
  show('Another');
  say({ type: 'text', text: 'Typed', count: 1 }, before);
  expect(text).toBe('Another');
});

test('a frame that does not load again after our root was out of the document is given up, and nothing hears of it then', async () => {
  show('Draft');
  await load();
  box.remove();
  await pass(20_000);
  document.body.append(box);
  for (const each of returned) each();
  await pass(20_000);
  expect([part('iframe'), part('textarea')].map(Boolean)).toEqual([false, false]);
  expect(part('[data-testid="field-asks"]')).toBeTruthy();
  expect(returned.size).toBe(0);
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
