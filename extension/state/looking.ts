/** What a page's script and the background know of comments' elements and of the page's source. */
import type { Evidence } from '../generated/Evidence';
import type { Judged } from '../generated/Judged';
import type { TargetState } from '../generated/TargetState';
import type { Varied } from '../generated/Varied';

/** What looking for one target says: a verdict and what it comes from, or why it cannot be looked for. */
export type Finding = Found | { unreadable: string };

export interface Found extends Omit<Judged, 'look'> {
  /** Why it was thought that the source changed. */
  evidence: Evidence;
  /** It is about a change of the source that nobody who reported knew of: everyone is to be told. */
  counts: boolean;
}

/** What a page knows of its source; moments are milliseconds since the epoch. */
export interface PageSource {
  /** When it began to be loaded. */
  began: number;
  /** When something that it loads took the place of other content; 0: never, as far as is known. */
  changedAt: number;
  /** Changes of the project's files up to this moment show in it; those before it was loaded do in any case. */
  filesUntil: number;
  /** Its dev server tells it of every change. */
  isServedHot: boolean;
  /** It cannot tell whether its source changed before it was loaded, or not yet. */
  isUnknown: boolean;
  /**
   * Since when its document is made of other kinds of elements or says something else than before, cannot be read, or
   * was fetched again by the open page, while nothing tells whether that is an edit of its source or use; 0: none of
   * that, or something would tell.
   */
  madeOtherAt: number;
}

/** A script or a style sheet that a page loaded. */
export interface SeenSource {
  /** A hash of its address. */
  address: string;
  /** A hash of its content. */
  hash: string;
}

/** What a content script saw of one comment. */
export interface SightingReport {
  commentId: string;
  /** One for each of its targets; null: it stays as it is. */
  states: (TargetState | null)[];
  /** One for each, where it was seen to vary in something new. */
  varied?: Varied[][] | undefined;
}
