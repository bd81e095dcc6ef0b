/** One message of the thread: whose, when, about what, the words, and what can be done with it. */
import { AgentIcon, CopyIcon, DeleteIcon, RetryIcon, WarningIcon } from '../../design/icons';
import type { ChatContext, ChatMessage } from '../../state/chat';
import { Ago } from '../frame/Ago';
import { IconButton } from '../frame/IconButton';
import { LongText } from '../text/LongText';
import { AnswerText } from './AnswerText';
import { ContextChip } from './ContextChip';
import type { Chat } from './chat';

interface MessageProps {
  chat: Chat;
  message: ChatMessage;
  /** What it is about, where that is another thing than before. */
  context: ChatContext | undefined;
}

function Refused({ chat, message }: { chat: Chat; message: ChatMessage }) {
  return (
    <div class="refused" role="alert" data-testid={`refused-${message.id}`}>
      <WarningIcon size={14} />
      <p>Not sent: {message.why}</p>
      <button
        type="button"
        class="button small"
        data-testid={`retry-${message.id}`}
        onClick={() => chat.retry(message.id)}
      >
        <RetryIcon size={14} />
        Try again
      </button>
      <IconButton
        label="Copy this message"
        onClick={() => chat.clipboard.copyText(message.content, 'the message')}
      >
        <CopyIcon size={14} />
      </IconButton>
      <IconButton label="Discard this message" danger onClick={() => chat.discard(message.id)}>
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

function Own({ chat, message, context }: MessageProps) {
  return (
    <article class="said own" data-testid={`message-${message.id}`} data-delivery={message.delivery}>
      <p class="by">
        <span class="author">You</span>
        <span>
          {delivery(message)} · <Ago clock={chat.clock} at={message.createdAt} />
        </span>
      </p>
      {context && <ContextChip chat={chat} context={context} />}
      {message.content && <LongText text={message.content} />}
      {message.delivery === 'refused' && <Refused chat={chat} message={message} />}
    </article>
  );
}

function Agents({ chat, message }: { chat: Chat; message: ChatMessage }) {
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
          <Ago clock={chat.clock} at={message.createdAt} />
          {message.isComplete && (
            <IconButton
              label={`Copy the answer of ${name}`}
              testId={`copy-${message.id}`}
              onClick={() => chat.clipboard.copyText(message.content, 'the answer')}
            >
              <CopyIcon size={14} />
            </IconButton>
          )}
        </span>
      </p>
      <AnswerText chat={chat} message={message} />
    </article>
  );
}

export function MessageItem(props: MessageProps) {
  return props.message.role === 'user' ? (
    <Own {...props} />
  ) : (
    <Agents chat={props.chat} message={props.message} />
  );
}
