/**
 * The conversation. Stays at its end while it is there; else a button tells of what came. Whole answers are announced
 * elsewhere.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { DownIcon } from '../../design/icons';
import type { ChatContext } from '../../state/chat';
import { Boundary, type Repair } from '../frame/Boundary';
import type { BrowserShortcuts } from '../frame/browser-shortcuts';
import { AnnotationNote } from './AnnotationNote';
import type { Chat } from './chat';
import { MessageItem } from './MessageItem';
import { NoMessages } from './NoMessages';
import { StatusLine } from './StatusLine';

/** So near to its end counts as the end, CSS pixels. */
const NEAR = 24;

interface Props {
  chat: Chat;
  shortcuts: BrowserShortcuts;
  repair: Repair;
}

export function Thread({ chat, shortcuts, repair }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd } = chat;
  const lastTop = useRef(0);
  const hasNews = useSignal(false);
  const state = chat.state.value;
  const sessionId = chat.sessionId.value;

  const toEnd = () => {
    const element = scroller.current;
    if (element) {
      element.scrollTop = element.scrollHeight;
      lastTop.current = element.scrollTop;
    }
    atEnd.value = true;
    hasNews.value = false;
  };

  useLayoutEffect(toEnd, [sessionId]);
  useEffect(() => {
    const element = content.current;
    if (!element) return;
    let height = element.offsetHeight;
    const grown = new ResizeObserver(() => {
      const before = height;
      height = element.offsetHeight;
      if (atEnd.peek()) toEnd();
      else if (height > before) hasNews.value = true;
    });
    grown.observe(element);
    if (scroller.current) grown.observe(scroller.current);
    return () => grown.disconnect();
  }, []);
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const { scrollHeight, scrollTop, clientHeight } = element;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
    // What comes into sight takes its real height only then: who has not gone up has not left the end.
    if (isNear) atEnd.value = true;
    else if (scrollTop < lastTop.current) atEnd.value = false;
    lastTop.current = scrollTop;
    if (atEnd.peek()) hasNews.value = false;
  };

  const contexts = new Map(state?.contexts.map((context) => [context.id, context]));
  let shown: string | undefined;
  const about = (contextId: string | undefined): ChatContext | undefined => {
    if (contextId === shown) return undefined;
    shown = contextId;
    return contexts.get(contextId ?? '');
  };
  const isEmpty = !state || state.messages.length + state.annotations.length === 0;
  return (
    <div class="thread-frame">
      <main class="view" aria-label="Chat" ref={scroller} onScroll={onScroll}>
        <div
          ref={content}
          class="said-list"
          role="log"
          aria-live="off"
          aria-label="Conversation"
          data-testid="chat-log"
        >
          {isEmpty && <NoMessages clipboard={chat.clipboard} shortcuts={shortcuts} isLoading={!state} />}
          {state?.messages.map((message) => (
            <Boundary key={message.id} repair={repair} what="This message" of={message}>
              <MessageItem
                chat={chat}
                message={message}
                context={message.role === 'user' ? about(message.contextId) : undefined}
              />
            </Boundary>
          ))}
          {state?.annotations.map((request) => (
            <Boundary key={request.annotationId} repair={repair} what="What the agent asks for" of={request}>
              <AnnotationNote chat={chat} request={request} />
            </Boundary>
          ))}
          {state && <StatusLine chat={chat} state={state} />}
        </div>
      </main>
      {hasNews.value && (
        <button type="button" class="button small to-end" data-testid="new-messages" onClick={toEnd}>
          <DownIcon size={14} />
          New messages
        </button>
      )}
    </div>
  );
}
