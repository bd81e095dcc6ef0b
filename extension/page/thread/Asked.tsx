/** An element changed while an agent worked on its comment: the person says whether that is what was asked for. */
import { useState } from 'preact/hooks';
import { CheckIcon, ReopenIcon } from '../../design/icons';
import type { Comment } from '../../generated/Comment';
import { askedHint } from '../../verdict/asked';

interface Props {
  comment: Comment;
  /** All elements are found for certain: they can be kept as they are now. */
  canAccept: boolean;
  /** None of them is on the page any more. */
  isGone: boolean;
  accept: () => Promise<void>;
  /** Gives the comment back to the agents; resolves to whether that was taken. */
  reopen: () => Promise<boolean>;
  /**
   * The person says what is missing. `thread`: the one that the button stands in; the button itself goes when it is
   * given back.
   */
  reply: (thread: Element | null) => void;
}

export function Asked({ comment, canAccept, isGone, accept, reopen, reply }: Props) {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    await work();
    setBusy(false);
  };
  return (
    <section
      class="as-asked"
      aria-label={isGone ? 'Gone, as asked?' : 'Changed, as asked?'}
      data-testid="thread-asked"
    >
      <p>{askedHint(comment.stage, isGone)}</p>
      <div class="row">
        {canAccept && !isGone && (
          <button
            type="button"
            class="button"
            data-testid="thread-accept"
            data-part
            aria-disabled={busy}
            title="Keep the comment on the element as it is now"
            onClick={() => void run(accept)}
          >
            <CheckIcon /> Accept
          </button>
        )}
        <button
          type="button"
          class="button"
          data-testid="thread-back"
          data-part
          aria-disabled={busy}
          title="Give it back to the agents, and say what is missing"
          onClick={(event) => {
            const thread = event.currentTarget.closest('.thread');
            void run(async () => {
              if (await reopen()) reply(thread);
            });
          }}
        >
          <ReopenIcon /> Reopen
        </button>
        {comment.stage === 'in_progress' && (
          <button
            type="button"
            class="button"
            data-testid="thread-not-yet"
            data-part
            title="Say what is missing, and leave it to the agent"
            onClick={(event) => reply(event.currentTarget.closest('.thread'))}
          >
            Not yet
          </button>
        )}
      </div>
    </section>
  );
}
