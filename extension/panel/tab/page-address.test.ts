import { expect, test } from 'vitest';
import { exportFileName, pageAddress, sameOrigin, siteAddresses } from './page-address';

test('a web page has host and path without query and fragment', () => {
  expect(pageAddress('http://localhost:5173/cart?x=1#top')).toEqual({
    host: 'localhost:5173',
    pathname: '/cart',
    isWeb: true,
  });
});

test.each(['chrome://settings/', 'about:blank', 'file:///etc/passwd', '', 'not an address'])(
  '%j is no page that a site could be allowed for',
  (url) => {
    expect(pageAddress(url).isWeb).toBe(false);
    expect(pageAddress(url).pathname).not.toBe('');
  },
);

test('an export file is named after site, path and day, whatever stands in the path', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const address = pageAddress('http://localhost:5173/a/../é b/%2e%2e/');
  expect(exportFileName(address, '/cart/Items', now)).toBe(
    'opentoolbar-localhost-5173-cart-items-2026-11-21.json',
  );
  expect(exportFileName(address, undefined, now)).toBe('opentoolbar-localhost-5173-2026-11-21.json');
  expect(exportFileName(address, `/${'../..'.repeat(99)}x`, now)).toMatch(/^[a-z0-9.-]{1,100}$/);
});

test('only web addresses of one scheme, host and port are of one site', () => {
  expect(sameOrigin('http://localhost:5173/a', 'http://localhost:5173/b?c')).toBe(true);
  for (const other of [
    'http://localhost:5174/a',
    'https://localhost:5173/a',
    'http://evil.example/',
    'x',
    '',
  ]) {
    expect(sameOrigin(other, 'http://localhost:5173/a')).toBe(false);
  }
  expect(sameOrigin('file:///a', 'file:///a')).toBe(false);
});

test('the address of a site is taken as people write it', () => {
  expect(siteAddresses(' staging.example.org ')).toEqual([
    'https://staging.example.org',
    'http://staging.example.org',
  ]);
  expect(siteAddresses('http://10.0.0.7:3000/a?b')).toEqual(['http://10.0.0.7:3000/a?b']);
  expect(siteAddresses('build-box:3000')).toEqual(['https://build-box:3000', 'http://build-box:3000']);
});

test.each(['', '   ', 'not an address', 'chrome://settings', 'file:///etc/passwd', 'https://'])(
  '%j is no address of a site',
  (typed) => {
    expect(siteAddresses(typed)).toEqual([]);
  },
);
