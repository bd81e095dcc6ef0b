import { expect, test } from 'vitest';
import { documentAddress, isHotClient, isHotUpdate, sourceAddress } from './source-address';
import { hashInParts, textOf } from './source-text';

function hash(text: string): string {
  const parts = hashInParts(text);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

test('a text has the same hash as before, another one another', () => {
  expect(hash('a'.repeat(200_000))).toBe(hash('a'.repeat(200_000)));
  expect(hash(`${'a'.repeat(200_000)}b`)).not.toBe(hash(`${'a'.repeat(200_000)}c`));
  expect(hash('price = 9')).not.toBe(hash('price = 12'));
});

test('what a dev server writes into the imports of a file that was not edited is left out', () => {
  const before = 'import Shop from "/src/Shop.tsx";import "/src/a.css?v=1a2b"; x()';
  const after = 'import Shop from "/src/Shop.tsx?t=1764000000000";import "/src/a.css?v=ff0-c_d"; x()';
  expect(hash(before)).not.toBe(hash('import Shop from "/src/Store.tsx"; x()'));
  expect(hash(after)).toBe(hash(before));
  expect(hash(after.replace('x()', 'y()'))).not.toBe(hash(before));
  expect(hash('/a.js?t=1&v=2')).toBe(hash('/a.js'));
});

test('an address is told apart by what is not there to have it loaded anew', () => {
  const at = (path: string, initiator = 'script') =>
    sourceAddress(`http://a.test${path}`, 'http://a.test', initiator);
  expect(at('/src/Shop.tsx?t=123')).toBe('/src/Shop.tsx');
  expect(at('/src/Shop.vue?vue&type=style&index=0&t=9')).toBe(at('/src/Shop.vue?vue&type=style&index=0'));
  expect(at('/styles.css?t=1', 'link')).toBe('/styles.css');
  expect(at('/bundle')).toBe('/bundle');
});

test('a script that Vite takes out of a document is source, and the document that it is named after is not', () => {
  const at = (path: string, initiator: string) =>
    sourceAddress(`http://a.test${path}`, 'http://a.test', initiator);
  const proxy = '/index.html?html-proxy&index=0.js';
  expect(at(`${proxy}&t=5`, 'script')).toBe(at(proxy, 'script'));
  expect(at(proxy, 'script')).not.toBeNull();
  expect(at(proxy, 'script')).not.toBe(at('/index.html?html-proxy&index=1.js', 'script'));
  expect(at(proxy, 'link')).toBeNull();
  expect(at('/index.html', 'script')).toBeNull();
});

test('a document is told apart by its path and its query, and is no script of that address', () => {
  const at = (path: string) => documentAddress(new URL(path, 'http://a.test'));
  expect(at('/shop?t=1#/cart')).toBe(at('/shop'));
  expect(at('/shop?page=cart&_=5')).toBe(at('/shop?page=cart'));
  expect(at('/shop?page=cart')).not.toBe(at('/shop?page=home'));
  expect(at('/goods/1')).not.toBe(at('/goods/2'));
  expect(at('/app.js')).not.toBe(sourceAddress('http://a.test/app.js', 'http://a.test', 'script'));
});

test('data, libraries, pictures and what is of other origins are no source', () => {
  const at = (address: string, initiator: string) => sourceAddress(address, 'http://a.test', initiator);
  expect(at('http://a.test/api/cart', 'fetch')).toBeNull();
  expect(at('http://a.test/data.js', 'xmlhttprequest')).toBeNull();
  expect(at('http://b.test/app.js', 'script')).toBeNull();
  expect(at('http://a.test/node_modules/.vite/deps/react.js?v=1', 'script')).toBeNull();
  expect(at('http://a.test/@vite/client', 'script')).toBeNull();
  expect(at('http://a.test/icon.svg', 'css')).toBeNull();
  expect(at('http://a.test/next-page', 'link')).toBeNull();
});

test('dev servers are known by what they load', () => {
  expect(isHotUpdate('http://a.test/main.4f2.hot-update.js', 'http://a.test')).toBe(true);
  expect(isHotUpdate('http://b.test/main.4f2.hot-update.js', 'http://a.test')).toBe(false);
  expect(isHotUpdate('http://a.test/main.js', 'http://a.test')).toBe(false);
  expect(isHotClient('http://a.test/@vite/client')).toBe(true);
});

test('an answer is read as its text, however its bytes are cut', async () => {
  const bytes = new TextEncoder().encode('\ufeffGrüße, 世界 🙂');
  for (const size of [1, 2, 3, 100]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.slice(at * size, (at + 1) * size),
    );
    const body = new ReadableStream({
      start: (stream) => {
        for (const part of parts) stream.enqueue(part);
        stream.close();
      },
    });
    let came = 0;
    const whole = await textOf(
      new Response(body),
      100,
      () => true,
      (more) => {
        came += more;
      },
    );
    expect(whole).toBe(await new Response(bytes).text());
    expect(came).toBe(bytes.length);
  }
  expect(await textOf(new Response(null), 100, () => true)).toBe('');
});

test('of an answer without an end no more is read than there is room for', async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (stream) => {
      sent += 1_000;
      stream.enqueue(new Uint8Array(1_000).fill(97));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  expect(await textOf(new Response(endless), 10_000, () => true)).toBeNull();
  expect(isCancelled).toBe(true);
  expect(sent).toBeLessThanOrEqual(13_000);
});

test('what is read of several answers together has room for all of them, and no more', async () => {
  let left = 25;
  const hasRoom = (more: number) => {
    left -= more;
    return left >= 0;
  };
  const read = await Promise.all(
    ['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(10)].map((text) => textOf(new Response(text), 20, hasRoom)),
  );
  expect(read.filter((text) => text !== null)).toEqual(['a'.repeat(10), 'b'.repeat(10)]);
});
