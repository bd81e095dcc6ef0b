/**
 * Keeps every view of a conversation up to date: the whole when something changes, only the new text while an answer
 * grows.
 */
import type { ChatState } from '../state/chat';
import type { ChatToPanel } from '../state/ports';

/** What a view needs of a port to a panel. */
export interface ChatPort {
  postMessage(message: ChatToPanel): void;
}

export class ChatViews {
  #state: (sessionId: string) => Promise<ChatState | undefined>;
  #ports = new Map<ChatPort, string>();
  #due = new Set<string>();

  constructor(state: (sessionId: string) => Promise<ChatState | undefined>) {
    this.#state = state;
  }

  watch(port: ChatPort, sessionId: string): void {
    this.#ports.set(port, sessionId);
    this.changed(sessionId);
  }

  unwatch(port: ChatPort): void {
    this.#ports.delete(port);
  }

  /** Once for all changes of a moment. */
  changed(sessionId: string): void {
    if (this.#due.has(sessionId)) return;
    this.#due.add(sessionId);
    queueMicrotask(async () => {
      this.#due.delete(sessionId);
      if (![...this.#ports.values()].includes(sessionId)) return;
      const chat = (await this.#state(sessionId)) ?? nothingYet(sessionId);
      this.#post(sessionId, { type: 'chat', chat });
    });
  }

  grew(sessionId: string, messageId: string, text: string, parts: number): void {
    this.#post(sessionId, { type: 'chat_text', messageId, text, parts });
  }

  #post(sessionId: string, message: ChatToPanel): void {
    for (const [port, watched] of this.#ports) {
      if (watched !== sessionId) continue;
      try {
        port.postMessage(message);
      } catch {
        this.#ports.delete(port); // the panel has gone
      }
    }
  }
}

function nothingYet(sessionId: string): ChatState {
  return { sessionId, messages: [], contexts: [], activities: [], annotations: [] };
}
