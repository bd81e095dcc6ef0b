/** What overlay and pins share about this page. Plain signals; knows no DOM beyond elements and no messaging. */
import { computed, signal } from '@preact/signals';
import { commentNumbers } from '../design/comment-number';
import type { Comment } from '../generated/Comment';
import type { Connection } from '../messages';

/** A short message at the bottom, read out by screen readers. */
export interface Notice {
  text: string;
  kind: 'info' | 'error';
  action?: { label: string; run: () => void };
}

export function createState(address: string) {
  /** All comments of this origin, deleted ones included. */
  const comments = signal<readonly Comment[]>([]);
  const url = signal(address);
  const pathname = computed(() => pathOf(url.value));
  return {
    comments,
    url,
    pathname,
    connection: signal<Connection | null>(null),
    picking: signal(false),
    /** Elements picked so far, in order. */
    picked: signal<readonly Element[]>([]),
    /** The comment that the next pick pins anew. */
    repinning: signal<string | null>(null),
    /** The comment box is open on the picked elements. */
    composing: signal(false),
    /** The comment whose thread is open. */
    opened: signal<string | null>(null),
    notice: signal<Notice | null>(null),
    numbers: computed(() => commentNumbers(comments.value)),
    /** Comments of this page as it is now, oldest first. */
    here: computed(() =>
      comments.value
        .filter((comment) => comment.pathname === pathname.value && comment.deletedAt === undefined)
        .sort((a, b) => a.createdAt - b.createdAt),
    ),
  };
}

export type State = ReturnType<typeof createState>;

export function pathOf(address: string): string {
  try {
    return new URL(address).pathname || '/';
  } catch {
    return '/';
  }
}

/** A sentence for people out of whatever was thrown. */
export function sentence(error: unknown): string {
  return error instanceof Error && error.message ? error.message : 'Something went wrong. Try again.';
}

/** Puts a comment's newer form in its place. An older revision that arrives late is dropped. */
export function upsert(state: State, comment: Comment): void {
  const others = state.comments.value.filter((each) => each.id !== comment.id);
  const known = state.comments.value.find((each) => each.id === comment.id);
  if (known && known.revision > comment.revision) return;
  state.comments.value = [...others, comment];
}
