/** One message of the thread: whose, when, about what, the words, and what can be done with it. */
import { AgentIcon, CopyIcon, DeleteIcon, RetryIcon, WarningIcon } from '../../design/icons';
import type { ChatContext, ChatMessage } from '../../state/chat';
import { LongText } from '../comments/LongText';
import { Ago } from '../frame/Ago';
import { IconButton } from '../frame/IconButton';
import type { Workbench } from '../workbench';
import { AnswerText } from './AnswerText';
import { ContextChip } from './ContextChip';

interface MessageProps {
  bench: Workbench;
  message: ChatMessage;
  /** What it is about, where that is another thing than before. */
  context: ChatContext | undefined;
}

function Refused({ bench, message }: { bench: Workbench; message: ChatMessage }) {
  return (
    <div class="refused" role="alert" data-testid={`refused-${message.id}`}>
      <WarningIcon size={14} />
      <p>Not sent: {message.why}</p>
      <button
        type="button"
        class="button small"
        data-testid={`retry-${message.id}`}
        onClick={() => bench.chat.retry(message.id)}
      >
        <RetryIcon size={14} />
        Try again
      </button>
      <IconButton label="Copy this message" onClick={() => bench.copyText(message.content, 'the message')}>
        <CopyIcon size={14} />
      </IconButton>
      <IconButton label="Discard this message" danger onClick={() => bench.chat.discard(message.id)}>
        <DeleteIcon size={14} />
      </IconButton>
    </div>
  );
}

/** How far the person's message has come, in a word. */
function delivery({ delivery, isRead, isStopped }: ChatMessage): string {
  if (delivery === 'refused') return 'Not sent';
  if (delivery === 'waiting') return 'Waiting';
  if (isStopped) return 'Taken back';
  return isRead ? 'Read' : 'Sent';
}

function Own({ bench, message, context }: MessageProps) {
  return (
    <article class="said own" data-testid={`message-${message.id}`} data-delivery={message.delivery}>
      <p class="by">
        <span class="author">You</span>
        <span>
          {delivery(message)} · <Ago bench={bench} at={message.createdAt} />
        </span>
      </p>
      {context && <ContextChip bench={bench} context={context} />}
      {message.content && <LongText text={message.content} />}
      {message.delivery === 'refused' && <Refused bench={bench} message={message} />}
    </article>
  );
}

function Agents({ bench, message }: { bench: Workbench; message: ChatMessage }) {
  const name = message.agent ?? 'Agent';
  return (
    <article
      class="said"
      data-testid={`message-${message.id}`}
      data-complete={message.isComplete}
      aria-busy={!message.isComplete}
    >
      <p class="by">
        <span class="author">
          <AgentIcon size={14} />
          {name}
        </span>
        <span class="row tools">
          <Ago bench={bench} at={message.createdAt} />
          {message.isComplete && (
            <IconButton
              label={`Copy the answer of ${name}`}
              testId={`copy-${message.id}`}
              onClick={() => bench.copyText(message.content, 'the answer')}
            >
              <CopyIcon size={14} />
            </IconButton>
          )}
        </span>
      </p>
      <AnswerText bench={bench} message={message} />
    </article>
  );
}

export function MessageItem(props: MessageProps) {
  return props.message.role === 'user' ? (
    <Own {...props} />
  ) : (
    <Agents bench={props.bench} message={props.message} />
  );
}
