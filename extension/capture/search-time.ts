/** The time that a search of the page may take: in slices, between which the page has its turn, and within a bound. */
import { nextTurn } from './slices';

/** The page has its turn after this long, milliseconds. */
const SLICE_MS = 8;

export class SearchTime {
  readonly #end: number;
  #slice: number;

  /** Ends `within` so many milliseconds from now. */
  constructor(within: number) {
    this.#slice = performance.now();
    this.#end = this.#slice + within;
  }

  /** Whether the page is to have its turn. */
  isDue(): boolean {
    return performance.now() - this.#slice >= SLICE_MS;
  }

  /** Gives the page its turn; false: the time is over. */
  async rest(): Promise<boolean> {
    if (this.#slice >= this.#end) return false;
    await nextTurn();
    this.#slice = performance.now();
    return true;
  }
}
