/**
 * Tells pages apart whose addresses differ only in what is redacted: `/reset/<one token>` and `/reset/<another>`. Each
 * gets a key, an HMAC of its path as it really is. The secret of it is made once in this browser; secret and keys never
 * leave it.
 */
import type { Comment } from '../generated/Comment';
import type { Store } from './store';

/** Bytes of a key that are kept: two pages are never taken for one. */
const KEY_BYTES = 16;
const SECRET = 'pages';
const SECRET_BYTES = 32;

export class PageKeys {
  readonly #store: Store;
  readonly #redactUrl: (url: string) => string;
  #secret: Promise<CryptoKey> | undefined;

  constructor(store: Store, redactUrl: (url: string) => string) {
    this.#store = store;
    this.#redactUrl = redactUrl;
  }

  /** The path of a page by its address, unredacted, as its comments carry it. */
  pathOf(url: string): string {
    const redacted = this.#redactUrl(url);
    return URL.canParse(redacted) ? new URL(redacted).pathname : '/';
  }

  /** The key of a page by its address, unredacted; nothing where the redacted address tells it apart already. */
  async of(url: string): Promise<string | undefined> {
    if (!URL.canParse(url) || !this.#isCut(url)) return undefined;
    const { origin } = new URL(url);
    const place = new TextEncoder().encode(`${origin}\n${placeOf(url)}`);
    const bytes = await crypto.subtle.sign('HMAC', await this.#key(), place);
    const hex = [...new Uint8Array(bytes, 0, KEY_BYTES)].map((byte) => byte.toString(16).padStart(2, '0'));
    return hex.join('');
  }

  /**
   * The comments as they are shown to a tab at `url` (unredacted). Those of other pages with the same redacted path get
   * one that tells them apart; those without a key (of other browsers, or older than keys) stay as they are.
   */
  async seenFrom(
    url: string,
    comments: Comment[],
    keysOf: () => Promise<ReadonlyMap<string, string>>,
  ): Promise<Comment[]> {
    if (!comments.some(isCutComment)) return comments;
    // Where the browser does not tell the whole address, nothing is told apart.
    if (URL.canParse(url) && CUT.test(placeOf(url))) return comments;
    const [own, keys] = await Promise.all([this.of(url), keysOf()]);
    return comments.map((comment) => {
      const key = keys.get(comment.id);
      if (key === undefined || key === own || !isCutComment(comment)) return comment;
      return { ...comment, pathname: `${comment.pathname} · ${key.slice(0, 6)}` };
    });
  }

  #isCut(url: string): boolean {
    const redacted = this.#redactUrl(url);
    return URL.canParse(redacted) && placeOf(redacted) !== placeOf(url);
  }

  #key(): Promise<CryptoKey> {
    this.#secret ??= this.#load().catch((failure: unknown) => {
      this.#secret = undefined;
      throw failure;
    });
    return this.#secret;
  }

  async #load(): Promise<CryptoKey> {
    const fresh = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    // In one transaction: two that ask at once get the same.
    const secret = await this.#store.run(async (db) => {
      const tx = db.transaction('keys', 'readwrite', { durability: 'strict' });
      const known = await tx.store.get(SECRET);
      if (!known) await tx.store.put(fresh, SECRET);
      await tx.done;
      return known ?? fresh;
    });
    return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  }
}

/** What tells pages of an origin apart: the path, and the route of a router that lives behind `#`. */
function placeOf(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + (/^#!?\//.test(hash) ? hash : '');
}

/** What is redacted in it, as an address writes it. */
const CUT = /\[redacted\]|%5Bredacted%5D/i;

function isCutComment({ url }: Comment): boolean {
  return URL.canParse(url) && CUT.test(placeOf(url));
}
