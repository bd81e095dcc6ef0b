/**
 * Serves the page of `notices/`, written from its template and from what the server was told last:
 * `/say?day=…&notice=…`. Plain Node, loopback only.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let data = new URLSearchParams({ day: 'day' });

const server = createServer(async ({ url = '/' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (pathname === '/say') data = searchParams;
  const isStyle = pathname === '/notices.css';
  const notice = data.get('notice');
  const template = await readFile('template.html', 'utf8');
  const page = template
    .replace('{{day}}', data.get('day') ?? '')
    .replace('{{notice}}', notice ? `<aside class="notice">${notice}</aside>` : '');
  response.writeHead(200, { 'content-type': `text/${isStyle ? 'css' : 'html'}; charset=utf-8` });
  response.end(isStyle ? 'body { margin: 20px }' : page);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`notices on http://localhost:${(server.address() as AddressInfo).port}`);
});
