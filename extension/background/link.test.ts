import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { HUB_ANSWERS_WITHIN } from '../deadline';
import type { Answer } from '../generated/Answer';
import type { Event } from '../generated/Event';
import type { RequestEnvelope } from '../generated/RequestEnvelope';
import { loadCoreForTest } from '../testing/core';
import { ChunkJoiner } from '../wasm/opentoolbar_wasm';
import { Link, LinkLost, type LinkState, NoAnswer } from './link';
import { explain } from './transport/native';
import type { End, Listener, Way, WayName } from './transport/way';

/** The other end of a connection, played by the test. */
class Host {
  sent: RequestEnvelope[] = [];
  closed = false;
  constructor(
    readonly way: WayName,
    readonly listener: Listener,
  ) {}
  say(message: unknown) {
    this.listener.heard(message);
  }
  answer(answer: Answer) {
    this.say({ replyTo: this.sent.at(-1)?.id, ...answer });
  }
  end(end: End) {
    this.listener.ended(end);
  }
}

const EXITED: End = explain('Native host has exited.');
const MISSING: End = explain('Specified native messaging host not found.');

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
let ways: WayName[];
let random: number;

beforeAll(loadCoreForTest);
beforeEach(() => {
  vi.useFakeTimers();
  hosts = [];
  states = [];
  events = [];
  ways = ['native'];
  random = 0;
  const way = (name: WayName): Way => ({
    name,
    open(listener) {
      const host = new Host(name, listener);
      hosts.push(host);
      return {
        post: (message) => host.sent.push(message as RequestEnvelope),
        close: () => {
          host.closed = true;
        },
      };
    },
  });
  link = new Link({
    ways: () => ways.map(way),
    random: () => random,
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
  expect(link.state).toEqual({ hub: 'connected', detail: '', way: 'native' });
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
  host.end(EXITED);
  await outcome;
  expect(link.state.hub).toBe('lost');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hosts).toHaveLength(2);
});

test('why the program ends is told in its own words, where it said any', async () => {
  link.start();
  await vi.advanceTimersByTimeAsync(0);
  const payload = {
    code: 'storage' as const,
    message: 'the disk is full',
    nextStep: 'Make room, then try again.',
  };
  hosts[0]?.say({ replyTo: null, type: 'error', payload });
  hosts[0]?.end(EXITED);
  expect(link.state).toMatchObject({
    hub: 'lost',
    detail: 'the disk is full. Make room, then try again.',
  });
  // The next attempt ends for a reason of its own.
  await vi.advanceTimersByTimeAsync(1_000);
  hosts[1]?.end(EXITED);
  expect(link.state.detail).toMatch(/host ended/);
});

test('pauses between attempts grow, and stay below those after which Chrome ends an idle worker', async () => {
  link.start();
  for (let i = 0; i < 12; i++) {
    hosts.at(-1)?.end(EXITED);
    await vi.advanceTimersByTimeAsync(20_000);
  }
  const before = hosts.length;
  hosts.at(-1)?.end(EXITED);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(hosts).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hosts).toHaveLength(before + 1);
});

test('chance makes pauses shorter, never longer', async () => {
  random = 0.999;
  const host = await connect();
  host.end(EXITED);
  await vi.advanceTimersByTimeAsync(749);
  expect(hosts).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2);
  expect(hosts).toHaveLength(2);
});

test('where native messaging leads to no host the gateway is taken at once', async () => {
  ways = ['native', 'gateway'];
  link.start();
  hosts[0]?.end(MISSING);
  await vi.advanceTimersByTimeAsync(0);
  expect(hosts.map(({ way }) => way)).toEqual(['native', 'gateway']);
  expect(states).toEqual([]);
  hosts[1]?.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  expect(link.state).toEqual({ hub: 'connected', detail: '', way: 'gateway' });
  // The next attempt begins with the best way again.
  hosts[1]?.end({ hub: 'lost', detail: 'The hub left.' });
  expect(link.state).toEqual({ hub: 'lost', detail: 'The hub left.', way: 'gateway' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hosts.at(-1)?.way).toBe('native');
});

test('a host that is there and ends is not left for another hub', async () => {
  ways = ['native', 'gateway'];
  const host = await connect();
  host.end(EXITED);
  await vi.advanceTimersByTimeAsync(0);
  expect(hosts).toHaveLength(1);
  expect(link.state).toMatchObject({ hub: 'lost', way: 'native' });
});

test('what an old connection still says is not heard', async () => {
  const host = await connect();
  host.end(EXITED);
  await vi.advanceTimersByTimeAsync(1_000);
  hosts[1]?.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  host.say({ type: 'agents_changed', payload: { agents: [] } });
  host.end(MISSING);
  expect(events).toEqual([]);
  expect(link.connected).toBe(true);
});

test('a new way is tried at once, and a better one that works is kept', async () => {
  link.start();
  hosts[0]?.end(MISSING);
  expect(link.state.hub).toBe('none');
  ways = ['native', 'gateway'];
  link.renew();
  hosts[1]?.end(MISSING);
  await vi.advanceTimersByTimeAsync(0);
  hosts[2]?.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  expect(link.state.way).toBe('gateway');
  // Forgotten: nobody speaks over it any more.
  ways = ['native'];
  link.renew();
  expect(hosts[2]?.closed).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  hosts[3]?.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  ways = ['native', 'gateway'];
  link.renew();
  expect(hosts).toHaveLength(4);
  expect(link.state.way).toBe('native');
});

test('a hub that does not answer pings is lost, not connected', async () => {
  const host = await connect();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(host.sent.at(-1)).toMatchObject({ type: 'ping' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(link.state.hub).toBe('lost');
  expect(host.closed).toBe(true);
});

test('a hub that never answers hello is lost, with what to do, and tried again', async () => {
  link.start();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(link.state.hub).toBe('checking');
  await vi.advanceTimersByTimeAsync(1);
  expect(link.state).toMatchObject({
    hub: 'lost',
    detail: expect.stringMatching(/did not answer in time\. Trying again.*opentoolbar status/),
  });
  expect(hosts[0]?.closed).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hosts).toHaveLength(2);
  // What the first one says after all counts for nothing.
  hosts[0]?.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  expect(link.connected).toBe(false);
  hosts[1]?.answer({ type: 'hello', payload: hello(1) });
  await vi.advanceTimersByTimeAsync(0);
  expect(link.connected).toBe(true);
});

test('a request that is never answered ends with a sentence, and later ones go on over the same link', async () => {
  const host = await connect();
  let failure: unknown;
  link.request({ type: 'list_projects' }).catch((error: unknown) => {
    failure = error;
  });
  const late = host.sent.at(-1);
  await vi.advanceTimersByTimeAsync(20_000);
  // The hub lives: it answers the link's own round trip.
  host.answer({ type: 'pong', payload: { agents: [] } });
  await vi.advanceTimersByTimeAsync(HUB_ANSWERS_WITHIN - 20_001);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(failure).toBeInstanceOf(NoAnswer);
  expect(String(failure)).toContain('The host did not answer in time.');
  expect(link.connected).toBe(true);
  const next = link.request({ type: 'list_projects' });
  // Its answer comes after all: it is that of no other request.
  host.say({ replyTo: late?.id, type: 'pong', payload: { agents: [] } });
  host.answer({ type: 'projects', payload: { projects: [] } });
  expect((await next).type).toBe('projects');
  expect(hosts).toHaveLength(1);
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
  ['Specified native messaging host not found.', 'not_installed', 'opentoolbar setup'],
  ['No such native application org.opentoolbar.host', 'not_installed', 'opentoolbar setup'],
  ['Access to the specified native messaging host is forbidden.', 'not_admitted', 'opentoolbar setup'],
  ['Failed to start native messaging host.', 'not_started', 'opentoolbar setup'],
  ['Native host has exited.', undefined, 'opentoolbar status'],
  ['', undefined, 'opentoolbar status'],
])('%s is explained with what to do', (reason, obstacle, step) => {
  const end = explain(reason);
  expect(end.hub).toBe(obstacle === undefined ? 'lost' : 'none');
  expect(end.hub === 'none' ? end.obstacle : undefined).toBe(obstacle);
  expect(end.detail).toContain(step);
});

test('the code of what keeps the host from starting is in the state while it does', async () => {
  link.start();
  await vi.advanceTimersByTimeAsync(0);
  hosts[0]?.end(MISSING);
  expect(link.state).toMatchObject({ hub: 'none', obstacle: 'not_installed' });
  hosts.length = 0;
  await connect();
  expect(link.state).toEqual({ hub: 'connected', detail: '', way: 'native' });
});
