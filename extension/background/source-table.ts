/**
 * What scripts and style sheets of each origin contained when a page last loaded them, as hashes. Content that took the
 * place of other content at the same address is evidence that the source changed; an address that is new says nothing.
 * Beside it what is known of the origin's documents.
 */
import type { SeenSource } from '../state/looking';
import { notedSkeleton, notedWords, withoutOthers } from './document-hashes';
import { notedDocument, type SeenDocument } from './documents';
import { type HashesByDocument, readIn, type Store, type StoredSources } from './store';

/** Addresses of one origin. */
export const MAX_ADDRESSES = 2_000;
export const MAX_ORIGINS = 50;

/**
 * Takes what a page loaded at `at`, milliseconds since the epoch. `changedAt`: when the latest content among it took
 * the place of other content; 0 when none ever did. The addresses that were used longest ago go.
 */
export function noted(
  before: StoredSources | undefined,
  seen: readonly SeenSource[],
  at: number,
): { sources: StoredSources; changedAt: number } {
  const loaded = new Map((before?.loaded ?? []).map(([address, ...rest]) => [address, rest] as const));
  let changedAt = 0;
  for (const { address, hash } of seen) {
    const [known, since = 0] = loaded.get(address) ?? [];
    const now = known === undefined || known === hash ? since : at;
    changedAt = Math.max(changedAt, now);
    // The last used stands at the end.
    loaded.delete(address);
    loaded.set(address, [hash, now]);
  }
  const kept = [...loaded].slice(-MAX_ADDRESSES);
  return {
    sources: {
      ...before,
      usedAt: Math.max(at, before?.usedAt ?? 0),
      loaded: kept.map(([address, [hash, since]]) => [address, hash, since]),
    },
    changedAt,
  };
}

/** What a document was made of, and what it said. */
export interface SeenMade {
  /** A hash of its address. */
  address: string;
  /** Hashes; empty where it has no elements, or says nothing. */
  skeleton: string;
  words: string;
  /**
   * When the source last changed, as far as its page knows, milliseconds since the epoch: what was seen before that is
   * forgotten.
   */
  changedAt: number;
}

export class SourceTable {
  #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** As `noted`, of this browser's table, for all tabs. */
  async note(origin: string, seen: readonly SeenSource[], loadedAt: number): Promise<number> {
    // A moment that is yet to come would make an origin the last one to be forgotten.
    const at = Math.min(loadedAt, Date.now());
    return this.#update(origin, (before) => {
      const { sources, changedAt } = noted(before, seen, at);
      return [sources, changedAt];
    });
  }

  /** As `notedDocument`, of the same. */
  async noteDocument(origin: string, seen: SeenDocument, loadedAt: number): Promise<number> {
    const at = Math.min(loadedAt, Date.now());
    return this.#update(origin, (before) => {
      const { documents, changedAt } = notedDocument(before?.documents ?? [], seen, at);
      const usedAt = Math.max(at, before?.usedAt ?? 0);
      return [{ loaded: [], ...before, usedAt, documents }, changedAt];
    });
  }

  /** As `notedSkeleton` and `notedWords`, of the same: the later of what both say. */
  async noteMade(origin: string, seen: SeenMade, loadedAt: number): Promise<number> {
    const at = Math.min(loadedAt, Date.now());
    const { address, changedAt, skeleton, words } = seen;
    return this.#update(origin, (before) => {
      const made = notedSkeleton(before?.skeletons ?? [], { address, changedAt, hash: skeleton }, at);
      const said = notedWords(before?.words ?? [], { address, changedAt, hash: words }, at);
      const usedAt = Math.max(at, before?.usedAt ?? 0);
      const sources = { loaded: [], ...before, usedAt, skeletons: made.noted, words: said.noted };
      return [sources, Math.max(made.since, said.since)];
    });
  }

  /** As `withoutOthers`, of the same. `own`: what is shown there now; null: nobody can tell. */
  async forgetMade(
    origin: string,
    address: string,
    own: Pick<SeenMade, 'skeleton' | 'words'> | null,
    pinnedAt: number,
  ): Promise<void> {
    const at = Math.min(pinnedAt, Date.now());
    await this.#update(origin, (before) => {
      const only = (known: HashesByDocument | undefined, hash: string | undefined) =>
        withoutOthers(known ?? [], { address, hash }, at);
      const [skeletons, words] = [only(before?.skeletons, own?.skeleton), only(before?.words, own?.words)];
      return [{ loaded: [], ...before, usedAt: Math.max(at, before?.usedAt ?? 0), skeletons, words }, null];
    });
  }

  async #update<T>(
    origin: string,
    change: (before: StoredSources | undefined) => [StoredSources, T],
  ): Promise<T> {
    return this.#store.run(async (db) => {
      const tx = db.transaction('sources', 'readwrite', { durability: 'relaxed' });
      const [before, keys] = await Promise.all([readIn(tx.store.get(origin)), tx.store.getAllKeys()]);
      const [sources, answer] = change(before);
      await tx.store.put(sources, origin);
      if (!keys.includes(origin) && keys.length >= MAX_ORIGINS) {
        // One that the browser cannot read is of no use to anybody.
        const ages = await Promise.all(
          keys.map(async (key) => ({ key, usedAt: (await readIn(tx.store.get(key)))?.usedAt ?? 0 })),
        );
        const oldest = ages.reduce((one, other) => (other.usedAt < one.usedAt ? other : one));
        await tx.store.delete(oldest.key);
      }
      await tx.done;
      return answer;
    });
  }
}
