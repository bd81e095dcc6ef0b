/** The view of approvals: what waits first, then rules, then what was decided last. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ApprovalIcon, OfflineIcon } from '../../design/icons';
import type { ApprovalsState } from '../../state/approvals';
import { ApprovalCard } from './ApprovalCard';
import type { Approvals } from './approvals';
import { DecidedList } from './DecidedList';
import { RuleList } from './RuleList';

/** The note field of the first that waits. */
export const NOTE_ID = 'approval-note';

export function ApprovalsView({
  approvals,
  foot,
  children,
}: {
  approvals: Approvals;
  /** Ends the view. */
  foot?: ComponentChildren;
  /** Stands below: what there is to do about the connection. */
  children?: ComponentChildren;
}) {
  const state = approvals.state.value;
  const isKnown = state && state.pending.length + state.decided.length + state.rules.length > 0;
  if (!state || (state.line === 'loading' && !isKnown)) {
    return (
      <>
        <main class="view">
          {approvals.isSilent.value ? (
            <Trouble words="The extension isn’t responding. Retrying…" />
          ) : (
            <div class="empty" role="status" data-testid="approvals-loading">
              <p class="muted">Looking for what waits for you…</p>
              <div class="skeleton" />
            </div>
          )}
        </main>
        {children}
      </>
    );
  }
  const { pending, leftOut, decided, rules } = state;
  return (
    <>
      <main class="view approvals" tabIndex={-1}>
        {approvals.isSilent.value ? (
          <Trouble words="The extension isn’t responding. Nothing can be decided until it does. Retrying…" />
        ) : (
          state.line !== 'live' && <Trouble words={troubleOf(state)} />
        )}
        {pending.length > 0 && (
          <section aria-labelledby="approvals-pending">
            <div class="approvals-head">
              <h2 id="approvals-pending">Waiting for you</h2>
              {pending.length > 1 && <RejectAll approvals={approvals} count={pending.length} />}
            </div>
            {pending.map((approval, at) => (
              <ApprovalCard
                key={approval.id}
                approvals={approvals}
                approval={approval}
                noteId={at === 0 ? NOTE_ID : `${NOTE_ID}-${approval.id}`}
              />
            ))}
          </section>
        )}
        {leftOut > 0 && (
          <p class="muted" data-testid="left-out">
            {leftOut} more {leftOut === 1 ? 'waits' : 'wait'}: shown once some of these are decided.
          </p>
        )}
        {pending.length === 0 && state.line === 'live' && (
          <div class="empty" data-testid="approvals-empty">
            <ApprovalIcon size={28} />
            <h2>Nothing waits for you</h2>
            <p>
              Before a risky step your agent can ask for your approval. It appears here, on the page and at
              the toolbar button, and is rejected by itself if you don’t answer in time.
            </p>
          </div>
        )}
        {rules.length > 0 && <RuleList approvals={approvals} rules={rules} />}
        {decided.length > 0 && <DecidedList approvals={approvals} decided={decided} />}
        <Notifications approvals={approvals} />
        {foot}
      </main>
      {children}
    </>
  );
}

/** For whoever is asked without end. There is no such button for a yes: each is for words that were read. */
function RejectAll({ approvals, count }: { approvals: Approvals; count: number }) {
  const isAsked = approvals.asksRejectAll.value;
  const isOff = !approvals.canDecideAny.value;
  const cancel = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone; the second press of a double click is to hit nothing.
  useLayoutEffect(() => {
    if (isAsked) cancel.current?.focus();
  }, [isAsked]);
  if (!isAsked) {
    return (
      <button
        type="button"
        class="button small"
        data-testid="reject-all"
        aria-disabled={isOff}
        onClick={() => void approvals.rejectAll()}
      >
        Reject all {count}…
      </button>
    );
  }
  return (
    <div class="row end">
      <button
        type="button"
        class="button small"
        data-testid="reject-all-now"
        aria-disabled={isOff}
        onClick={() => void approvals.rejectAll()}
      >
        Reject all {count}
      </button>
      <button
        ref={cancel}
        type="button"
        class="button small"
        data-testid="reject-none"
        onClick={() => approvals.keepAll()}
      >
        Cancel
      </button>
    </div>
  );
}

/** Why what is known may be old, and cannot be decided. */
function troubleOf({ line, detail, pending }: ApprovalsState): string {
  if (line === 'loading') return 'Reconnecting: nothing can be decided for a moment.';
  // Why is said beside the lights. What waits elsewhere until then is sent later; a decision never is.
  return pending.length > 0
    ? 'The host can’t be reached, so nothing can be decided here now. What still waits is shown anew when it is back.'
    : detail;
}

function Trouble({ words }: { words: string }) {
  return (
    <p class="approvals-trouble" role="status" data-testid="approvals-trouble">
      <OfflineIcon size={14} />
      <span>{words}</span>
    </p>
  );
}

/** The system's notes: asked for by the person's press alone, never by themselves. */
function Notifications({ approvals }: { approvals: Approvals }) {
  const { notifies, notifiesRefused } = approvals;
  if (notifies.value !== false) return null;
  return (
    <section class="notifications" aria-label="System notifications" data-testid="notifications">
      {notifiesRefused.value ? (
        <p class="muted" role="status" data-testid="notifications-refused">
          The browser didn’t allow notifications. Approvals still show here, on the page and at the toolbar
          button.
        </p>
      ) : (
        <p class="muted">Be told by the system too when the browser is in the background.</p>
      )}
      <button
        type="button"
        class="button small"
        data-testid="allow-notifications"
        onClick={() => void approvals.allowNotifications()}
      >
        {notifiesRefused.value ? 'Ask again' : 'Allow notifications'}
      </button>
    </section>
  );
}
