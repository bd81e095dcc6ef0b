/** The elements of a comment: what each is, where it comes from, and how it differs from when it was commented on. */
import { SourceIcon } from '../../design/icons';
import type { Comment } from '../../generated/Comment';
import type { FieldChange } from '../../generated/FieldChange';
import type { Target } from '../../generated/Target';
import { targetLabel } from './target-label';

function Difference({ change }: { change: FieldChange }) {
  return (
    <div class="difference">
      <dt>{change.field.replace(/^attribute:/, '')}</dt>
      <dd>
        {change.before !== undefined && <del>{change.before || 'empty'}</del>}
        {change.after !== undefined && <ins>{change.after || 'empty'}</ins>}
      </dd>
    </div>
  );
}

function TargetLine({ target, outdated }: { target: Target; outdated: boolean }) {
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
      {outdated && state && state.verdict !== 'unchanged' && (
        <div class="verdict">
          <p>{state.reason}</p>
          {state.diff.length > 0 && (
            <dl>
              {state.diff.map((change) => (
                <Difference key={change.field} change={change} />
              ))}
            </dl>
          )}
        </div>
      )}
    </li>
  );
}

export function TargetLines({ comment }: { comment: Comment }) {
  return (
    <ul class="targets" aria-label={comment.targets.length === 1 ? 'Element' : 'Elements'}>
      {comment.targets.map((target, index) => (
        // The order of targets is part of the comment, and two may have the same selector.
        <TargetLine key={index} target={target} outdated={comment.status === 'outdated'} />
      ))}
    </ul>
  );
}
