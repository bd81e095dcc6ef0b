/**
 * Which answers of agents were on the screen: those are seen. What the list has below its fold is not, nor what is in a
 * panel that nobody sees.
 */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Platform } from '../platform/platform';
import type { WatchedTab } from '../tab/tab';

/** Close enough to tell half of an answer that is many times as high as the panel. */
const THRESHOLDS = Array.from({ length: 41 }, (_, step) => step / 40);

export class SeenAnswers {
  /** Comments whose latest answer is on the screen. */
  readonly #inView = signal<ReadonlySet<string>>(new Set());
  readonly #commentOf = new Map<Element, string>();
  readonly #end: () => void;
  readonly #tab: WatchedTab;
  #observer: IntersectionObserver | undefined;

  /** `isVisible`: whether anybody can see the panel. */
  constructor(platform: Platform, tab: WatchedTab, isVisible: ReadonlySignal<boolean>) {
    this.#tab = tab;
    this.#end = effect(() => {
      const state = tab.state.value;
      const inView = this.#inView.value;
      if (!state || !isVisible.value) return;
      const commentIds = state.answers.comments.filter((id) => inView.has(id));
      if (commentIds.length === 0) return;
      platform.ask('seen_answers', { tabId: state.tabId, commentIds }).catch(() => {
        // The next change tries again.
      });
    });
  }

  /** Whether an agent answered it and nobody has seen that. */
  isUnseen(commentId: string): boolean {
    return this.#tab.state.value?.answers.comments.includes(commentId) ?? false;
  }

  /** Looks whether this, which is the answer, comes on the screen, until the returned function is called. */
  watch(answer: Element, commentId: string): () => void {
    this.#observer ??= new IntersectionObserver((entries) => this.#look(entries), { threshold: THRESHOLDS });
    this.#commentOf.set(answer, commentId);
    this.#observer.observe(answer);
    return () => {
      this.#observer?.unobserve(answer);
      this.#commentOf.delete(answer);
      this.#set([[commentId, false]]);
    };
  }

  end(): void {
    this.#observer?.disconnect();
    this.#end();
  }

  #look(entries: readonly IntersectionObserverEntry[]): void {
    this.#set(
      entries.flatMap((entry) => {
        const commentId = this.#commentOf.get(entry.target);
        return commentId === undefined ? [] : [[commentId, isRead(entry)] as const];
      }),
    );
  }

  #set(changes: readonly (readonly [string, boolean])[]): void {
    const before = this.#inView.peek();
    if (changes.every(([id, isIn]) => before.has(id) === isIn)) return;
    const now = new Set(before);
    for (const [id, isIn] of changes) {
      if (isIn) now.add(id);
      else now.delete(id);
    }
    this.#inView.value = now;
  }
}

/** At least half of it is on the screen, or, where it is higher than the list, it fills half of that. */
function isRead({ isIntersecting, intersectionRect, boundingClientRect, target }: IntersectionObserverEntry) {
  const room = target.closest('.view')?.clientHeight || window.innerHeight;
  return isIntersecting && intersectionRect.height >= Math.min(boundingClientRect.height, room) / 2;
}
