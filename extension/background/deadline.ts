/** An end to waiting for a page: one that hangs answers nothing, and its messages are never refused either. */

/** What `work` gives, or rejects when that takes longer. What comes later is dropped. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The page does not answer.')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
