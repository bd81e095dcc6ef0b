/** Ends to waiting: whoever hangs answers nothing, and what was asked of it is never refused either. Milliseconds. */

/** What the hub has not answered by then is given up. */
export const HUB_ANSWERS_WITHIN = 30_000;
/**
 * The background answers the page and the panel by then, whatever became of the hub, of which it asks two things in a
 * row at most. None of these requests waits for a person.
 */
export const BACKGROUND_ANSWERS_WITHIN = 2 * HUB_ANSWERS_WITHIN + 15_000;
/**
 * A page does by then what a person told it to from the panel. One that is still loading takes no script before it is
 * read.
 */
export const PAGE_ANSWERS_WITHIN = 20_000;

/** `work` took too long. */
export class Late extends Error {}

/** What `work` gives, or rejects with what `late` makes when that takes longer. What comes later is dropped. */
export async function within<T>(
  milliseconds: number,
  work: Promise<T>,
  late = (): Error => new Late('The page does not answer. Reload it and try again.'),
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
