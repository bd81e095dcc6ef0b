/** What is of no interest before it has been so for a while. */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** True once `is` has been true for so many milliseconds without a break. `ended`: when it is asked no more. */
export function lingering(
  is: ReadonlySignal<boolean>,
  milliseconds: number,
  ended: AbortSignal,
): ReadonlySignal<boolean> {
  const lingers: Signal<boolean> = signal(false);
  const stop = effect(() => {
    if (!is.value) {
      lingers.value = false;
      return;
    }
    const timer = setTimeout(() => {
      lingers.value = true;
    }, milliseconds);
    return () => clearTimeout(timer);
  });
  ended.addEventListener('abort', stop);
  return lingers;
}
