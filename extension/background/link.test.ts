import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from '../generated/Answer';
import type { Event } from '../generated/Event';
import type { RequestEnvelope } from '../generated/RequestEnvelope';
import { loadCoreForTest } from '../testing/core';
import { ChunkJoiner } from '../wasm/opentoolbar_wasm';
import { explain, Link, LinkLost, type LinkState, type NativePort } from './link';

/** The other end of a port, played by the test. */
class Host {
  sent: RequestEnvelope[] = [];
  disconnected = false;
  #message: (message: unknown) => void = () => {};
  #end: (reason: string) => void = () => {};
  port: NativePort = {
    postMessage: (message) => this.sent.push(message as RequestEnvelope),
    disconnect: () => {
      this.disconnected = true;
    },
    onMessage: {
      addListener: (listener) => {
        this.#message = listener;
      },
    },
    onDisconnect: {
      addListener: (listener) => {
        this.#end = listener;
      },
    },
  };
  say(message: unknown) {
    this.#message(message);
  }
  answer(answer: Answer) {
    this.#message({ replyTo: this.sent.at(-1)?.id, ...answer });
  }
  end(reason: string) {
    this.#end(reason);
  }
}

const hello = (protocol: number) => ({
  protocol,
  version: '0.1.0',
  role: 'browser' as const,
  client: 'test',
  capabilities: ['chunks'],
});

let hosts: Host[];
let states: LinkState[];
let events: Event[];
let link: Link;

beforeAll(loadCoreForTest);
beforeEach(() => {
  vi.useFakeTimers();
  hosts = [];
  states = [];
  events = [];
  link = new Link({
    connect: () => {
      const host = new Host();
      hosts.push(host);
      return host.port;
    },
    joiner: () => new ChunkJoiner(),
    hello: async () => hello(1),
    onState: (state) => states.push(state),
    onEvent: (event) => events.push(event),
    onPong: () => {},
    onConnected: () => {},
  });
});
afterEach(() => void vi.useRealTimers());

async function connect(): Promise<Host> {
  link.start();
  await vi.advanceTimersByTimeAsync(0);
  const host = hosts.at(-1) as Host;
  host.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  return host;
}

test('connected is said only after hello both ways', async () => {
  link.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(link.state.hub).toBe('checking');
  expect(hosts[0]?.sent[0]).toMatchObject({ type: 'hello', payload: { protocol: 1 } });
  hosts[0]?.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  expect(link.state).toEqual({ hub: 'connected', detail: '' });
});

test('answers find their request by id, in any order', async () => {
  const host = await connect();
  const first = link.request({ type: 'list_projects' });
  const second = link.request({ type: 'ping' });
  const [, a, b] = host.sent;
  host.say({ replyTo: b?.id, type: 'pong', payload: { agents: [] } });
  host.say({ replyTo: a?.id, type: 'projects', payload: { projects: [] } });
  expect((await first).type).toBe('projects');
  expect((await second).type).toBe('pong');
});

test('a large answer comes in parts', async () => {
  const host = await connect();
  const asked = link.request({ type: 'list_projects' });
  const text = JSON.stringify({ replyTo: host.sent.at(-1)?.id, type: 'projects', payload: { projects: [] } });
  host.say({ transfer: 7, index: 0, total: 2, data: text.slice(0, 20) });
  host.say({ transfer: 7, index: 1, total: 2, data: text.slice(20) });
  expect(await asked).toMatchObject({ type: 'projects' });
});

test('an end of the host rejects what waits and connects again', async () => {
  const host = await connect();
  const asked = link.request({ type: 'ping' });
  const outcome = expect(asked).rejects.toThrow(LinkLost);
  host.end('Native host has exited.');
  await outcome;
  expect(link.state.hub).toBe('lost');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hosts).toHaveLength(2);
});

test('pauses between attempts grow to a minute', async () => {
  link.start();
  for (let i = 0; i < 12; i++) {
    hosts.at(-1)?.end('Native host has exited.');
    await vi.advanceTimersByTimeAsync(60_000);
  }
  const before = hosts.length;
  hosts.at(-1)?.end('Native host has exited.');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(hosts).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hosts).toHaveLength(before + 1);
});

test('a hub that does not answer pings is lost, not connected', async () => {
  const host = await connect();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(host.sent.at(-1)).toMatchObject({ type: 'ping' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(link.state.hub).toBe('lost');
  expect(host.disconnected).toBe(true);
});

test('another protocol says which half to update', async () => {
  link.start();
  await vi.advanceTimersByTimeAsync(0);
  hosts[0]?.answer({ type: 'hello', payload: hello(2) });
  await vi.advanceTimersByTimeAsync(0);
  expect(link.state.hub).toBe('incompatible');
  expect(link.state.detail).toContain('Update this extension');
});

test('what cannot be understood harms neither the connection nor the next message', async () => {
  const host = await connect();
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  host.say({ transfer: 1, index: 3, total: 4, data: 'x' });
  host.say({ type: 'from_the_future', payload: {} });
  host.say('text');
  expect(warned).toHaveBeenCalledTimes(3);
  warned.mockRestore();
  host.say({ type: 'agents_changed', payload: { agents: [] } });
  expect(events).toHaveLength(1);
  expect(link.connected).toBe(true);
});

test('events reach the listener', async () => {
  const host = await connect();
  host.say({ type: 'agents_changed', payload: { agents: [] } });
  expect(events).toEqual([{ type: 'agents_changed', payload: { agents: [] } }]);
});

test.each([
  ['Specified native messaging host not found.', 'none', 'opentoolbar setup'],
  ['No such native application org.opentoolbar.host', 'none', 'opentoolbar setup'],
  ['Access to the specified native messaging host is forbidden.', 'none', 'opentoolbar setup'],
  ['Native host has exited.', 'lost', 'opentoolbar status'],
  ['', 'lost', 'opentoolbar status'],
])('%s is explained with what to do', (reason, hub, step) => {
  expect(explain(reason).hub).toBe(hub);
  expect(explain(reason).detail).toContain(step);
});
