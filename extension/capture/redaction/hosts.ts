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

/** Without what begins in the name of a machine. Both are sorted. */
export function outsideHosts(text: string, found: Range[]): Range[] {
  const hosts = authorities(text).filter(([start, end]) => text.slice(start, end).includes('.'));
  let host = 0;
  return found.filter(([start]) => {
    while ((hosts[host]?.[1] ?? Number.POSITIVE_INFINITY) <= start) host++;
    const next = hosts[host];
    return next === undefined || start < next[0];
  });
}
