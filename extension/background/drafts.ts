/**
 * Text that people have not saved yet, for as long as its tab lives: a reload, a crash of the page and a restart of the
 * background leave it. In memory only (`storage.session`), because it may be anything.
 */
import { browser } from 'wxt/browser';
import type { Draft, Typed } from '../state/draft';
import { mustBeOf } from './page-address';
import type { PageKeys } from './page-keys';

/** Pages of one tab whose text is kept; the one that was written longest ago goes first. */
const MOST_PAGES = 20;

/** Fields whose last text is known by its number. */
const MOST_FIELDS = 200;

type Kept = Record<string, string>;

/**
 * Keeps what was typed on a page of this origin. `isByField`: the field tells it itself, whatever its page does. That
 * and what the page tells as it goes, or of a text that was saved, cross one another.
 */
export async function keepDraft(
  { drafts, pages }: { drafts: Drafts; pages: Pick<PageKeys, 'of'> },
  { tabId, origin }: { tabId: number; origin: string },
  { pathname, url, text, typed }: Draft,
  isByField: boolean,
): Promise<void> {
  mustBeOf(origin, url);
  // A reply and an edit are their comment's, wherever they are written.
  const key = pathname.startsWith('/') ? await pages.of(url) : undefined;
  // Not before the key is known: of two that ask for theirs at once the later may have it first.
  if (typed && !drafts.isNews(typed, isByField)) return;
  await drafts.keep(tabId, origin, pathname, text, key);
}

export class Drafts {
  /** Writes follow one another: each reads what the one before has written. */
  #last: Promise<unknown> = Promise.resolve();
  /** How many texts of a field were known, by its secret; the oldest comes first. */
  readonly #typed = new Map<string, number>();

  /**
   * By pathname. `pageKey`: of the page that asks, where its pathname is redacted; another page's text is not for it.
   */
  async of(tabId: number, origin: string, pageKey?: string): Promise<Record<string, string>> {
    await this.#last;
    const own: Record<string, string> = {};
    for (const [place, text] of Object.entries(await read(tabId))) {
      const [site, pathname = '', key] = place.split(' ');
      if (site === origin && (key === undefined || key === pageKey)) own[pathname] = text;
    }
    return own;
  }

  /**
   * Whether a text of a field is newer than what is known of it. What the page says of the same text is: it may have
   * been saved.
   */
  isNews({ secret, count }: Typed, isByField: boolean): boolean {
    const known = this.#typed.get(secret) ?? -1;
    if (count < known || (isByField && count === known)) return false;
    this.#typed.delete(secret);
    this.#typed.set(secret, count);
    const [oldest] = this.#typed.keys();
    if (this.#typed.size > MOST_FIELDS && oldest !== undefined) this.#typed.delete(oldest);
    return true;
  }

  /** Keeps a page's text; an empty one forgets it. */
  keep(tabId: number, origin: string, pathname: string, text: string, pageKey?: string): Promise<void> {
    return this.#then(async () => {
      // None of them has a space.
      const page = [
        origin,
        pathname.replaceAll(' ', '%20'),
        ...(pageKey === undefined ? [] : [pageKey]),
      ].join(' ');
      const { [page]: _, ...others } = await read(tabId);
      const all = text ? { ...others, [page]: text } : others;
      await browser.storage.session.set({
        [keyOf(tabId)]: Object.fromEntries(Object.entries(all).slice(-MOST_PAGES)),
      });
    });
  }

  /** The tab is closed. */
  forget(tabId: number): Promise<void> {
    return this.#then(() => browser.storage.session.remove(keyOf(tabId)));
  }

  #then(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

const keyOf = (tabId: number) => `drafts:${tabId}`;

async function read(tabId: number): Promise<Kept> {
  const key = keyOf(tabId);
  return ((await browser.storage.session.get(key))[key] ?? {}) as Kept;
}
