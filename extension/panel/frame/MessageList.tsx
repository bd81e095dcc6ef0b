/** Messages above the lower edge: what was done, with Undo; what failed, until it is closed. */
import { CloseIcon, UndoIcon, WarningIcon } from '../../design/icons';
import type { Message, Messages } from '../messages/messages';
import type { Step } from '../messages/undo';
import { IconButton } from './IconButton';

interface Props {
  messages: Messages;
  /** Takes a step back. */
  undo: (step: Step) => void;
}

function MessageLine({
  messages,
  undo,
  message,
  newestStep,
}: Props & { message: Message; newestStep: boolean }) {
  const { step } = message;
  return (
    <div
      class={`message ${message.failed ? 'failed' : ''}`}
      onPointerEnter={() => messages.hold(message.id)}
      onPointerLeave={() => messages.release(message.id)}
      onFocusIn={() => messages.hold(message.id)}
      onFocusOut={() => messages.release(message.id)}
    >
      {message.failed && <WarningIcon />}
      <span>{message.text}</span>
      {step && (
        <button
          type="button"
          class="button small"
          data-testid={newestStep ? 'undo' : undefined}
          title={newestStep ? 'Undo (Ctrl+Z)' : undefined}
          onClick={() => undo(step)}
        >
          <UndoIcon size={14} />
          Undo
        </button>
      )}
      <IconButton label="Close message" onClick={() => messages.close(message.id)}>
        <CloseIcon size={14} />
      </IconButton>
    </div>
  );
}

export function MessageList({ messages, undo }: Props) {
  const shown = messages.shown.value;
  const newest = shown.findLast((message) => message.step)?.id;
  return (
    <div class="messages" role="log" aria-label="Messages" aria-live="polite">
      {shown.map((message) => (
        <MessageLine
          key={message.id}
          messages={messages}
          undo={undo}
          message={message}
          newestStep={message.id === newest}
        />
      ))}
    </div>
  );
}
