/**
 * The text of this page's document as its server sent it: the browser's own copy. The server is never asked, for to ask
 * for a document again may do something there, and would give another one. Where the browser has no copy, nothing is
 * known.
 */
import { textOf } from './source-text';

export interface ServedDocument {
  url: URL;
  text: string;
}

const theNavigation = () =>
  performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;

/** Where this page was loaded from; it may have given itself another address since. */
export function navigatedTo(): URL {
  const url = new URL(theNavigation()?.name ?? '', location.href);
  url.hash = '';
  return url;
}

/**
 * Null where there is no copy, it is of more than `most` UTF-16 code units, or it is not the document that this page
 * was made of.
 */
export async function servedDocument(
  signal: AbortSignal,
  most: number,
  hasRoom: (more: number) => boolean,
): Promise<ServedDocument | null> {
  const navigation = theNavigation();
  // As long as it is still coming there is no copy of all of it.
  if (!navigation || navigation.responseEnd === 0) return null;
  const url = navigatedTo();
  if (!/^https?:$/.test(url.protocol) || url.origin !== location.origin) return null;
  // A service worker hears of every request, and may ask the server then.
  if (document.contentType !== 'text/html' || navigator.serviceWorker?.controller) return null;
  try {
    const response = await fetch(url, {
      cache: 'only-if-cached',
      mode: 'same-origin',
      redirect: 'error',
      priority: 'low',
      signal,
    } as RequestInit);
    if (!response.ok) return null;
    let bytes = 0;
    const text = await textOf(response, most, hasRoom, (more) => {
      bytes += more;
    });
    // What came by a form, or what another tab was sent since, is another document at the same address.
    const isOwn = navigation.decodedBodySize === 0 || navigation.decodedBodySize === bytes;
    return text !== null && isOwn ? { url, text } : null;
  } catch {
    return null;
  }
}
