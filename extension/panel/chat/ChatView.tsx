/** The chat: which conversation, the conversation, and where to write. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Repair } from '../frame/Boundary';
import type { BrowserShortcuts } from '../frame/browser-shortcuts';
import { Composer } from './Composer';
import type { Chat } from './chat';
import { SessionPicker } from './SessionPicker';
import { Thread } from './Thread';

interface Props {
  chat: Chat;
  shortcuts: BrowserShortcuts;
  repair: Repair;
  /** Stands below the thread: what there is to do about the connection. */
  children: ComponentChildren;
}

export function ChatView({ chat, shortcuts, repair, children }: Props) {
  // What stands below the thread comes with it: how high it is depends on what the next words are about, and nothing
  // may move under the pointer. It stays when another conversation is read.
  const isKnown = useRef(false);
  isKnown.current ||= chat.state.value !== null || chat.sessionId.value === undefined;
  return (
    <>
      <SessionPicker chat={chat} />
      <Thread chat={chat} shortcuts={shortcuts} repair={repair} />
      {isKnown.current && (
        <>
          {children}
          <Composer chat={chat} />
        </>
      )}
    </>
  );
}
