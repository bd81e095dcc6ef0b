/**
 * The least that a WebSocket server can do, with `ws`: every message goes back as it came. What `cargo xtask bench hub`
 * measures the hub beside. Prints its port; ends with its standard input.
 */
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
});
server.on('listening', () => console.log((server.address() as AddressInfo).port));
process.stdin.on('end', () => process.exit(0)).resume();
