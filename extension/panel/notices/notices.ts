/** What the panel tells the person for a while: done, can be undone, or failed. */
import { signal } from '@preact/signals';
import type { Step } from './undo';

export interface Notice {
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

export class Notices {
  readonly shown = signal<readonly Notice[]>([]);
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
    // The same failure twice is one notice.
    const same = this.shown.peek().find((notice) => notice.failed && notice.text === text);
    if (same) this.close(same.id);
    this.#show({ id: ++this.#last, text, failed: true });
  }

  close(id: number): void {
    this.hold(id);
    this.shown.value = this.shown.peek().filter((notice) => notice.id !== id);
  }

  /** Closes the notice whose Undo is no longer there to press. */
  closeStep(step: Step): void {
    for (const notice of this.shown.peek()) if (notice.step === step) this.close(notice.id);
  }

  /** Keeps a notice while the pointer or the keyboard is on it. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Lets it go again after its time. */
  release(id: number): void {
    const notice = this.shown.peek().find((candidate) => candidate.id === id);
    if (!notice || notice.failed) return;
    this.hold(id);
    const time = notice.step ? SHOWN_WITH_UNDO_FOR : SHOWN_FOR;
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), time),
    );
  }

  #show(notice: Notice): void {
    const all = [...this.shown.peek(), notice];
    for (const old of all.slice(0, -AT_MOST)) this.hold(old.id);
    this.shown.value = all.slice(-AT_MOST);
    this.release(notice.id);
  }
}
