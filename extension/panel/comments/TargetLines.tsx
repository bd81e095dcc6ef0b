/**
 * The elements of a comment: what each is, where it comes from, how it differs from when it was commented on, and what
 * to do.
 */
import { commentName } from '../../design/comment-name';
import { SourceIcon } from '../../design/icons';
import type { Comment } from '../../generated/Comment';
import type { TargetState } from '../../generated/TargetState';
import { isAsked } from '../../verdict/asked';
import { causeOf, causeSentence, differs } from '../../verdict/cause';
import { Differences } from '../../verdict/Differences';
import { saysSureness, surenessSentence, verdictWords } from '../../verdict/words';
import { targetLabel } from '../text/target-label';
import type { Comments } from './comments';

interface LineProps {
  comments: Comments;
  comment: Comment;
  at: number;
}

/** What the last look said, and the buttons that settle it on the page. */
function Verdict({ comments, comment, at, state }: LineProps & { state: TargetState }) {
  const here = comments.tab.address.value.pathname === comment.pathname;
  const suffix = at === 0 ? comment.id : `${comment.id}-${at}`;
  const name = commentName(comment);
  const settle = (act: 'confirm' | 'point' | 'choose') => void comments.settle(comment, at, act);
  const cause = causeOf(state);
  const asked = isAsked(comment) && cause === 'source';
  return (
    <div class="verdict" data-testid={`verdict-${suffix}`} data-tone={asked ? 'asked' : cause}>
      <p>
        {causeSentence(state.reason, cause)}{' '}
        {saysSureness(cause, asked) && (
          <span class="muted" title={surenessSentence(state.confidence)}>
            {verdictWords(state.verdict, state.confidence)}.
          </span>
        )}
      </p>
      <Differences diff={state.diff} />
      {here && (
        <div class="row settle">
          {state.verdict === 'changed' && at === 0 && !asked && (
            <button
              type="button"
              class="button small"
              data-testid={`still-same-${suffix}`}
              aria-label={`Still the same: keep ${name} on the element as it is now`}
              onClick={() => settle('confirm')}
            >
              Still the same
            </button>
          )}
          {state.verdict === 'ambiguous' && (
            <button
              type="button"
              class="button small"
              data-testid={`choose-${suffix}`}
              aria-label={`Choose on the page: the element of ${name}`}
              onClick={() => settle('choose')}
            >
              Choose on the page
            </button>
          )}
          <button
            type="button"
            class={`button small ${asked ? 'quiet' : ''}`}
            data-testid={`repin-${suffix}`}
            aria-label={`Point at it again: the element of ${name}`}
            onClick={() => settle('point')}
          >
            Point at it again
          </button>
        </div>
      )}
    </div>
  );
}

/** Whether the last look is news for a person: it outdated the comment, or may have. */
function isTold({ status }: Comment, state: TargetState | undefined): boolean {
  if (!state || state.verdict === 'unchanged') return false;
  return (
    status === 'outdated' || (status === 'active' && differs(state.verdict) && causeOf(state) === 'unknown')
  );
}

function TargetLine({ comments, comment, at }: LineProps) {
  const target = comment.targets[at];
  if (!target) return null;
  const label = targetLabel(target);
  const { state } = target;
  return (
    <li>
      <p class="target" title={target.selector}>
        <span class="ellipsis">{label.element}</span>
        {(label.component || label.place) && (
          <span class="source" title={[label.component, label.place].filter(Boolean).join('\n')}>
            <SourceIcon size={12} />
            <span class="mono ellipsis">
              {[label.component, label.shortPlace].filter(Boolean).join(' · ')}
            </span>
          </span>
        )}
      </p>
      {isTold(comment, state) && state && (
        <Verdict comments={comments} comment={comment} at={at} state={state} />
      )}
    </li>
  );
}

export function TargetLines({ comments, comment }: { comments: Comments; comment: Comment }) {
  return (
    <ul class="targets" aria-label={comment.targets.length === 1 ? 'Element' : 'Elements'}>
      {comment.targets.map((_target, at) => (
        // The order of targets is part of the comment, and two may have the same selector.
        <TargetLine key={at} comments={comments} comment={comment} at={at} />
      ))}
    </ul>
  );
}
