/** Asking a background that browsers end when they like. */

import { BACKGROUND_ANSWERS_WITHIN, within } from './deadline';

/** The background ended before it answered: whether it did what was asked is not known. */
export class Unanswered extends Error {}

/**
 * The background lives and did not answer in time. Asking again does not wake it, as it does one that ended: that is a
 * person's to do.
 */
export class TooLate extends Unanswered {}

/** What the background answers; rejects with `TooLate` and this sentence when it hangs. */
export function inTime<T>(asked: Promise<T>, sentence: string): Promise<T> {
  return within(BACKGROUND_ANSWERS_WITHIN, asked, () => new TooLate(sentence));
}

/** A background that ends this often in a row is not ended by its browser's thrift. */
const TRIES = 4;
/**
 * One that is being ended, or just starts, refuses at once: the pause before the second try, milliseconds; then thrice
 * as long each time.
 */
const FIRST_PAUSE = 100;

/** For what is done once however often it is asked: asks again, which also starts the background again. */
export async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1, pause = FIRST_PAUSE; ; left -= 1, pause *= 3) {
    try {
      return await ask();
    } catch (failure) {
      if (left === 0 || !(failure instanceof Unanswered) || failure instanceof TooLate) throw failure;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
