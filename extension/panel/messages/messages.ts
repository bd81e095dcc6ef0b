/** What the panel tells the person for a while: done, can be undone, or failed. */
import { signal } from '@preact/signals';
import type { Step } from './undo';

export interface Message {
  id: number;
  text: string;
  /** Failures stay until they are closed. */
  failed: boolean;
  /** What its Undo button takes back. */
  step?: Step;
}

const SHOWN_FOR = 6000;
const SHOWN_WITH_UNDO_FOR = 10_000;
/** More than these would cover the list; the oldest goes. */
const AT_MOST = 3;

/** Errors come from many hands; to the person they are sentences. */
export function asSentence(error: unknown): string {
  const text =
    (error instanceof Error ? error.message : String(error)).trim() || 'Something failed. Try again.';
  const ended = /[.!?”:]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

export class Messages {
  readonly shown = signal<readonly Message[]>([]);
  #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #last = 0;

  done(text: string, step?: Step): void {
    for (const old of this.shown.peek()) {
      // Of what cannot be undone only the latest is of interest; and an Undo under a newer one of the same comment
      // would take back what is no longer so.
      const replaced = old.step ? old.step.about === step?.about : !old.failed;
      if (replaced) this.close(old.id);
    }
    this.#show({ id: ++this.#last, text, failed: false, ...(step ? { step } : {}) });
  }

  failed(error: unknown): void {
    const text = asSentence(error);
    // The same failure twice is one message.
    const same = this.shown.peek().find((message) => message.failed && message.text === text);
    if (same) this.close(same.id);
    this.#show({ id: ++this.#last, text, failed: true });
  }

  close(id: number): void {
    this.hold(id);
    this.shown.value = this.shown.peek().filter((message) => message.id !== id);
  }

  /** Closes the message whose Undo is no longer there to press. */
  closeStep(step: Step): void {
    for (const message of this.shown.peek()) if (message.step === step) this.close(message.id);
  }

  /** Keeps a message while the pointer or the keyboard is on it. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Lets it go again after its time. */
  release(id: number): void {
    const message = this.shown.peek().find((candidate) => candidate.id === id);
    if (!message || message.failed) return;
    this.hold(id);
    const time = message.step ? SHOWN_WITH_UNDO_FOR : SHOWN_FOR;
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), time),
    );
  }

  #show(message: Message): void {
    const all = [...this.shown.peek(), message];
    for (const old of all.slice(0, -AT_MOST)) this.hold(old.id);
    this.shown.value = all.slice(-AT_MOST);
    this.release(message.id);
  }
}
