/**
 * Tells what a person changes in our text fields from what a page's script changes there. `document.execCommand` writes
 * into whichever field has the focus, ours too, and the browser reports that as a trusted `input`. What a person does
 * (typing, pasting, dropping, undoing, a spelling correction) is announced by a trusted `beforeinput` of the same kind
 * first.
 */

/** Kinds of change that were announced and may follow in this task. */
const announced = new Set<string>();
/** Copies of `input` events that nothing announced. */
const forged = new WeakSet<Event>();

/** Takes note of a trusted `beforeinput` in one of our fields. */
export function announce(event: Event): void {
  announced.add((event as InputEvent).inputType);
  // The change follows in the same task or not at all. A microtask would be too early: it runs between the two.
  setTimeout(() => announced.clear());
}

/** Whether a trusted `input` is a page's doing. Each announcement is good for one. */
export function isUnannounced(event: Event): boolean {
  const { inputType } = event as InputEvent;
  // An input method's last word is not announced everywhere; no command of a page has its kind.
  return !announced.delete(inputType) && !/composition/i.test(inputType);
}

export function markForged(copy: Event): void {
  forged.add(copy);
}

/** Whether this copy is of a page's change, which is to be undone. */
export function isForged(copy: Event): boolean {
  return forged.has(copy);
}
