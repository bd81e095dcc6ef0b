/** Giving the focus to parts of ours. What is in a frame takes it by itself, and is told that it is its turn. */

const entered = new WeakMap<Element, () => void>();

/** `enter` is called whenever this part, a frame, was given the focus. */
export function onFocusOf(part: Element, enter: () => void): void {
  entered.set(part, enter);
}

/**
 * Gives the focus to a part of ours; of a frame, to what is in it. Firefox leaves it with a frame that has it until it
 * is taken away there.
 */
export function focusPart(part: HTMLElement): void {
  const { activeElement: active } = part.getRootNode() as Document | ShadowRoot;
  if (active instanceof HTMLIFrameElement && active !== part) active.blur();
  part.focus({ preventScroll: true });
  entered.get(part)?.();
}
