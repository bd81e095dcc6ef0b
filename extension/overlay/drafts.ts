/**
 * Text that a person has not saved yet, by page: here while they type, and with the background so that neither a reload nor
 * a crash of the page takes it away. A new comment's text is kept by the page's path, a reply's by `reply:` and the comment. Pages
 * whose paths differ only in what is redacted are told apart here by the path itself, and in the background by a key of it.
 */
import { redactUrl } from '../capture/redact';
import { ask } from './link';
import { pathOf, sentence } from './words';

/** Typing is not told letter by letter. */
const TELL_AFTER_MS = 250;

export class Drafts {
  private readonly texts: Map<string, string>;
  private readonly untold = new Map<string, { pathname: string; url: string }>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `kept`: what the background has, by pathname. */
  constructor(kept: Record<string, string>, signal: AbortSignal) {
    const here = pathOf(redactUrl(location.href));
    this.texts = new Map(
      Object.entries(kept).map(([pathname, text]) => [pathname === here ? placeOf(here) : pathname, text]),
    );
    // The last letters before the page goes.
    window.addEventListener('pagehide', () => this.tell(), { signal });
    signal.addEventListener('abort', () => clearTimeout(this.timer));
  }

  /** What was written on this page and not saved; empty when nothing was. */
  of(pathname: string): string {
    return this.texts.get(placeOf(pathname)) ?? '';
  }

  /** Keeps a text; an empty one forgets it. */
  keep(pathname: string, text: string): void {
    const place = placeOf(pathname);
    if (text.trim()) this.texts.set(place, text);
    else this.texts.delete(place);
    this.untold.set(place, { pathname, url: location.href });
    if (!text) this.tell();
    else this.timer ??= setTimeout(() => this.tell(), TELL_AFTER_MS);
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [place, page] of this.untold) {
      ask('keep_draft', { ...page, text: this.texts.get(place) ?? '' }).catch((error) =>
        console.debug(`opentoolbar: ${sentence(error)}`),
      );
    }
    this.untold.clear();
  }
}

/** Where a text belongs in this page: a redacted path is the path of several pages. */
function placeOf(pathname: string): string {
  return pathname.startsWith('/') ? location.pathname : pathname;
}
