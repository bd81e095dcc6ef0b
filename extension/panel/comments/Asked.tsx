/** An element changed while an agent worked on its comment: the person says whether that is what was asked for. */
import { commentName } from '../../design/comment-name';
import { CheckIcon, ReopenIcon } from '../../design/icons';
import type { Comment } from '../../generated/Comment';
import { askedHint } from '../../verdict/asked';
import type { Comments } from './comments';

export function Asked({ comments, comment }: { comments: Comments; comment: Comment }) {
  const here = comments.tab.address.value.pathname === comment.pathname;
  const name = commentName(comment);
  // What is not found can be kept nowhere.
  const canAccept = comment.targets.every(({ state }) => !/ambiguous|missing/.test(state?.verdict ?? ''));
  const gone = comment.targets.every(({ state }) => state?.verdict === 'missing');
  const reply = () => comments.editor.start(comment, 'reply');
  return (
    <div class="as-asked" data-testid={`asked-${comment.id}`}>
      <p class="muted">{askedHint(comment.stage, gone)}</p>
      {here && canAccept && (
        <button
          type="button"
          class="button small"
          data-testid={`accept-${comment.id}`}
          aria-label={`Accept: keep ${name} on the element as it is now`}
          onClick={() => void comments.settle(comment, 0, 'confirm')}
        >
          <CheckIcon size={14} /> Accept
        </button>
      )}
      <button
        type="button"
        class="button small"
        data-testid={`give-back-${comment.id}`}
        aria-label={`Reopen ${name}: give it back to the agents, and say what is missing`}
        onClick={() =>
          void comments.actions.giveBack(comment).then((given) => {
            if (given) reply();
          })
        }
      >
        <ReopenIcon size={14} /> Reopen
      </button>
      {comment.stage === 'in_progress' && (
        <button
          type="button"
          class="button small"
          data-testid={`not-yet-${comment.id}`}
          aria-label={`Not yet: say what is missing of ${name}`}
          onClick={reply}
        >
          Not yet
        </button>
      )}
    </div>
  );
}
