/**
 * Text that a person has not saved yet, by page: here while they type, and with the background so that neither a reload
 * nor a crash of the page takes it away. A new comment's text is kept by the page's path, a reply's by `reply:` and the
 * comment, that of an edited comment by `edit:` and it, an answer's by `answer:` and what was asked. Pages whose paths
 * differ only in what is redacted are told apart here by the path itself, and in the background by a key of it.
 */
import { redactUrl } from '../../capture/redact';
import type { Typed } from '../../state/draft';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { pathOf } from '../state/path';

/** Typing is not told letter by letter. */
const TELL_AFTER_MS = 250;

/**
 * Where a text belongs. Asked for once, when its field opens: the app may have gone on to another page by the time it
 * is saved.
 */
export interface DraftPlace {
  /** Key of the text in this page: a redacted path is the path of several pages. */
  readonly key: string;
  readonly pathname: string;
  readonly url: string;
}

/**
 * The place of what is written now. `pathname`: the redacted path of this page, or `reply:` or `edit:` and a comment,
 * or `answer:` and what was asked.
 */
export function placeHere(pathname: string): DraftPlace {
  const key = pathname.startsWith('/') ? location.pathname : pathname;
  return { key, pathname, url: location.href };
}

export class Drafts {
  private readonly texts: Map<string, string>;
  private readonly untold = new Map<string, { pathname: string; url: string; typed?: Typed }>();
  /**
   * The field that is open for each text, by what was typed into it last: what that tells of itself is older than what
   * is told here after it. Of a field that was there before nothing is told: it may have told more of itself than was
   * heard here.
   */
  private readonly typed = new Map<string, Typed>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `kept`: what the background has, by pathname. */
  constructor(kept: Record<string, string>, signal: AbortSignal) {
    const here = pathOf(redactUrl(location.href));
    this.texts = new Map(
      Object.entries(kept).map(([pathname, text]) => [
        pathname === here ? location.pathname : pathname,
        text,
      ]),
    );
    // The last letters before the page goes.
    window.addEventListener('pagehide', () => this.tell(), { signal });
    signal.addEventListener('abort', () => clearTimeout(this.timer));
  }

  /** What was written there and not saved; empty when nothing was. */
  of(place: DraftPlace): string {
    return this.texts.get(place.key) ?? '';
  }

  /** Where something is kept, by the beginning of its key. */
  keys(beginning: string): string[] {
    return [...this.texts.keys()].filter((key) => key.startsWith(beginning));
  }

  /** Another field takes the place of the one before. */
  opened({ key }: DraftPlace): void {
    this.typed.delete(key);
  }

  /**
   * Keeps a text; an empty one forgets it. `typed`: in a frame; without it an empty text was saved, and another typed
   * into the page.
   */
  keep({ key, pathname, url }: DraftPlace, text: string, typed?: Typed): void {
    if (text.trim()) this.texts.set(key, text);
    else this.texts.delete(key);
    if (typed) this.typed.set(key, typed);
    else if (text) this.typed.delete(key);
    const last = this.typed.get(key);
    this.untold.set(key, { pathname, url, ...(last ? { typed: last } : {}) });
    if (!text) this.tell();
    // A field in a frame tells the background itself, whatever becomes of this page; here it is told as the page goes,
    // should that have failed.
    else if (!typed) this.timer ??= setTimeout(() => this.tell(), TELL_AFTER_MS);
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [key, page] of this.untold) {
      this.untold.delete(key);
      const draft = { ...page, text: this.texts.get(key) ?? '' };
      ask('keep_draft', draft).catch((error) => {
        console.debug(`opentoolbar: ${sentence(error)}`);
        // Told again with what is written next, or as the page goes.
        if (!this.untold.has(key)) this.untold.set(key, page);
      });
    }
  }
}
