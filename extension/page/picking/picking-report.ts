/** Keeps the background informed of whether the person picks: the panel's button shows what it heard last. */
import { effect, type ReadonlySignal } from '@preact/signals';
import { untilAnswered } from '../../ask-again';
import { sentence } from '../messaging/sentence';

/**
 * Tells each change with `tell`, again when the background ended meanwhile, and then always as it is by then. At first
 * the background takes it that nobody picks. Returns what stops it.
 */
export function reportPicking(
  picking: ReadonlySignal<boolean>,
  tell: (picking: boolean) => Promise<unknown>,
): () => void {
  let told = false;
  let isTelling = false;
  const report = async () => {
    // One after the other, so that an older state never comes after a newer one.
    if (isTelling) return;
    isTelling = true;
    while (told !== picking.peek()) {
      const tellLatest = () => {
        told = picking.peek();
        return tell(told);
      };
      await untilAnswered(tellLatest).catch((error) => console.debug(`opentoolbar: ${sentence(error)}`));
    }
    isTelling = false;
  };
  return effect(() => {
    if (picking.value !== told) void report();
  });
}
