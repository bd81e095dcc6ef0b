/** Which of a conversation's messages wait for an answer: the background and the panel say the same. Pure. */
import type { ChatMessage } from './state/chat';

type Said = Pick<ChatMessage, 'role' | 'isComplete' | 'isAnswered'>;

/** What the person said and no agent has answered, what was refused or taken back too. In order, as given. */
export function unansweredOf<M extends Said>(inOrder: readonly M[]): M[] {
  const last = inOrder.findLastIndex(({ role, isComplete }) => role === 'assistant' && isComplete);
  // Of a message of which no host has told it, a whole answer that came later is one to it.
  return inOrder.filter(({ role, isAnswered }, at) => role === 'user' && !(isAnswered ?? at < last));
}
