/** Which addresses that a page loads are of its source, and how an address is told apart from others. Pure. */
import { hashOf } from '../../text-hash';

/** What a browser says of how a script or a style sheet was asked for; data that a page fetches is none. */
const INITIATORS = new Set(['script', 'link', 'css', 'other', '']);
const FETCHES = new Set(['fetch', 'xmlhttprequest']);
/** Of what comes by a link or an import these are source; a script may have any name. */
const SOURCE = /\.(?:m?js|cjs|jsx|tsx?|mts|css|s[ac]ss|less|styl|vue|svelte|astro|mdx?)$/i;
const NO_SOURCE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|eot|mp[34]|webm|ogg|json|map|wasm|html?|txt|pdf)$/i;
/** The inline scripts of a document, which Vite serves under the document's name. */
const INLINE = /[?&]html-proxy(?:&|$)/;
/** Libraries, and what a dev server adds of its own. */
const NO_APP =
  /\/(?:node_modules|@vite|@id|@react-refresh|@vite-plugin|__nextjs|__webpack)(?:\/|$)|\/\.vite\//;
/** What dev servers and build tools put behind an address to have it loaded anew. */
const VOLATILE = /^(?:t|v|_|ts|time|hash|import|cacheBust|livereload|browsersync)$/i;

/**
 * The address without what makes it be loaded anew; null for what is no source of this origin. `initiator`: what the
 * browser says of the request.
 */
export function sourceAddress(address: string, origin: string, initiator: string): string | null {
  if (!INITIATORS.has(initiator) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.origin !== origin || NO_APP.test(url.pathname)) return null;
  const isInline = initiator === 'script' && INLINE.test(url.search);
  if (NO_SOURCE.test(url.pathname) && !isInline) return null;
  if (initiator !== 'script' && !SOURCE.test(url.pathname)) return null;
  return lasting(url);
}

/**
 * The same of a document, as a name that no script has. With its query: often that says which template it is made of,
 * so that two documents that differ in it are no two versions of one.
 */
export const documentAddress = (url: URL): string => `document ${lasting(url)}`;

/** Whether what a page fetched is its document, as `documentAddress` names that. */
export function isOfDocument(address: string, own: string, origin: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.origin === origin && documentAddress(url) === own;
}

/** Whether it was asked for by a script, which does with it what it likes. */
export const isFetch = (initiator: string): boolean => FETCHES.has(initiator);

/** Path and query, without what makes it be loaded anew. */
function lasting({ pathname, search }: URL): string {
  const pairs = search.slice(1).split('&');
  const kept = pairs.filter((pair) => pair !== '' && !VOLATILE.test(pair.split('=')[0] ?? ''));
  return [pathname, ...kept].join('?');
}

/** A script of webpack's that exists for one hot update alone: it is new by its name. */
export function isHotUpdate(address: string, origin: string): boolean {
  return (
    URL.canParse(address) &&
    new URL(address).origin === origin &&
    /\.hot-update\.m?js$/.test(new URL(address).pathname)
  );
}

/** Whether this is the client of a dev server that tells an open page of every change of its source. */
export function isHotClient(address: string): boolean {
  return URL.canParse(address) && /\/@vite\/client$/.test(new URL(address).pathname);
}

/** A name for it that says nothing: addresses may hold what is secret. */
export const nameOf = (address: string): string => hashOf(address);
