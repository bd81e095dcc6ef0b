/** The chat: which conversation, the conversation, and where to write. */
import { useRef } from 'preact/hooks';
import { ConnectionAdvice } from '../connection/ConnectionStrip';
import { PairingDetails } from '../connection/PairingDetails';
import { Boundary } from '../frame/Boundary';
import type { Workbench } from '../workbench';
import { Composer } from './Composer';
import { SessionPicker } from './SessionPicker';
import { Thread } from './Thread';

export function ChatView({ bench }: { bench: Workbench }) {
  // What stands below the thread comes with it: how high it is depends on what the next words are about, and nothing may
  // move under the pointer. It stays when another conversation is read.
  const isKnown = useRef(false);
  isKnown.current ||= bench.chat.state.value !== null || bench.chat.sessionId.value === undefined;
  return (
    <>
      <SessionPicker bench={bench} />
      <Thread bench={bench} />
      {isKnown.current && (
        <>
          <Boundary bench={bench} what="What there is to do about the connection">
            <ConnectionAdvice bench={bench} />
          </Boundary>
          <PairingDetails bench={bench} />
          <Composer bench={bench} />
        </>
      )}
    </>
  );
}
