/** The names of machines in addresses: what is in them is no secret, and without them nobody finds the page again. */
import type { Range } from './range';

/** What stands between `://` and the path of every address in the text: user info and host. */
export function authorities(text: string): Range[] {
  const found: Range[] = [];
  // `]` ends a scheme that was redacted itself.
  for (const match of text.matchAll(/(?<=[A-Za-z0-9+.\-\]]):\/\/(?=([^/?#"'<>\p{White_Space}]*))/gu)) {
    const start = match.index + 3;
    found.push([start, start + (match[1]?.length ?? 0)]);
  }
  return found;
}

export function userInfo(text: string): Range[] {
  const found: Range[] = [];
  // A scheme may have been cut off.
  for (const match of text.matchAll(/:\/\/(?=([^/?#"'<>\p{White_Space}]*))/gu)) {
    const last = match[1]?.lastIndexOf('@') ?? 0;
    if (last > 0) found.push([match.index + 3, match.index + 3 + last]);
  }
  return found;
}

/**
 * The names of machines, which no page is found without. What a program calls its own (`app://...`) has dots where it
 * is one.
 */
function machines(text: string): Range[] {
  const found: Range[] = [];
  for (const [start, end] of authorities(text)) {
    const said = text.slice(start, end);
    const from = Math.max(0, said.lastIndexOf('@'));
    // In texts more may follow, as in `http://localhost:3000,token=...`.
    const length = said.slice(from).search(/[,;&=()|\\`]/);
    const name = length < 0 ? said : said.slice(0, from + length);
    const isWeb = /https?$/i.test(text.slice(Math.max(0, start - 8), start - 3));
    if (isWeb || name.includes('.')) found.push([start, start + name.length]);
  }
  return found;
}

/** Without what begins in the name of a machine. Both are sorted. */
export function outsideHosts(text: string, found: Range[]): Range[] {
  const hosts = machines(text);
  let host = 0;
  return found.filter(([start]) => {
    while ((hosts[host]?.[1] ?? Number.POSITIVE_INFINITY) <= start) host++;
    const next = hosts[host];
    return next === undefined || start < next[0];
  });
}
