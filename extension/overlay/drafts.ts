/**
 * Text that a person has not saved yet, by page: here while they type, and with the background so that neither a reload nor
 * a crash of the page takes it away. A new comment's text is kept by the page's path, a reply's by `reply:` and the comment.
 */
import { ask } from './link';
import { sentence } from './words';

/** Typing is not told letter by letter. */
const TELL_AFTER_MS = 250;

export class Drafts {
  private readonly texts: Map<string, string>;
  private readonly untold = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `kept`: what the background has, by pathname. */
  constructor(kept: Record<string, string>, signal: AbortSignal) {
    this.texts = new Map(Object.entries(kept));
    // The last letters before the page goes.
    window.addEventListener('pagehide', () => this.tell(), { signal });
    signal.addEventListener('abort', () => clearTimeout(this.timer));
  }

  /** What was written on this page and not saved; empty when nothing was. */
  of(pathname: string): string {
    return this.texts.get(pathname) ?? '';
  }

  /** Keeps a text; an empty one forgets it. */
  keep(pathname: string, text: string): void {
    if (text.trim()) this.texts.set(pathname, text);
    else this.texts.delete(pathname);
    this.untold.add(pathname);
    if (!text) this.tell();
    else this.timer ??= setTimeout(() => this.tell(), TELL_AFTER_MS);
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const pathname of this.untold) {
      ask('keep_draft', { pathname, text: this.of(pathname) }).catch((error) =>
        console.debug(`opentoolbar: ${sentence(error)}`),
      );
    }
    this.untold.clear();
  }
}
