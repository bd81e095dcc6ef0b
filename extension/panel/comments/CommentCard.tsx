/** One comment in the list. Tab reaches the current one; the keys of `card-keys.ts` work on it. */

import { useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { commentLabel, commentName, unsentLook } from '../../design/comment-name';
import {
  CheckIcon,
  CommentNumber,
  DeleteIcon,
  EditIcon,
  JumpIcon,
  ReopenIcon,
  ReplyIcon,
  StatusShape,
} from '../../design/icons';
import { stageWord } from '../../design/status';
import type { Comment } from '../../generated/Comment';
import { isAsked, lookOf } from '../../verdict/asked';
import { mayHaveChanged } from '../../verdict/cause';
import { Ago } from '../frame/Ago';
import { IconButton } from '../frame/IconButton';
import { LongText } from '../text/LongText';
import { Asked } from './Asked';
import { cardKey } from './card-keys';
import type { Comments } from './comments';
import { Screenshot } from './Screenshot';
import { TargetLines } from './TargetLines';
import { TextEditor } from './TextEditor';
import { Thread } from './Thread';

export interface CommentCardProps {
  comments: Comments;
  comment: Comment;
  /** 1-based place in the whole list, and its length: the list may be drawn in part. */
  place: number;
  count: number;
}

export function CommentCard({ comments, comment, place, count }: CommentCardProps) {
  const card = useRef<HTMLElement>(null);
  const { list } = comments;
  const reached = useComputed(() => (list.current.value ?? list.drawn.value[0]?.id) === comment.id);
  const wanted = useComputed(() => list.wantsFocus.value === comment.id);
  const pictured = useComputed(() => comments.tab.state.value?.pictures.includes(comment.id) ?? false);
  const editor = useComputed(() =>
    comments.editor.open.value?.commentId === comment.id ? comments.editor.open.value : null,
  );
  const here = useComputed(() => comments.tab.address.value.pathname === comment.pathname);
  const look = lookOf(comment);
  const asked = isAsked(comment);
  const name = commentName(comment);
  const editing = editor.value?.kind === 'edit' ? editor.value : null;
  const replying = editor.value?.kind === 'reply' ? editor.value : null;
  const resolved = comment.status === 'resolved';
  useLayoutEffect(() => {
    if (!wanted.value) return;
    card.current?.focus();
    list.wantsFocus.value = null;
  }, [wanted.value, list]);
  const unseen = useComputed(() => comments.seenAnswers.isUnseen(comment.id));
  useEffect(() => {
    if (!unseen.value || !card.current) return;
    // Where older answers are folded it may be none that is drawn.
    const answer = [...card.current.querySelectorAll('[data-answer]')].at(-1) ?? card.current;
    return comments.seenAnswers.watch(answer, comment.id);
  }, [unseen.value, comment, comments]);
  return (
    <article
      ref={card}
      class={`card ${comment.status}`}
      tabIndex={reached.value ? 0 : -1}
      aria-label={`${commentLabel(comment)}, ${look.word}: ${comment.text.slice(0, 200)}`}
      aria-posinset={place}
      aria-setsize={count}
      data-testid={`comment-${comment.id}`}
      data-status={comment.status}
      data-asked={asked ? '' : undefined}
      onFocusIn={() => {
        list.current.value = comment.id;
      }}
      onKeyDown={(event) => cardKey(comments, comment, event, card.current)}
    >
      <div class="row top">
        <StatusShape status={comment.status} look={look} size={14} />
        <span class="number">
          <CommentNumber number={comment.number} />
        </span>
        <span class="status" style={{ color: look.color }} title={look.meaning}>
          {look.word}
        </span>
        {comment.number === undefined && (
          <span class="stage" title={unsentLook.meaning}>
            {unsentLook.word}
          </span>
        )}
        {/* Where a question is asked, what is beside it says how far the work is. */}
        {comment.stage !== 'open' && !resolved && !asked && (
          <span class="stage">{stageWord[comment.stage]}</span>
        )}
        {mayHaveChanged(comment) && (
          <span class="stage" title="It looks different; nothing tells whether its source changed.">
            May have changed
          </span>
        )}
        {comment.importedAt !== undefined && (
          <span class="stage" title="These words came from a file: somebody else wrote them.">
            Imported
          </span>
        )}
        <span class="time muted">
          <Ago clock={comments.clock} at={comment.createdAt} />
        </span>
      </div>
      {editing ? (
        <TextEditor comments={comments} comment={comment} editor={editing} />
      ) : (
        <LongText text={comment.text} />
      )}
      <TargetLines comments={comments} comment={comment} />
      {asked && <Asked comments={comments} comment={comment} />}
      {pictured.value && <Screenshot comments={comments} commentId={comment.id} name={name} />}
      <Thread comments={comments} comment={comment} />
      {replying && <TextEditor comments={comments} comment={comment} editor={replying} />}
      <div class="row actions">
        <IconButton
          label={here.value ? `Jump to ${name} in the page` : `Go to the page of ${name}`}
          title={here.value ? 'Jump to it in the page (Enter)' : 'Go to its page (Enter)'}
          testId={`jump-${comment.id}`}
          onClick={() => comments.jump(comment)}
        >
          <JumpIcon />
        </IconButton>
        <IconButton
          label={`Edit ${name}`}
          title="Edit (E)"
          testId={`edit-${comment.id}`}
          onClick={() => comments.editor.start(comment, 'edit')}
        >
          <EditIcon />
        </IconButton>
        <IconButton
          label={`Reply to ${name}`}
          title="Reply (A)"
          testId={`reply-${comment.id}`}
          onClick={() => comments.editor.start(comment, 'reply')}
        >
          <ReplyIcon />
        </IconButton>
        <IconButton
          label={`Delete ${name}`}
          title="Delete (Del)"
          testId={`delete-${comment.id}`}
          danger
          onClick={() => comments.delete(comment)}
        >
          <DeleteIcon />
        </IconButton>
        <span class="space" />
        <button
          type="button"
          class="button small"
          data-testid={`${resolved ? 'reopen' : 'resolve'}-${comment.id}`}
          aria-label={`${resolved ? 'Reopen' : 'Resolve'} ${name}`}
          title={`${resolved ? 'Reopen' : 'Resolve'} (R)`}
          onClick={() => (resolved ? comments.actions.reopen(comment) : comments.actions.resolve(comment))}
        >
          {resolved ? <ReopenIcon size={14} /> : <CheckIcon size={14} />}
          {resolved ? 'Reopen' : 'Resolve'}
        </button>
      </div>
    </article>
  );
}
