/** One that waits: what, why, who asks, how long there is, and the person's yes or no. Nothing is chosen beforehand. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { timeLeft } from '../../design/time-left';
import type { Verification } from '../../generated/Verification';
import { type Approvals, HOURS } from './approvals';
import { laidOut } from './laid-out';
import { span } from './words';

interface Props {
  approvals: Approvals;
  approval: Verification;
  /** Id of its note field. */
  noteId: string;
}

export function ApprovalCard({ approvals, approval, noteId }: Props) {
  const { id, action, reason, context, asker, project, expiresAt } = approval;
  const draft = approvals.draft(id);
  const error = approvals.errors.value.get(id);
  const isOver = expiresAt <= approvals.now.value;
  const isOff = !approvals.canDecide(approval);
  const decide = (approve: boolean) => void approvals.decide(approval, approve);
  const heading = `approval-title-${id}`;
  const card = useRef<HTMLElement>(null);
  // The card is drawn anew each second.
  const readable = useMemo(() => (context === undefined ? '' : laidOut(context)), [context]);
  // Who decides by keys goes on in the view; on no button, which the same key would press.
  useLayoutEffect(
    () => () => {
      const { current } = card;
      if (current?.contains(document.activeElement))
        current.closest<HTMLElement>('.view')?.focus({ preventScroll: true });
    },
    [],
  );
  return (
    <article ref={card} class="approval" aria-labelledby={heading} data-testid={`approval-${id}`}>
      <div class="approval-head">
        <h3 id={heading}>Approve this?</h3>
        <span class="approval-left" role="timer" data-testid={`left-${id}`}>
          {timeLeft(expiresAt - approvals.now.value)}
        </span>
      </div>
      <Fenced text={action} testId={`action-${id}`} isStrong />
      <dl class="approval-facts">
        <dt>Why</dt>
        <dd>
          <Fenced text={reason} testId={`reason-${id}`} />
        </dd>
        {context !== undefined && (
          <>
            <dt>Context</dt>
            <dd>
              <Fenced text={readable} testId={`context-${id}`} isCode />
            </dd>
          </>
        )}
        <dt>Asker</dt>
        <dd data-testid={`asker-${id}`}>
          It says it is <bdi>{asker}</bdi>
          {approvals.hasGone(approval) && (
            <span class="muted">, and is not connected now: it may not hear your answer</span>
          )}
        </dd>
        {project.root !== approvals.ownRoot.value && (
          <>
            <dt>Project</dt>
            <dd data-testid={`project-${id}`} title={project.root}>
              <bdi>{project.name}</bdi>
              {approvals.ownRoot.value !== undefined && ', not the one of this page'}
            </dd>
          </>
        )}
      </dl>
      <label class="approval-label" for={noteId}>
        Note to the agent (optional)
      </label>
      <textarea
        id={noteId}
        class="input approval-note"
        rows={1}
        maxLength={2_000}
        data-testid={`note-${id}`}
        value={draft.note}
        onInput={(event) => approvals.write(id, { note: event.currentTarget.value })}
      />
      <Always approvals={approvals} approval={approval} />
      {error && (
        <p class="error" role="alert" data-testid={`error-${id}`}>
          {error}
        </p>
      )}
      <div class="row end">
        <button
          type="button"
          class="button"
          data-testid={`reject-${id}`}
          aria-disabled={isOff}
          aria-describedby={heading}
          onClick={() => decide(false)}
        >
          Reject
        </button>
        <button
          type="button"
          class="button"
          data-testid={`approve-${id}`}
          aria-disabled={isOff}
          aria-describedby={heading}
          onClick={() => decide(true)}
        >
          {draft.always ? `Approve, and for ${span(draft.hours)}` : 'Approve'}
        </button>
      </div>
      {isOver && <p class="muted">Its time ran out: it is rejected.</p>}
    </article>
  );
}

/** A rule with the yes; off until the person wants it. */
function Always({ approvals, approval: { id, context } }: Pick<Props, 'approvals' | 'approval'>) {
  const { always, hours, anyContext } = approvals.draft(id);
  return (
    <fieldset class="approval-rule">
      <legend class="hidden">From now on</legend>
      <span class="approval-choice">
        <input
          id={`always-${id}`}
          type="checkbox"
          data-testid={`always-${id}`}
          checked={always}
          onChange={(event) => approvals.write(id, { always: event.currentTarget.checked })}
        />
        <label for={`always-${id}`}>Always allow this action in this project</label>
      </span>
      {always && (
        <>
          <p class="muted">What waits already and fits it is approved too, whoever asks.</p>
          <span class="approval-choice">
            <label for={`hours-${id}`}>for</label>
            <select
              id={`hours-${id}`}
              class="input"
              data-testid={`hours-${id}`}
              value={hours}
              onChange={(event) => approvals.write(id, { hours: Number(event.currentTarget.value) })}
            >
              {HOURS.map((each) => (
                <option key={each} value={each}>
                  {span(each)}
                </option>
              ))}
            </select>
          </span>
          <span class="approval-choice">
            <input
              id={`any-context-${id}`}
              type="checkbox"
              data-testid={`any-context-${id}`}
              checked={anyContext}
              onChange={(event) => approvals.write(id, { anyContext: event.currentTarget.checked })}
            />
            <label for={`any-context-${id}`}>
              whatever the context
              <span class="muted">
                {context === undefined
                  ? ' (else only without a context, as here)'
                  : ' (else only with exactly this context)'}
              </span>
            </label>
          </span>
        </>
      )}
    </fieldset>
  );
}

interface FencedProps {
  text: string;
  testId: string;
  isStrong?: boolean;
  isCode?: boolean;
}

/** A stranger's words as they are, in a box of their own that scrolls: no markup, and no line that looks like ours. */
function Fenced({ text, testId, isStrong, isCode }: FencedProps) {
  const box = useRef<HTMLPreElement>(null);
  const isCut = useSignal(false);
  // Some systems show no scroll bar: nobody is to say yes to half of it. Drawn anew with the time that is left.
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    isCut.value = scrollHeight > clientHeight + 1;
  });
  return (
    <>
      <pre
        ref={box}
        class={`fenced ${isStrong ? 'strong' : ''} ${isCode ? 'mono' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        dir="auto"
        data-testid={testId}
      >
        {text}
      </pre>
      {isCut.value && <p class="muted fenced-more">Scroll to read all of it</p>}
    </>
  );
}
