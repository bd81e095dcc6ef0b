/** The conversations of this browser, when there are several. */
import type { Chat } from './chat';
import { summaryLabel } from './words';

export function SessionPicker({ chat }: { chat: Chat }) {
  const list = chat.list.value;
  if (list.length < 2) return null;
  const own = chat.ownId.value;
  const groups = [
    { name: 'This tab', chats: list.filter(({ sessionId }) => sessionId === own) },
    {
      name: 'Other tabs',
      chats: list.filter(({ sessionId, tabId }) => sessionId !== own && tabId !== undefined),
    },
    { name: 'Earlier on this site', chats: list.filter(({ tabId }) => tabId === undefined) },
  ];
  return (
    <nav class="sessions" aria-label="Conversations">
      <select
        class="input"
        aria-label="Conversation"
        data-testid="chat-sessions"
        value={chat.sessionId.value}
        onChange={(event) => {
          chat.chosen.value = event.currentTarget.value;
        }}
      >
        {groups
          .filter(({ chats }) => chats.length > 0)
          .map(({ name, chats }) => (
            <optgroup key={name} label={name}>
              {chats.map((chat) => (
                <option key={chat.sessionId} value={chat.sessionId}>
                  {summaryLabel(chat)}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
    </nav>
  );
}
