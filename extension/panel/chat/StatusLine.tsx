/** What agents are doing, or how far the question has come; with the way to stop waiting. */
import { AgentIcon } from '../../design/icons';
import type { ChatState } from '../../state/chat';
import { LISTEN } from '../connection/lights';
import { Command } from '../frame/Command';
import type { Chat } from './chat';
import { activityWords, waitingWords, writingWords } from './words';

export function StatusLine({ chat, state }: { chat: Chat; state: ChatState }) {
  const connection = chat.connection.value;
  const unanswered = chat.unanswered.value;
  const agents = connection?.agents ?? [];
  const lines = [
    ...state.activities.map((activity) => ({ ...activity, words: activityWords(activity, agents) })),
    ...(connection ? writingWords(state.messages, state.activities, connection) : []).map((writing) => ({
      ...writing,
      status: 'writing',
    })),
  ];
  const waiting = connection && lines.length === 0 ? waitingWords(unanswered, connection) : '';
  // Agents are there, and none of them listens. Of one that was never asked for anything the connection's advice says
  // it.
  const isUnheard = lines.length === 0 && waiting !== '' && unanswered.every(({ isRead }) => !isRead);
  const hint = isUnheard && agents.some(({ isNew }) => !isNew) && agents.every(({ isWaiting }) => !isWaiting);
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
          <div class="muted" data-testid="chat-hint">
            Nobody listens just now. Tell your agent, where it runs:
            <Command clipboard={chat.clipboard} command={LISTEN} />
          </div>
        )}
      </div>
      {unanswered.length > 0 && (
        <button type="button" class="button small" data-testid="stop-waiting" onClick={() => chat.stop()}>
          Stop waiting
        </button>
      )}
    </div>
  );
}
