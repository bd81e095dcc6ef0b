/**
 * Coming back into a page that took our element out. Frameworks do so once, when they begin; a page that does so
 * whenever it sees us would never end. So: in a task of its own, after pauses that grow, and after so many times no
 * more.
 */

/** The pause before the second time, milliseconds; then twice as long each time. The first time there is none. */
const FIRST_PAUSE_MS = 50;
/** Times in a row; with the pauses about six seconds. */
const MOST = 8;
/** Who was left alone for so long, milliseconds, begins anew. */
const CALM_MS = 10_000;

export class Comeback {
  #times = 0;
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `giveUp` is called once; then nothing until `renew`. */
  constructor(
    private readonly come: () => void,
    private readonly giveUp: () => void,
    signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => {
      this.#times = MOST + 1;
      clearTimeout(this.#timer);
    });
  }

  /** Our element was taken out. */
  removed(): void {
    if (this.#timer !== undefined || this.#times > MOST) return;
    if (performance.now() - this.#last > CALM_MS) this.#times = 0;
    if (this.#times === MOST) {
      this.#times += 1;
      this.giveUp();
      return;
    }
    const pause = this.#times === 0 ? 0 : FIRST_PAUSE_MS * 2 ** (this.#times - 1);
    this.#times += 1;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#last = performance.now();
      this.come();
    }, pause);
  }

  /** The person wants us there: every try is to be had again. */
  renew(): void {
    this.#times = 0;
  }
}
