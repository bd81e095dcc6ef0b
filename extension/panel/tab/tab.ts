/** The one tab that the panel shows: follows it, keeps its state, and mends the line to the background by itself. */

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { redactUrl } from '../../capture/redact';
import { withKnownNumber } from '../../design/comment-name';
import type { Comment } from '../../generated/Comment';
import type { AskedView, Sight } from '../../state/ports';
import type { TabState } from '../../state/tab';
import type { Platform } from '../platform/platform';
import { pageAddress } from './page-address';
import { reuseUnchanged } from './reuse-unchanged';

/**
 * `waiting`: no state yet. `live`: the state is current. `lost`: the background does not answer; what is shown may be
 * old. `no_tab`: the tab was closed.
 */
export type Line = 'waiting' | 'live' | 'lost' | 'no_tab';

/** Pauses before the line is tried again, in milliseconds; the last one repeats. */
const RETRY_AFTER = [100, 500, 2000, 5000];
/** A background that says nothing for this long is not going to. */
const SILENT_AFTER = 4000;

export class WatchedTab {
  readonly line = signal<Line>('waiting');
  readonly state = signal<TabState | null>(null);
  readonly tabId = signal<number | null>(null);
  /** Redacted, as the addresses of comments are. */
  readonly address = computed(() => pageAddress(redactUrl(this.state.value?.url ?? '')));
  #attempt = 0;
  #endWatch = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #endFollow: () => void;

  constructor(
    private readonly platform: Platform,
    /** What the person can see in the panel. */
    private readonly sight: ReadonlySignal<Sight>,
    private readonly onChange: (before: TabState | null, after: TabState) => void,
    /** The person wants to see this view. */
    private readonly onShow: (view: AskedView) => void = () => {},
  ) {
    this.#endFollow = platform.followTab((tabId) => this.#show(tabId));
  }

  /** Tries the line again now. */
  retry(): void {
    this.#attempt = 0;
    this.line.value = 'waiting';
    this.#connect();
  }

  /** Puts a comment that the background just answered with into the state, ahead of the state that will follow. */
  accept(comment: Comment): void {
    const state = this.state.peek();
    if (!state) return;
    const comments = state.comments.some(({ id }) => id === comment.id)
      ? state.comments.map((old) =>
          old.id === comment.id && old.revision <= comment.revision ? withKnownNumber(comment, old) : old,
        )
      : [...state.comments, comment];
    this.state.value = { ...state, comments };
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#endWatch();
    this.#endFollow();
  }

  #show(tabId: number | null): void {
    clearTimeout(this.#timer);
    this.#endWatch();
    this.#attempt = 0;
    batch(() => {
      this.tabId.value = tabId;
      this.state.value = null;
      this.line.value = tabId === null ? 'no_tab' : 'waiting';
    });
    this.#connect();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#endWatch();
    this.#endWatch = () => {};
    const tabId = this.tabId.peek();
    if (tabId === null) return;
    this.#timer = setTimeout(() => this.#lost(), SILENT_AFTER);
    this.#endWatch = this.platform.watch(tabId, this.sight, {
      onState: (fresh) => {
        if (tabId !== this.tabId.peek() || fresh.tabId !== tabId) return;
        clearTimeout(this.#timer);
        this.#attempt = 0;
        const before = this.state.peek();
        const state = { ...fresh, comments: reuseUnchanged(before?.comments ?? [], fresh.comments) };
        batch(() => {
          this.line.value = 'live';
          this.state.value = state;
        });
        this.onChange(before, state);
      },
      onShow: (view) => {
        if (tabId === this.tabId.peek()) this.onShow(view);
      },
      onLost: () => {
        if (tabId === this.tabId.peek()) this.#lost();
      },
    });
  }

  #lost(): void {
    clearTimeout(this.#timer);
    // A background that was put to sleep answers the first new call; only a second failure is worth a word.
    if (this.#attempt > 0) this.line.value = 'lost';
    const pause = RETRY_AFTER[Math.min(this.#attempt, RETRY_AFTER.length - 1)];
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.#connect(), pause);
  }
}
