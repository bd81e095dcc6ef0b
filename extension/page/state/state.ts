/** What the features share about this page. Plain signals; knows no DOM beyond elements and no messaging. */

import { computed, signal } from '@preact/signals';
import { withKnownNumber } from '../../design/comment-name';
import type { AnnotationRequest } from '../../generated/AnnotationRequest';
import type { Comment } from '../../generated/Comment';
import { NO_APPROVALS, type PageApprovals } from '../../state/approvals';
import type { PageConnection, UnseenAnswers } from '../../state/page';
import type { Left } from '../../verdict/since';
import { pathOf } from './path';
import { createPick } from './pick';
import { hasPin } from './shown';

/** A short message at the bottom, read out by screen readers. */
export interface Notice {
  text: string;
  kind: 'info' | 'error';
  action?: {
    label: string;
    run: () => void;
    /** Of an Undo: the comment as the step left it. */
    left?: Left;
  };
}

export function createState(address: string) {
  /** Comments whose pins are drawn although they are resolved long since: the person asked to see them. */
  const revealed = signal<ReadonlySet<string>>(new Set());
  /** All comments of this origin, deleted ones included. */
  const comments = signal<readonly Comment[]>([]);
  const url = signal(address);
  const pathname = computed(() => pathOf(url.value));
  /** Comments of this page as it is now, oldest first. */
  const here = computed(() =>
    comments.value
      .filter((comment) => comment.pathname === pathname.value && comment.deletedAt === undefined)
      .sort((a, b) => a.createdAt - b.createdAt),
  );
  const pick = createPick();
  const opened = signal<string | null>(null);
  return {
    comments,
    url,
    pathname,
    connection: signal<PageConnection | null>(null),
    ...pick,
    /** The person wants no pins to be seen for now. */
    pinsHidden: signal(false),
    /** What agents ask the person to point at. */
    annotations: signal<readonly AnnotationRequest[]>([]),
    /** What they answered and nobody has seen. */
    answers: signal<UnseenAnswers>({ chat: 0, comments: [] }),
    /** What waits for the person's yes or no in this page's project. */
    approvals: signal<PageApprovals>(NO_APPROVALS),
    /** The comment whose thread is open. */
    opened,
    /** The same comment, as long as its thread is seen. */
    thread: computed(() =>
      pick.composing.value ? null : (here.value.find(({ id }) => id === opened.value) ?? null),
    ),
    /** Whether the person wants pages of other sites to be seen in pictures of this one. */
    showsEmbedded: signal(false),
    notice: signal<Notice | null>(null),
    here,
    revealed,
    /** Those of `here` that have a pin. */
    pinned: computed(() => {
      const now = Date.now();
      return here.value.filter((comment) => hasPin(comment, now) || revealed.value.has(comment.id));
    }),
  };
}

export type State = ReturnType<typeof createState>;

/** Puts a comment's newer form in its place. An older revision that arrives late is dropped. */
export function upsert(state: State, comment: Comment): void {
  const others = state.comments.value.filter((each) => each.id !== comment.id);
  const known = state.comments.value.find((each) => each.id === comment.id);
  if (known && known.revision > comment.revision) return;
  state.comments.value = [...others, withKnownNumber(comment, known)];
}
