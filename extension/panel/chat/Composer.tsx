/** Where a person writes. Enter sends, Shift+Enter begins a line; the text is kept until it is sent. */
import { useRef } from 'preact/hooks';
import { CloseIcon, SendIcon } from '../../design/icons';
import { IconButton } from '../frame/IconButton';
import { ContextChip } from './ContextChip';
import type { Chat } from './chat';

export const COMPOSER_ID = 'chat-composer';

/** Why nothing can be written here; empty when it can. */
function obstacle(chat: Chat): string {
  const summary = chat.summary.value;
  if (!chat.sessionId.value)
    return 'opentoolbar isn’t running on this page. Press its toolbar button there first.';
  if (summary && summary.tabId === undefined)
    return 'This conversation’s page is closed. You can read it, but not add to it.';
  return '';
}

export function Composer({ chat }: { chat: Chat }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const why = obstacle(chat);
  if (why) {
    return (
      <section class="composer" aria-label="Write a message">
        <p class="muted" data-testid="composer-closed">
          {why}
        </p>
      </section>
    );
  }
  const about = chat.about.value;
  const isEmpty = chat.draft.value.trim() === '';
  const hub = chat.connection.value?.hub;
  // What waits already says so itself.
  const isOffline = hub !== undefined && hub !== 'connected' && hub !== 'checking';
  const send = () => {
    void chat.send();
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter of an input method belongs to it.
    if (event.isComposing || event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class="composer"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {about && (
        <ContextChip key={about.id} chat={chat} context={about}>
          <IconButton
            label="Write about the whole page instead"
            testId="drop-context"
            onClick={() => {
              chat.choice.value = null;
              box.current?.focus();
            }}
          >
            <CloseIcon size={14} />
          </IconButton>
        </ContextChip>
      )}
      <div class="composer-row">
        <textarea
          ref={box}
          id={COMPOSER_ID}
          class="input"
          rows={1}
          aria-label="Message to your agent"
          placeholder={about ? 'Write about it…' : 'Write about this page…'}
          data-testid="composer"
          value={chat.draft.value}
          onInput={(event) => chat.write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          class="button primary send"
          aria-label="Send"
          title={isEmpty ? 'Write something first' : 'Send (Enter; Shift+Enter for a new line)'}
          data-testid="send"
          aria-disabled={isEmpty || chat.sending.value}
        >
          <SendIcon />
        </button>
      </div>
      {isOffline && chat.unanswered.value.length === 0 && (
        <p class="muted small-words" data-testid="chat-offline">
          The host isn’t connected. Messages wait in this browser and are sent when it is back.
        </p>
      )}
    </form>
  );
}
