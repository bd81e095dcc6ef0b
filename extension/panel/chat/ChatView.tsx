/** The chat: which conversation, the conversation, and where to write. */
import { PairingDetails } from '../connection/PairingDetails';
import { ConnectionAdvice } from '../frame/ConnectionStrip';
import type { Workbench } from '../workbench';
import { Composer } from './Composer';
import { SessionPicker } from './SessionPicker';
import { Thread } from './Thread';

export function ChatView({ bench }: { bench: Workbench }) {
  return (
    <>
      <SessionPicker bench={bench} />
      <Thread bench={bench} />
      <ConnectionAdvice bench={bench} />
      <PairingDetails bench={bench} />
      <Composer bench={bench} />
    </>
  );
}
