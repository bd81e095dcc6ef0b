/** A pin's thread: what was said, how it stands and why, what was answered, and what can be done about it. */

import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { authorName } from '../../design/author';
import { commentLabel, commentTitle, unsentLook } from '../../design/comment-name';
import {
  AgentIcon,
  CheckIcon,
  CloseIcon,
  CommentNumber,
  DeleteIcon,
  EditIcon,
  PersonIcon,
  ReopenIcon,
  StatusShape,
  WarningIcon,
} from '../../design/icons';
import type { Author } from '../../generated/Author';
import type { Comment } from '../../generated/Comment';
import type { CommentChange } from '../../generated/CommentChange';
import { lookOf } from '../../verdict/asked';
import { focusPart } from '../host/focus';
import type { Root } from '../host/root';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import { NoticeInCard } from '../notices/notice';
import { Floating } from '../positioning/floating';
import type { Follow } from '../positioning/follow';
import { seenWindow } from '../positioning/seen-window';
import type { Sightings } from '../sightings/sightings';
import { standingOf } from '../sightings/standing';
import { type State, upsert } from '../state/state';
import { offerUndo } from '../state/undo';
import type { Drafts } from '../text-field/drafts';
import type { Fields } from '../text-field/field-frame';
import { Asked } from './Asked';
import { Edit, hasUnsavedEdit } from './Edit';
import { Found } from './Found';
import { Markdown } from './markdown';
import { Reply } from './Reply';
import { ACCEPTED, confirmable, confirmSame } from './repin';

const EDIT_FIELD = '.edit .field :is(iframe, textarea)';

export interface ThreadOptions {
  pinBox: (commentId: string) => DOMRect | null;
  /** Increases with every new sighting; read it to draw again. */
  seen: () => number;
  drafts: Drafts;
  fields: Fields;
}

interface Props {
  state: State;
  /** Where candidates are framed. */
  frames: HTMLElement;
  follow: Follow;
  sightings: Sightings;
  options: ThreadOptions;
}

export function initThread(
  root: Root,
  state: State,
  follow: Follow,
  sightings: Sightings,
  options: ThreadOptions,
  signal: AbortSignal,
): void {
  const frames = root.layer('candidates');
  const layer = root.layer('boxes');
  render(
    <Host state={state} frames={frames} follow={follow} sightings={sightings} options={options} />,
    layer,
  );
  signal.addEventListener('abort', () => render(null, layer));
}

function Host(props: Props) {
  const comment = props.state.thread.value;
  return comment ? <Thread key={comment.id} {...props} comment={comment} /> : null;
}

function Thread({ state, frames, follow, sightings, options, comment }: Props & { comment: Comment }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [isEditing, setIsEditing] = useState(() => hasUnsavedEdit(options.drafts, comment));
  options.seen();
  const standing = standingOf(comment, sightings.of(comment.id), sightings.isHeld(comment.id));
  const close = () => {
    state.opened.value = null;
  };
  useEffect(() => follow.wake());
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  // The field that had the focus is gone; a person who went elsewhere meanwhile stays there.
  useLayoutEffect(() => {
    const ended = wasEditing.current && !isEditing;
    wasEditing.current = isEditing;
    const button = editButton.current;
    const focused = (button?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement;
    if (ended && button && (!focused || focused === document.body)) focusPart(button);
  }, [isEditing]);

  /** Makes a change; the comment after it when it was taken. */
  const change = async (what: CommentChange): Promise<Comment | null> => {
    if (busy) return null;
    setBusy(true);
    setProblem('');
    try {
      const changed = await ask('change_comment', { commentId: comment.id, change: what });
      upsert(state, changed);
      return changed;
    } catch (error) {
      setProblem(sentence(error));
      return null;
    } finally {
      setBusy(false);
    }
  };

  /** Says what was done, with the change that takes it back. `failed`: what is said when that is refused. */
  const undoable = (did: string, left: Comment, undo: CommentChange, failed: string) => {
    offerUndo(state, `${commentTitle(comment)} ${did}.`, left, () => {
      ask('change_comment', { commentId: comment.id, change: undo }).then(
        (restored) => upsert(state, restored),
        (error) => {
          state.notice.value = { kind: 'error', text: `${failed}: ${sentence(error)}` };
        },
      );
    });
  };

  const remove = async () => {
    const left = await change({ kind: 'delete' });
    if (!left) return;
    close();
    undoable('deleted', left, { kind: 'restore' }, 'Not restored');
  };

  /** Gives it back to the agents; true when that was taken. */
  const giveBack = async () => {
    const left = await change({ kind: 'set_stage', stage: 'open' });
    if (!left) return false;
    // Who works on it loses the claim, which nobody but that agent can take again; who ended has none.
    if (comment.stage !== 'review')
      state.notice.value = { kind: 'info', text: `${commentTitle(comment)} reopened.` };
    else undoable('reopened', left, { kind: 'set_stage', stage: comment.stage }, 'Not undone');
    return true;
  };

  const resolved = comment.status === 'resolved';
  const look = lookOf(comment);
  /** The field for a reply gets the focus. */
  const reply = (thread: Element | null) => {
    const field = thread?.querySelector<HTMLElement>('[data-testid="thread-reply-input"]');
    if (field) focusPart(field);
  };
  return (
    <Floating
      testid="pin-thread"
      className="thread"
      label={`${commentLabel(comment)}, ${standing.words}`}
      follow={follow}
      around={() => options.pinBox(comment.id) ?? new DOMRect(seenWindow().width - 32, innerHeight / 2, 0, 0)}
      focus={isEditing ? EDIT_FIELD : '.thread-title'}
      onEscape={close}
    >
      <div class="card-head">
        <StatusShape status={comment.status} look={look} />
        {/* Takes the focus when the thread opens: a second Enter does nothing. */}
        <h2 class="thread-title" data-testid="thread-title" tabIndex={-1}>
          <CommentNumber number={comment.number} />{' '}
          <span style={{ color: look.color }}>
            {standing.title}
            {comment.number === undefined && `, ${unsentLook.word.toLowerCase()}`}
          </span>
        </h2>
        <time class="hint" dateTime={new Date(comment.createdAt).toISOString()}>
          {moment(comment.createdAt)}
        </time>
        <button type="button" class="icon-button" aria-label="Close" data-part onClick={close}>
          <CloseIcon />
        </button>
      </div>
      <div class="thread-body">
        {!isEditing ? (
          <p class="said" data-testid="thread-text">
            {comment.importedAt !== undefined && <span class="hint">Imported: </span>}
            {comment.text}
          </p>
        ) : (
          <Edit
            comment={comment}
            drafts={options.drafts}
            fields={options.fields}
            isBusy={busy}
            save={async (text) =>
              (await change({ kind: 'edit', text, baseRevision: comment.revision })) !== null
            }
            onDone={() => setIsEditing(false)}
          />
        )}
        <ul class="found" aria-label="Elements" aria-live="polite">
          {standing.targets.map((each, at) => (
            <li key={at} data-testid={`thread-target-${at}`}>
              <Found
                state={state}
                follow={follow}
                sightings={sightings}
                layer={frames}
                comment={comment}
                at={at}
                standing={each}
                isAsked={standing.isAsked}
              />
            </li>
          ))}
        </ul>
        {standing.isAsked && (
          <Asked
            comment={comment}
            canAccept={confirmable(sightings, comment) !== null}
            isGone={standing.targets.every(({ place }) => place === 'gone')}
            accept={() => confirmSame(state, sightings, comment, ACCEPTED)}
            reopen={giveBack}
            reply={reply}
          />
        )}
        {comment.replies.length > 0 && (
          <ol class="replies" aria-label="Replies" data-testid="thread-replies">
            {comment.replies.map((reply) => (
              <Said key={reply.id} by={reply.author} at={reply.createdAt} importedAt={reply.importedAt}>
                <Markdown text={reply.text} />
              </Said>
            ))}
          </ol>
        )}
        {comment.resolution && (
          <div class="resolution" data-testid="thread-resolution">
            <Said
              as="div"
              by={comment.resolution.by}
              at={comment.resolution.at}
              importedAt={comment.resolution.importedAt}
              verb="resolved this"
            >
              {comment.resolution.summary ? <Markdown text={comment.resolution.summary} /> : null}
            </Said>
          </div>
        )}
        <Reply
          commentId={comment.id}
          drafts={options.drafts}
          fields={options.fields}
          send={async (id, text) => (await change({ kind: 'reply', id, text })) !== null}
          onInput={() => follow.wake()}
        />
        {problem && (
          <p class="problem" role="alert">
            <WarningIcon /> <span>{problem}</span>
          </p>
        )}
      </div>
      <NoticeInCard state={state} follow={follow} focus=".thread-title" />
      <footer class="card-foot">
        <button
          type="button"
          class="icon-button"
          data-testid="thread-edit"
          data-part
          ref={editButton}
          aria-label="Edit"
          title="Edit"
          aria-disabled={busy}
          onClick={() => setIsEditing(true)}
        >
          <EditIcon />
        </button>
        <button
          type="button"
          class="icon-button"
          data-testid="thread-delete"
          data-part
          aria-label="Delete"
          title="Delete"
          aria-disabled={busy}
          onClick={() => void remove()}
        >
          <DeleteIcon />
        </button>
        <span class="spring" />
        {resolved ? (
          <button
            type="button"
            class="button"
            data-testid="thread-reopen"
            data-part
            aria-disabled={busy}
            onClick={() => void change({ kind: 'reopen' })}
          >
            <ReopenIcon /> Reopen
          </button>
        ) : (
          <button
            type="button"
            class="button primary"
            data-testid="thread-resolve"
            data-part
            aria-disabled={busy}
            onClick={() => void change({ kind: 'resolve' })}
          >
            <CheckIcon /> Resolve
          </button>
        )}
      </footer>
    </Floating>
  );
}

interface SaidProps {
  /** Of a list or alone. */
  as?: 'li' | 'div';
  by: Author;
  at: number;
  importedAt: number | undefined;
  verb?: string;
  children: ComponentChildren;
}

function Said({ as: Part = 'li', by, at, importedAt, verb, children }: SaidProps) {
  return (
    <Part class="reply">
      <div class="reply-head">
        {by.kind === 'agent' ? <AgentIcon size={14} /> : <PersonIcon size={14} />}
        <strong>{authorName(by, importedAt)}</strong> {verb}
        <time class="hint" dateTime={new Date(at).toISOString()}>
          {moment(at)}
        </time>
      </div>
      {children}
    </Part>
  );
}

function moment(at: number): string {
  const date = new Date(at);
  const today = new Date().toDateString() === date.toDateString();
  return date.toLocaleString(
    undefined,
    today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}
