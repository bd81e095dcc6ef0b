/**
 * Waits for what a person would wait for. A bound here is generous: it tells "never" from "late", and measures nothing.
 */

const PATIENCE_MS = 15_000;

/** Asks again and again until the answer is not null, undefined or false; says what it waited for when it never is. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patience = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + patience;
  let trouble: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      trouble = undefined;
    } catch (error) {
      trouble = error;
    }
    if (Date.now() > end) {
      throw new Error(`${what}: not within ${patience / 1000} s${trouble ? ` (${String(trouble)})` : ''}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Waits for work that may never end, so many milliseconds at most. */
export async function inTime<T>(what: string, work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
