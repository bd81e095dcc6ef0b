// @vitest-environment node
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IDBFactory } from 'fake-indexeddb';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../../testing/eventually';
import { Paired } from '../pairing';
import { openStore } from '../store';
import { addressOf, check, end, type Pairing, PairingEnded, pair } from './gateway';
import type { End, Port } from './way';
import { gatewayWay } from './websocket';

/** A gateway on a real port, as far as a browser sees it. */
class Gateway {
  readonly server: Server;
  readonly sockets: WebSocket[] = [];
  readonly said: string[] = [];
  token = 'right';
  code = 'K7MXQ2RT';
  protocol = 1;
  constructor() {
    this.server = createServer((request, response) => {
      const said: Buffer[] = [];
      request.on('data', (part: Buffer) => said.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        const refuse = (status: number, message: string) => {
          response
            .writeHead(status)
            .end(JSON.stringify({ code: 'forbidden', message, nextStep: 'Do this.' }));
        };
        if (url === '/pair') {
          const { code } = JSON.parse(Buffer.concat(said).toString()) as { code: string };
          if (code !== this.code) return refuse(403, 'the code is wrong; 4 more tries');
          const welcome = { token: this.token, host: 'buildbox', protocol: this.protocol };
          return response.writeHead(200).end(JSON.stringify(welcome));
        }
        if (url !== '/paired') return response.writeHead(404).end('what?');
        if (headers.authorization !== `Bearer ${this.token}`) return refuse(401, 'not paired');
        if (method === 'DELETE') this.token = 'gone';
        return response.writeHead(204).end();
      });
    });
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'opentoolbar.v1' });
    this.server.on('upgrade', (request: IncomingMessage, stream, head) => {
      if (request.headers['sec-websocket-protocol'] !== `opentoolbar.v1,bearer.${this.token}`) {
        stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, stream, head, (socket) => {
        socket.on('message', (data) => this.said.push(String(data)));
        this.sockets.push(socket);
      });
    });
  }
  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  close(): void {
    for (const socket of this.sockets) socket.terminate();
    this.server.close();
    this.server.closeAllConnections();
  }
}

let gateway: Gateway;
let pairing: Pairing;
let heard: unknown[];
let ends: End[];
let known: boolean[];
let awake: number;

beforeEach(async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  globalThis.indexedDB = new IDBFactory();
  gateway = new Gateway();
  pairing = { address: await gateway.listen(), token: 'right', host: 'buildbox' };
  heard = [];
  ends = [];
  known = [];
  awake = 0;
});
afterEach(() => {
  gateway.close();
  vi.unstubAllGlobals();
});

function open(): Port {
  const stayAwake = () => {
    awake += 1;
  };
  return gatewayWay({ pairing, stayAwake, known: (is) => known.push(is) }).open({
    heard: (message) => heard.push(message),
    ended: (end) => ends.push(end),
  });
}

async function connected(): Promise<WebSocket> {
  return eventually(() => {
    const socket = gateway.sockets.at(-1);
    if (!socket) throw new Error('nobody came');
    return socket;
  });
}

const theEnd = () => eventually(() => expect(ends).toHaveLength(1)).then(() => ends[0] as End);

test('what is posted before the connection stands goes when it does, in order', async () => {
  const port = open();
  port.post({ id: 'm_1' });
  port.post({ id: 'm_2' });
  await eventually(() => expect(awake).toBe(2));
  port.post({ id: 'm_3' });
  await eventually(() => expect(gateway.said).toEqual(['{"id":"m_1"}', '{"id":"m_2"}', '{"id":"m_3"}']));
  expect(known).toEqual([true]);
  port.close();
});

test('each text is one message; what is no JSON goes on as it is', async () => {
  const port = open();
  const socket = await connected();
  socket.send('{"type":"pong"}');
  socket.send('no json');
  await eventually(() => expect(heard).toEqual([{ type: 'pong' }, 'no json']));
  port.close();
});

test('after it was closed from this side nothing is heard any more', async () => {
  const port = open();
  const socket = await connected();
  port.close();
  socket.send('{"type":"pong"}');
  await new Promise<void>((done) => socket.on('close', () => done()));
  expect(heard).toEqual([]);
  expect(ends).toEqual([]);
  expect(() => port.post({})).toThrow();
});

test('a hub that leaves, and a link that breaks, come back', async () => {
  open();
  (await connected()).close(1001);
  expect((await theEnd()).detail).toMatch(/^The host on buildbox \(127\.0\.0\.1:\d+\) ended\. Trying again/);
  ends = [];
  open();
  await eventually(() => expect(gateway.sockets).toHaveLength(2));
  gateway.sockets[1]?.terminate();
  expect(await theEnd()).toMatchObject({ hub: 'lost', detail: expect.stringContaining('broke') });
});

test('a pairing that was taken back is told as what it is, connected or not', async () => {
  open();
  (await connected()).close(1008, 'the pairing was taken back');
  expect((await theEnd()).detail).toContain('Pair again with a new code');
  ends = [];
  gateway.token = 'another';
  open();
  expect((await theEnd()).detail).toContain('does not know this browser any more');
  expect(known).toEqual([true, false, false]);
});

test('a close for any other reason is no end of the pairing', async () => {
  for (const [at, reason] of ['not for this client', '', 'the pairing was taken backwards'].entries()) {
    ends = [];
    open();
    await eventually(() => expect(gateway.sockets).toHaveLength(at + 1));
    gateway.sockets[at]?.close(1008, reason);
    expect((await theEnd()).detail).toMatch(/broke\. Trying again/);
  }
  expect(known).toEqual([true, true, true]);
});

test('where nobody listens that is said, with what to start', async () => {
  gateway.close();
  open();
  expect((await theEnd()).detail).toMatch(/^Nobody listens at 127\.0\.0\.1:\d+\. Start `opentoolbar serve`/);
});

test('a code is turned into a pairing, and a wrong one into the sentence of the gateway', async () => {
  const { address } = pairing;
  await expect(pair(address, ' AAAA-AAAA ', 1)).rejects.toThrow('The code is wrong; 4 more tries. Do this.');
  expect(await pair(address, ' K7MXQ2RT ', 1)).toEqual(pairing);
  await check(pairing);
  await end(pairing);
  await expect(check(pairing)).rejects.toThrow(PairingEnded);
});

test('a hub of another protocol is no pairing, and is told so', async () => {
  gateway.protocol = 2;
  await expect(pair(pairing.address, 'K7MXQ2RT', 1)).rejects.toThrow(
    /speaks protocol 2 and this extension 1\. Update this extension/,
  );
  expect(gateway.token).toBe('gone');
  gateway.token = 'right';
  await expect(pair(pairing.address, 'K7MXQ2RT', 3)).rejects.toThrow('Update the host there');
});

test('something else that listens there is told from a gateway', async () => {
  const other = createServer((_request, response) => response.end('<h1>Vite</h1>'));
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  await expect(pair(address, 'K7MXQ2RT', 1)).rejects.toThrow('is not opentoolbar');
  other.close();
});

test.each([
  ['7847', '127.0.0.1:7847'],
  [' 127.0.0.1:9000 ', '127.0.0.1:9000'],
  ['localhost', '127.0.0.1:7847'],
  ['ws://localhost:7847/ws', '127.0.0.1:7847'],
  ['http://[::1]:7847/', '127.0.0.1:7847'],
])('the address %s is %s', (typed, address) => {
  expect(addressOf(typed)).toBe(address);
});

test.each([
  '',
  'buildbox:7847',
  '10.0.0.2',
  'https://127.0.0.1:7847',
  '127.0.0.1.evil.test',
  'http://',
  '99999',
])('the address %s is refused with what to do', (typed) => {
  expect(() => addressOf(typed)).toThrow(/Type an address|ssh -L/);
});

test('a pairing is kept, shown without its token, and forgotten on both sides', async () => {
  const store = await openStore();
  const changed = vi.fn();
  const paired = await Paired.load({ store, protocol: 1, changed });
  expect(paired.host).toBeUndefined();
  await expect(paired.pair(pairing.address, 'AAAAAAAA')).rejects.toThrow('The code is wrong');
  expect(changed).not.toHaveBeenCalled();
  await paired.pair(pairing.address, 'K7MXQ2RT');
  const again = await Paired.load({ store, protocol: 1, changed });
  expect(again.pairing).toEqual(pairing);
  expect(JSON.stringify(again.host)).not.toContain('right');
  again.heard(false);
  expect(again.host?.isKnown).toBe(false);
  await again.forget();
  expect(gateway.token).toBe('gone');
  expect(again.pairing).toBeUndefined();
  expect((await Paired.load({ store, protocol: 1, changed })).host).toBeUndefined();
  expect(changed).toHaveBeenCalledTimes(2);
});
