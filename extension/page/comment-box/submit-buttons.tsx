/**
 * How words about picked elements go on their way: as a comment, to the chat, or as the answer to what an agent asked.
 */
import { ChatIcon } from '../../design/icons';
import type { AnnotationRequest } from '../../generated/AnnotationRequest';

const modifier = /mac/i.test(navigator.platform) ? '⌘' : 'Ctrl';

export interface SubmitButtonsProps {
  /** What an agent asked for, when that is answered. */
  answering: AnnotationRequest | null;
  isEmpty: boolean;
  isSaving: boolean;
  /** The last attempt failed. */
  hasFailed: boolean;
  onSave: () => void;
  onSend: () => void;
}

export function SubmitButtons({
  answering,
  isEmpty,
  isSaving,
  hasFailed,
  onSave,
  onSend,
}: SubmitButtonsProps) {
  if (answering) {
    return (
      <button
        type="button"
        class="button primary"
        data-testid="chat-submit"
        data-part
        aria-disabled={isSaving}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onClick={onSend}
      >
        {isSaving ? 'Sending…' : hasFailed ? 'Try again' : `Show ${answering.agent}`}
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        class="button"
        data-testid="chat-submit"
        data-part
        title={`Send to chat (${modifier}+Shift+Enter)`}
        aria-disabled={isSaving || isEmpty}
        aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
        onClick={onSend}
      >
        <ChatIcon />
        Send to chat
      </button>
      <button
        type="button"
        class="button primary"
        data-testid="comment-submit"
        data-part
        aria-disabled={isSaving || isEmpty}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onClick={onSave}
      >
        {isSaving ? 'Saving…' : hasFailed ? 'Try again' : 'Save'}
        {!hasFailed && (
          <span class="key" aria-hidden="true">
            {modifier} ↵
          </span>
        )}
      </button>
    </>
  );
}
