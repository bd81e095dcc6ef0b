/** Messages above the lower edge: what was done, with Undo; what failed, until it is closed. */
import { CloseIcon, UndoIcon, WarningIcon } from '../../design/icons';
import type { Message } from '../messages';
import type { Workbench } from '../workbench';
import { IconButton } from './IconButton';

function MessageLine({
  bench,
  message,
  newestStep,
}: {
  bench: Workbench;
  message: Message;
  newestStep: boolean;
}) {
  const { messages } = bench;
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
      {message.step && (
        <button
          type="button"
          class="button small"
          data-testid={newestStep ? 'undo' : undefined}
          title={newestStep ? 'Undo (Ctrl+Z)' : undefined}
          onClick={() => bench.actions.undo(message.step)}
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

export function MessageList({ bench }: { bench: Workbench }) {
  const shown = bench.messages.shown.value;
  const newest = shown.findLast((message) => message.step)?.id;
  return (
    <div class="messages" role="log" aria-label="Messages" aria-live="polite">
      {shown.map((message) => (
        <MessageLine key={message.id} bench={bench} message={message} newestStep={message.id === newest} />
      ))}
    </div>
  );
}
