/**
 * What a page knows of its source, and from when. A state machine without a clock of its own; all moments are
 * milliseconds since the epoch, because they are compared with those of other tabs and of files.
 */
import type { PageSource } from '../../state/looking';

/** A page that is changed in place shows a change of its files within this. */
export const SHOWN_WITHIN_MS = 10_000;
/** A page that fetched its document again is made of it within this. */
export const MORPHED_WITHIN_MS = 2_000;

export class Epoch {
  private readonly began: number;
  private changedAt = 0;
  /** The last change of files while the page was open. */
  private filesAt = 0;
  private isServedHot = false;
  /** Whether the source before this page is known: by what it loads, or by the hub. Null: not yet. */
  private canTell: boolean | null = null;
  private madeOtherAt = 0;
  private hubKnows = false;
  private fetchedAt = 0;

  /** `began`: when the page began to be loaded. */
  constructor(began: number) {
    this.began = began;
  }

  /** Its dev server tells it of every change. */
  servedHot(): void {
    this.isServedHot = true;
  }

  /**
   * All that there is to know of how the page was loaded is known: whether it has something of its own that is
   * compared, whether the hub knows the project's files, and since when its document is made of something else than
   * before, or may be; 0: it is not.
   */
  read({ hasOwn, hubKnows, madeOtherAt }: { hasOwn: boolean; hubKnows: boolean; madeOtherAt: number }): void {
    this.canTell = hasOwn || hubKnows;
    this.hubKnows = hubKnows;
    this.madeOtherAt = madeOtherAt;
  }

  /** There is a hub now that knows the project's files, and that none of them changed since the page was loaded. */
  hubCame(): void {
    this.canTell = true;
    this.hubKnows = true;
  }

  /** The hub knows the project's files. */
  get isKnownToHub(): boolean {
    return this.hubKnows;
  }

  /** The open page fetched its own document again: it may be changed in place to show the source of now. */
  fetchedAgain(at: number): void {
    this.fetchedAt = Math.max(this.fetchedAt, at);
  }

  /** What it shows need not be the document that it was loaded with. */
  get wasFetchedAgain(): boolean {
    return this.fetchedAt > 0;
  }

  /** Something that it loaded took the place of other content, at `at`. Whether that is news. */
  changed(at: number): boolean {
    if (at <= this.changedAt) return false;
    this.changedAt = at;
    return true;
  }

  /** Files of the project changed. Whether that may show in the page. */
  filesChanged(at: number): boolean {
    if (this.isServedHot || at <= Math.max(this.began, this.filesAt)) return false;
    this.filesAt = at;
    return true;
  }

  /** Whether what is seen now may be kept: nothing more will be known of how the page was loaded. */
  get isRead(): boolean {
    return this.canTell !== null;
  }

  /** What a capture that began at `capturedAt` is to be judged with. */
  source(capturedAt: number): PageSource {
    const { began, changedAt, filesAt, isServedHot } = this;
    const showsFiles = capturedAt >= filesAt && capturedAt <= filesAt + SHOWN_WITHIN_MS;
    return {
      began,
      changedAt,
      filesUntil: showsFiles ? filesAt : 0,
      isServedHot,
      isUnknown: this.canTell !== true,
      madeOtherAt: this.madeOtherBy(capturedAt),
    };
  }

  /** What of the fetched document shows at that moment is all that can have been looked at. */
  private madeOtherBy(capturedAt: number): number {
    // The hub knows of an edit of the template as of any file: then the rest is use.
    if (this.hubKnows) return 0;
    const { madeOtherAt, fetchedAt } = this;
    const isMorphed = fetchedAt > 0 && capturedAt >= fetchedAt;
    return isMorphed
      ? Math.max(madeOtherAt, Math.min(capturedAt, fetchedAt + MORPHED_WITHIN_MS))
      : madeOtherAt;
  }

  /** What was seen at that moment may still turn out to be of a change of files, until then. */
  openUntil(capturedAt: number): number {
    const { filesUntil } = this.source(capturedAt);
    return filesUntil === 0 ? 0 : filesUntil + SHOWN_WITHIN_MS;
  }
}
