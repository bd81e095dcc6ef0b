/**
 * What code the documents of an origin had. A server may send several pages at one address (a form to log in, the steps
 * of a wizard, an error), which come in each other's place by use. What a page is made of tells them apart: most kinds
 * of elements outlive an edit, and few are those of another page. Each page is compared with itself as it was last; so
 * an edit counts, and so does its undoing. Pure.
 */
import type { StoredSources } from './store';

type Documents = NonNullable<StoredSources['documents']>;
type Page = Documents[number][1][number];

/** Documents of one origin. */
export const MAX_DOCUMENTS = 500;
/** Pages at one address. */
export const MAX_PAGES = 8;
/** Pieces of code that are told of one document. */
export const MAX_PIECES = 32;
/** Kinds of elements by which two pages are compared. */
export const MAX_KINDS = 16;

export interface SeenDocument {
  /** A hash of its address. */
  address: string;
  /** Of the hashes of its pieces of code the first in order, `MAX_PIECES` at most, with spaces between. */
  code: string;
  /** Of the hashes of its kinds of elements the first in order, `MAX_KINDS` at most, with spaces between. */
  kinds: string;
}

/**
 * Takes a document that began to be loaded at `at`. `changedAt`: when the code of this page took the place of other
 * code of it; 0 when none ever did. Pages and documents that were seen longest ago go.
 */
export function notedDocument(
  before: Documents,
  { address, code, kinds }: SeenDocument,
  at: number,
): { documents: Documents; changedAt: number } {
  const pages = before.find(([other]) => other === address)?.[1] ?? [];
  const own = mostAlike(pages, kinds);
  const since = own?.[2] ?? 0;
  const changedAt = own && isOther(own[1], code) ? at : since;
  const page: Page = [kinds, code, changedAt];
  const kept = [...pages.filter((each) => each !== own), page].slice(-MAX_PAGES);
  const rest = before.filter(([other]) => other !== address);
  return { documents: [...rest, [address, kept] as Documents[number]].slice(-MAX_DOCUMENTS), changedAt };
}

/** The page that this one is, at least half of it. */
function mostAlike(pages: readonly Page[], kinds: string): Page | undefined {
  let [best, most]: [Page | undefined, number] = [undefined, 0.5];
  for (const page of pages) {
    const alike = likeness(page[0], kinds);
    if (alike >= most) [best, most] = [page, alike];
  }
  return best;
}

/** Which share of all kinds of two pages both have, from 0 to 1: of those that come first, which are as good as any. */
function likeness(one: string, other: string): number {
  const [some, others] = [partsOf(one), partsOf(other)];
  const all = [...new Set([...some, ...others])].sort().slice(0, MAX_KINDS);
  const both = all.filter((kind) => some.includes(kind) && others.includes(kind));
  return all.length === 0 ? 1 : both.length / all.length;
}

/**
 * One more piece is merely new, and one that is gone may be shown to others alone: some have to have gone and others to
 * have come.
 */
function isOther(before: string, now: string): boolean {
  const [old, own] = [partsOf(before), partsOf(now)];
  return lacks(own, old) && lacks(old, own);
}

/** Whether it has not all of the others. Of a list that is full nobody knows what comes behind its last. */
function lacks(pieces: readonly string[], others: readonly string[]): boolean {
  const last = pieces.length < MAX_PIECES ? undefined : pieces.at(-1);
  return others.some((piece) => !pieces.includes(piece) && (last === undefined || piece < last));
}

const partsOf = (list: string) => list.split(' ').filter((part) => part !== '');
