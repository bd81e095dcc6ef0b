/**
 * Which kinds of elements the documents of an origin were made of, as hashes. Another kind may be an edit of the template or use (a
 * notice, a person who is logged in): nobody can tell. What was seen at the address before, under the same source, says nothing. Pure.
 */
import type { StoredSources } from './store';

type Skeletons = NonNullable<StoredSources['skeletons']>;

/** Documents of one origin. */
export const MAX_DOCUMENTS = 500;
/** Of one document; one that was made in more ways is made by its data, and says nothing any more. */
export const MAX_SKELETONS = 8;

export interface SeenSkeleton {
  /** A hash of the document's address. */
  address: string;
  /** A hash of its kinds of elements. */
  skeleton: string;
  /** When the source last changed, as far as its page knows, milliseconds since the epoch: what was seen before that is forgotten. */
  changedAt: number;
}

/**
 * Takes what a document was made of that began to be loaded at `at`. `since`: when its like came in place of others; 0 where it is the
 * first under its source, or one of many.
 */
export function notedSkeleton(
  before: Skeletons,
  { address, skeleton, changedAt }: SeenSkeleton,
  at: number,
): { skeletons: Skeletons; since: number } {
  const known = before.find(([other]) => other === address)?.[1] ?? [];
  const same = known.filter(([, , usedAt]) => usedAt >= changedAt);
  const own = same.find(([hash]) => hash === skeleton);
  const others = same.filter((one) => one !== own);
  const isData = !own && others.length >= MAX_SKELETONS;
  const since = own ? own[1] : others.length === 0 || isData ? 0 : at;
  const seen: Skeletons[number][1] = isData
    ? others
    : [...others, [skeleton, since, Math.max(at, own?.[2] ?? 0)]];
  // The last used stands at the end.
  const rest = before.filter(([other]) => other !== address);
  return { skeletons: [...rest, [address, seen] as Skeletons[number]].slice(-MAX_DOCUMENTS), since };
}
