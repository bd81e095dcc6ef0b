/** What agents are doing, or how far the question has come; with the way to stop waiting. */
import { AgentIcon } from '../../design/icons';
import type { ChatState } from '../../messages';
import type { Workbench } from '../workbench';
import { activityWords, waitingWords, writingWords } from './words';

export function StatusLine({ bench, chat }: { bench: Workbench; chat: ChatState }) {
  const connection = bench.tab.state.value?.connection;
  const unanswered = bench.chat.unanswered.value;
  const lines = [
    ...chat.activities.map((activity) => ({ ...activity, words: activityWords(activity) })),
    ...(connection ? writingWords(chat.messages, chat.activities, connection) : []).map((writing) => ({
      ...writing,
      status: 'writing',
    })),
  ];
  const waiting = connection && lines.length === 0 ? waitingWords(unanswered, connection) : '';
  // An agent is there, but it must be told to listen.
  const isUnheard = lines.length === 0 && unanswered.every(({ isRead }) => !isRead);
  const hint = isUnheard && waiting !== '' && (connection?.agents.length ?? 0) > 0;
  if (lines.length === 0 && !waiting) return null;
  return (
    <div class="doing" data-testid="chat-status">
      <div class="doing-lines">
        {lines.map(({ agent, status, words }) => (
          <p key={agent} data-status={status}>
            <AgentIcon size={14} />
            <span>{words}</span>
          </p>
        ))}
        {waiting && <p class="muted">{waiting}</p>}
        {hint && (
          <p class="muted">
            Nothing happens? Ask your agent to <code>wait_for_feedback</code>.
          </p>
        )}
      </div>
      {unanswered.length > 0 && (
        <button
          type="button"
          class="button small"
          data-testid="stop-waiting"
          onClick={() => bench.chat.stop()}
        >
          Stop waiting
        </button>
      )}
    </div>
  );
}
