/** A pin's thread: what was said, how it stands and why, what was answered, and what can be done about it. */
import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  AgentIcon,
  CheckIcon,
  CloseIcon,
  DeleteIcon,
  EditIcon,
  JumpIcon,
  PersonIcon,
  ReopenIcon,
  SourceIcon,
  StatusShape,
  WarningIcon,
} from '../design/icons';
import { statusLook } from '../design/status';
import type { Author } from '../generated/Author';
import type { Comment } from '../generated/Comment';
import type { CommentChange } from '../generated/CommentChange';
import type { FieldChange } from '../generated/FieldChange';
import { Floating } from '../overlay/floating';
import type { Follow } from '../overlay/follow';
import { ask } from '../overlay/link';
import type { Root } from '../overlay/root';
import { type State, upsert } from '../overlay/state';
import { sentence } from '../overlay/words';
import { Markdown } from './markdown';
import { Repin } from './repin';
import type { Sightings } from './sightings';
import { type Standing, standingOf } from './standing';

export interface ThreadOptions {
  pinBox: (commentId: string) => DOMRect | null;
  /** Increases with every new sighting; read it to draw again. */
  seen: () => number;
}

interface Props {
  state: State;
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
  const layer = root.layer('boxes');
  render(<Host state={state} follow={follow} sightings={sightings} options={options} />, layer);
  signal.addEventListener('abort', () => render(null, layer));
}

function Host(props: Props) {
  const { opened, here, composing } = props.state;
  const comment = here.value.find((each) => each.id === opened.value);
  return comment && !composing.value ? <Thread key={comment.id} {...props} comment={comment} /> : null;
}

function Thread({ state, follow, sightings, options, comment }: Props & { comment: Comment }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [editing, setEditing] = useState<string | null>(null);
  options.seen();
  const standing = standingOf(
    comment,
    sightings.of(comment.id).map((sighting) => sighting.verdict),
  );
  const number = state.numbers.value.get(comment.id) ?? 0;
  const close = () => {
    state.opened.value = null;
  };
  useEffect(() => follow.wake());

  /** Makes a change; true when it was taken. */
  const change = async (what: CommentChange): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setProblem('');
    try {
      upsert(state, await ask('change_comment', { commentId: comment.id, change: what }));
      return true;
    } catch (error) {
      setProblem(sentence(error));
      return false;
    } finally {
      setBusy(false);
    }
  };

  const remove = async () => {
    if (!(await change({ kind: 'delete' }))) return;
    close();
    state.notice.value = {
      kind: 'info',
      text: `Comment ${number} deleted.`,
      action: {
        label: 'Undo',
        run: () => {
          ask('change_comment', { commentId: comment.id, change: { kind: 'restore' } }).then(
            (restored) => upsert(state, restored),
            (error) => {
              state.notice.value = { kind: 'error', text: `Not restored: ${sentence(error)}` };
            },
          );
        },
      },
    };
  };

  const saveEdit = async () => {
    const text = editing?.trim();
    if (!text) return;
    if (await change({ kind: 'edit', text, baseRevision: comment.revision })) setEditing(null);
  };

  const resolved = comment.status === 'resolved';
  return (
    <Floating
      testid="pin-thread"
      className="thread"
      label={`Comment ${number}, ${standing.words}`}
      follow={follow}
      around={() => options.pinBox(comment.id) ?? new DOMRect(innerWidth - 32, innerHeight / 2, 0, 0)}
      focus={resolved ? '[data-testid="thread-reopen"]' : '[data-testid="thread-resolve"]'}
      onEscape={() => (editing === null ? close() : setEditing(null))}
      onKey={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && editing !== null) {
          event.preventDefault();
          void saveEdit();
        }
      }}
    >
      <div class="card-head">
        <StatusShape status={comment.status} />
        <strong class="thread-title">
          {number} <span style={{ color: statusLook[comment.status].color }}>{standing.words}</span>
        </strong>
        <time class="hint" dateTime={new Date(comment.createdAt).toISOString()}>
          {moment(comment.createdAt)}
        </time>
        <button type="button" class="icon-button" aria-label="Close" data-part onClick={close}>
          <CloseIcon />
        </button>
      </div>
      <div class="thread-body">
        <Places comment={comment} />
        {editing === null ? (
          <p class="said" data-testid="thread-text">
            {comment.text}
          </p>
        ) : (
          <div class="edit">
            <textarea
              data-testid="thread-edit-input"
              aria-label="Comment"
              rows={3}
              value={editing}
              ref={(element) => {
                if (element && element.getRootNode() instanceof ShadowRoot && !element.dataset.focused) {
                  element.dataset.focused = '';
                  element.focus({ preventScroll: true });
                }
              }}
              onInput={(event) => setEditing(event.currentTarget.value)}
            />
            <div class="row">
              <button type="button" class="button" data-part onClick={() => setEditing(null)}>
                Cancel
              </button>
              <button
                type="button"
                class="button primary"
                data-testid="thread-edit-save"
                data-part
                aria-disabled={busy || !editing.trim()}
                onClick={() => void saveEdit()}
              >
                Save
              </button>
            </div>
          </div>
        )}
        <Why standing={standing} />
        {!resolved && standing.place !== 'found' && (
          <Repin state={state} comment={comment} offerSame={false} sightings={sightings} />
        )}
        {!resolved &&
          standing.place === 'found' &&
          (comment.status === 'outdated' || standing.verdict === 'changed') && (
            <Repin state={state} comment={comment} offerSame sightings={sightings} />
          )}
        {comment.replies.length > 0 && (
          <ol class="replies" aria-label="Replies" data-testid="thread-replies">
            {comment.replies.map((reply) => (
              <Said key={reply.id} by={reply.author} at={reply.createdAt}>
                <Markdown text={reply.text} />
              </Said>
            ))}
          </ol>
        )}
        {comment.resolution && (
          <div class="resolution" data-testid="thread-resolution">
            <Said by={comment.resolution.by} at={comment.resolution.at} verb="resolved this">
              {comment.resolution.summary ? <Markdown text={comment.resolution.summary} /> : null}
            </Said>
          </div>
        )}
        {problem && (
          <p class="problem" role="alert">
            <WarningIcon /> <span>{problem}</span>
          </p>
        )}
      </div>
      <footer class="card-foot">
        <button
          type="button"
          class="icon-button"
          data-testid="thread-edit"
          data-part
          aria-label="Edit"
          title="Edit"
          aria-disabled={busy}
          onClick={() => setEditing(comment.text)}
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

/** What the comment is about: component and file where they are known, else the element. */
function Places({ comment }: { comment: Comment }) {
  return (
    <ul class="chips" aria-label="Elements">
      {comment.targets.map(({ snapshot }, at) => (
        <li class="chip" key={at}>
          {snapshot.source ? <SourceIcon size={12} /> : <JumpIcon size={12} />}
          <span class="chip-tag">{snapshot.component ?? snapshot.name ?? snapshot.tag}</span>
          {snapshot.source && (
            <span class="chip-file" title={snapshot.source.file}>
              {snapshot.source.file.split(/[\\/]/).at(-1)}
              {snapshot.source.line ? `:${snapshot.source.line}` : ''}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Why({ standing }: { standing: Standing }) {
  if (!standing.reason) return null;
  return (
    <div class="why" data-testid="thread-verdict" data-verdict={standing.verdict ?? ''}>
      <p>{standing.reason}</p>
      {standing.diff.length > 0 && (
        <dl class="diff" aria-label="What differs">
          {standing.diff.slice(0, 8).map((each, at) => (
            <Difference key={at} change={each} />
          ))}
          {standing.diff.length > 8 && <dt class="hint">and {standing.diff.length - 8} more</dt>}
        </dl>
      )}
    </div>
  );
}

function Difference({ change }: { change: FieldChange }) {
  return (
    <>
      <dt>{change.field.replace(/^attribute:/, '')}</dt>
      <dd>
        {change.before !== undefined && <del>{change.before || '(empty)'}</del>}
        {change.after !== undefined && <ins>{change.after || '(empty)'}</ins>}
      </dd>
    </>
  );
}

interface SaidProps {
  by: Author;
  at: number;
  verb?: string;
  children: ComponentChildren;
}

function Said({ by, at, verb, children }: SaidProps) {
  return (
    <li class="reply">
      <div class="reply-head">
        {by.kind === 'agent' ? <AgentIcon size={14} /> : <PersonIcon size={14} />}
        <strong>{by.kind === 'agent' ? by.name : 'You'}</strong> {verb}
        <time class="hint" dateTime={new Date(at).toISOString()}>
          {moment(at)}
        </time>
      </div>
      {children}
    </li>
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
