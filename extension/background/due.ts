/**
 * What a page's evidence says of one target: whether its source may have changed since this tab last looked at it, and
 * whether what is found may be told to everyone. Pure; all moments are milliseconds since the epoch.
 */
import type { Comment } from '../generated/Comment';
import type { Evidence } from '../generated/Evidence';
import type { PageSource } from '../state/looking';
import type { LookedAt, StoredLook } from './store';

/** What the hub said of the files of a page's project. */
export interface FilesWord {
  /** The latest change of any of them; absent: there was none, or it cannot tell. */
  at?: number;
  /** The files that were asked for and that it knows: when each changed; 0: it did not. */
  files: ReadonlyMap<string, number>;
}

export interface Due {
  evidence: Evidence;
  /**
   * What is found is about a change of source that nobody who reported knew of, or this tab reported last and takes it
   * back.
   */
  counts: boolean;
  /** When it was looked at last: files that changed later may show in what differs. */
  since: number;
  /** Up to when the source is looked at with this judgement. */
  judgedAt: number;
  /**
   * The same where nothing differs: a change of files need not show in the open page before it is loaded again, and
   * what a document that is made of something else shows as it was is none of what nobody can tell of.
   */
  judgedIfSame: number;
  /** It was pinned on this very page, and nothing is known of it since. */
  isPinnedHere: boolean;
  /** What this tab last saw of it, which the element is compared with; null: nothing. */
  before: LookedAt | null;
}

/** `look`: what this tab last saw of the comment; absent in a new tab. */
export function dueOf(
  comment: Comment,
  at: number,
  page: PageSource,
  words: readonly FilesWord[],
  look: StoredLook | undefined,
): Due {
  const target = comment.targets[at];
  const checkedAt = target?.state?.checkedAt ?? 0;
  const pinned = pinnedAt(comment);
  const file = target?.snapshot.source?.file;
  const last = look?.targets[at] ?? null;
  // Whoever can tell what changed since something was known need not ask what was seen while nobody could.
  const before = words.some((word) => tellsOfBefore(file, page, word)) ? (last?.known ?? last) : last;
  const judgedAt = before?.judgedAt ?? Math.max(pinned, checkedAt);
  const files = Math.max(0, ...words.map((word) => filesChanged(file, page, word)));
  // A file is dated by its own clock: what was pinned after that was pinned to the new source. What a page loaded is
  // dated by the page.
  const counted = files > Math.max(judgedAt, pinned) ? files : 0;
  const latest = Math.max(page.changedAt, counted);
  const shown = Math.max(page.changedAt, counted <= page.began ? counted : 0);
  const isNew = latest > judgedAt;
  const isReported = look?.reportedAt !== undefined && look.reportedAt === target?.state?.checkedAt;
  // A page that was loaded since lost its state; one in which it was looked at before kept it.
  const kind = judgedAt >= page.began ? 'hot' : 'loaded';
  const isOther = page.madeOtherAt > judgedAt;
  const cannotTell = isOther || (page.isUnknown && page.began > judgedAt);
  return {
    evidence: isNew ? kind : cannotTell ? 'unknown' : 'none',
    counts: isNew ? latest > checkedAt || isReported : isReported && !cannotTell,
    since: judgedAt,
    // One of which nothing can be told is not looked at by that.
    judgedAt: cannotTell && !isNew ? judgedAt : Math.max(page.began, latest),
    judgedIfSame:
      page.isUnknown && cannotTell && !isNew ? judgedAt : Math.max(page.began, shown, page.madeOtherAt),
    isPinnedHere: before === null && pinned >= page.began,
    before,
  };
}

/**
 * When the files changed that this element comes from, as far as the page can show it: before it was loaded, or when it
 * is being looked at because of that very change. Of a page that is told of every change by its dev server only the
 * element's own file counts: other files are no part of it, or come as what it loads.
 */
function filesChanged(file: string | undefined, page: PageSource, word: FilesWord): number {
  const at = lastChange(file, page, word);
  if (at <= page.began || at <= page.filesUntil) return at;
  // It was saved while the page was on its way.
  return at < page.began + ON_ITS_WAY_MS ? page.began : 0;
}

/** The last change of the files that this element comes from; 0: there was none. */
function lastChange(file: string | undefined, page: PageSource, word: FilesWord): number {
  const own = file === undefined ? undefined : word.files.get(file);
  return own ?? (page.isServedHot ? 0 : (word.at ?? 0));
}

/** Whether it says what changed until the page was loaded: a change since then hides those before it. */
function tellsOfBefore(file: string | undefined, page: PageSource, word: FilesWord): boolean {
  return lastChange(file, page, word) < page.began + ON_ITS_WAY_MS;
}

/** From the beginning of a load to the moment at which the page is there. */
const ON_ITS_WAY_MS = 1_000;

/** When its elements were last pinned, by a person. */
export function pinnedAt({ createdAt, history }: Comment): number {
  return history.reduce(
    (last, { at, what }) => (what.startsWith('pinned to') ? Math.max(last, at) : last),
    createdAt,
  );
}
