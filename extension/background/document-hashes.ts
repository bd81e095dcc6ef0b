/**
 * Which kinds of elements the documents of an origin were made of, and what they said, as hashes. Another kind and
 * other words may be an edit of the template or use (a notice, a person who is logged in, other rows): nobody can tell.
 * What was seen at the address before, under the same source, says nothing. Pure.
 */
import type { HashesByDocument } from './store';

type Seen = HashesByDocument[number][1][number];

/** Documents of one origin. */
export const MAX_DOCUMENTS = 500;
/**
 * Of one document. One that was made of more kinds is made by its data, and says nothing any more; of words the last
 * ones are kept.
 */
export const MAX_SEEN = 8;

/** In place of the hash of a document that nobody could read. */
const UNREAD = 'unread';

export interface SeenHash {
  /** A hash of the document's address. */
  address: string;
  /** A hash of its kinds of elements, or of its words. */
  hash: string;
  /**
   * When the source last changed, as far as its page knows, milliseconds since the epoch: what was seen before that is
   * forgotten.
   */
  changedAt: number;
}

export interface NotedHash {
  noted: HashesByDocument;
  /** When its like came in place of others; 0 where it is the first under its source, or one of many kinds. */
  since: number;
}

/** Takes what a document was made of that began to be loaded at `at`. */
export function notedSkeleton(
  before: HashesByDocument,
  { address, hash, changedAt }: SeenHash,
  at: number,
): NotedHash {
  const { own, others } = seenBefore(before, address, hash, changedAt);
  const isData = !own && others.length >= MAX_SEEN;
  const since = own ? own[1] : others.length === 0 || isData ? 0 : at;
  const seen = isData ? others : [...others, lastUsed(hash, since, at, own)];
  return { noted: withSeen(before, address, seen), since };
}

/**
 * Takes what a document said that began to be loaded at `at`. However often it said something else: one more may be an
 * edit.
 */
export function notedWords(
  before: HashesByDocument,
  { address, hash, changedAt }: SeenHash,
  at: number,
): NotedHash {
  const { own, others } = seenBefore(before, address, hash, changedAt);
  const since = own ? own[1] : others.length === 0 ? 0 : at;
  return {
    noted: withSeen(before, address, [...others, lastUsed(hash, since, at, own)].slice(-MAX_SEEN)),
    since,
  };
}

/**
 * What is left when a person said at `at` of what is shown at this address that it is what a comment is about: whatever
 * was seen there before is another document for it. Without a hash nobody can tell which one is shown: then each that
 * comes is another.
 */
export function withoutOthers(
  before: HashesByDocument,
  { address, hash = UNREAD }: { address: string; hash?: string | undefined },
  at: number,
): HashesByDocument {
  const known = before.find(([other]) => other === address)?.[1] ?? [];
  const own = known.find(([other]) => other === hash);
  return withSeen(before, address, [lastUsed(hash, own?.[1] ?? 0, at, own)]);
}

/** Of this document under the source of now: the one with this hash, and the others. */
function seenBefore(before: HashesByDocument, address: string, hash: string, changedAt: number) {
  const known = before.find(([other]) => other === address)?.[1] ?? [];
  const same = known.filter(([, , usedAt]) => usedAt >= changedAt);
  const own = same.find(([other]) => other === hash);
  return { own, others: same.filter((one) => one !== own) };
}

const lastUsed = (hash: string, since: number, at: number, before: Seen | undefined): Seen => [
  hash,
  since,
  Math.max(at, before?.[2] ?? 0),
];

/** The last used stands at the end. */
function withSeen(before: HashesByDocument, address: string, seen: Seen[]): HashesByDocument {
  const rest = before.filter(([other]) => other !== address);
  return [...rest, [address, seen] as HashesByDocument[number]].slice(-MAX_DOCUMENTS);
}
