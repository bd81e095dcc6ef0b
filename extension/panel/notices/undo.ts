/** What can be taken back, the newest first. Knows no clock: whoever shows it decides for how long. */

export interface Step {
  /** What was done: `Deleted comment 3`. */
  label: string;
  /** The comment it was done to. */
  about: string;
  /** Why it is not to be taken back any more, a sentence; empty while it is. */
  refused?(): string;
  /** Takes it back; rejects with a sentence. */
  undo(): Promise<void>;
}

/** Steps kept; older ones are forgotten. */
const LIMIT = 50;

export class UndoStack {
  #steps: Step[] = [];

  get size(): number {
    return this.#steps.length;
  }

  push(step: Step): void {
    this.#steps.push(step);
    if (this.#steps.length > LIMIT) this.#steps.shift();
  }

  /**
   * Takes back the newest step, or the given one if it was not taken back yet. Resolves to the step, or to nothing
   * when there is none. When it cannot be taken back the step stays, so that the person can try again; one that is
   * refused for good does not.
   */
  async undo(step: Step | undefined = this.#steps.at(-1)): Promise<Step | undefined> {
    const at = step ? this.#steps.indexOf(step) : -1;
    if (!step || at < 0) return undefined;
    this.#steps.splice(at, 1);
    const refused = step.refused?.() ?? '';
    if (refused) throw new Error(refused);
    try {
      await step.undo();
    } catch (error) {
      this.#steps.splice(at, 0, step);
      throw error;
    }
    return step;
  }
}
