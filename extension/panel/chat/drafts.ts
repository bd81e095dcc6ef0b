/** What a person is writing and has not sent, for each conversation: it outlives the panel. */
const KEY = 'opentoolbar.panel.chat-drafts';
const MOST = 20;

type Kept = [sessionId: string, text: string][];

function kept(): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? (value as Kept) : [];
  } catch {
    return [];
  }
}

export function draftOf(sessionId: string): string {
  return kept().find(([id]) => id === sessionId)?.[1] ?? '';
}

/** An empty text is forgotten. */
export function keepDraft(sessionId: string, text: string): void {
  const others = kept().filter(([id]) => id !== sessionId);
  const all: Kept = text.trim() ? [[sessionId, text], ...others] : others;
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(0, MOST)));
  } catch {
    // No room: it is kept for as long as the panel is open.
  }
}
