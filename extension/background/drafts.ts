/**
 * Text that people have not saved yet, for as long as its tab lives: a reload, a crash of the page and a restart of the
 * background leave it. In memory only (`storage.session`), because it may be anything.
 */
import { browser } from 'wxt/browser';

/** Pages of one tab whose text is kept; the one that was written longest ago goes first. */
const MOST_PAGES = 20;

type Kept = Record<string, string>;

export class Drafts {
  /** Writes follow one another: each reads what the one before has written. */
  #last: Promise<unknown> = Promise.resolve();

  /** By pathname. `pageKey`: of the page that asks, where its pathname is redacted; another page's text is not for it. */
  async of(tabId: number, origin: string, pageKey?: string): Promise<Record<string, string>> {
    await this.#last;
    const own: Record<string, string> = {};
    for (const [place, text] of Object.entries(await read(tabId))) {
      const [site, pathname = '', key] = place.split(' ');
      if (site === origin && (key === undefined || key === pageKey)) own[pathname] = text;
    }
    return own;
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
