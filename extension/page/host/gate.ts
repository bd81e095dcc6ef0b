/**
 * The first listeners of a page's window. Listeners run in the order in which they were added, so these are added
 * before the page's first script runs; what they stop, no listener of the page hears. Nothing is stopped until the
 * overlay asks for it.
 *
 * A page that was open before the extension came, or that opened its document anew (`document.open`), may listen before
 * us.
 */

/** All that says what is typed, copied or focused in our root, and that our root enters the top layer. */
const GUARDED = [
  'keydown',
  'keyup',
  'keypress',
  'textInput',
  'beforeinput',
  'input',
  'beforepaste',
  'paste',
  'beforecopy',
  'copy',
  'beforecut',
  'cut',
  'compositionstart',
  'compositionupdate',
  'compositionend',
  'focus',
  'blur',
  'focusin',
  'focusout',
  'dragstart',
  'drag',
  'dragenter',
  'dragover',
  'dragleave',
  'drop',
  'dragend',
  'selectstart',
  'beforetoggle',
  'toggle',
] as const;

type Guard = (event: Event) => void;

/**
 * In the world of this extension's own scripts, which the page does not see: the small script opens it, the overlay
 * uses it.
 */
const PLACE = 'opentoolbarGate';

const scope = globalThis as { [PLACE]?: Set<Guard> };

/** Listens until the signal ends. */
export function openGate(signal: AbortSignal): void {
  const guards = new Set<Guard>();
  scope[PLACE] = guards;
  const onEvent = (event: Event) => {
    for (const guard of guards) guard(event);
  };
  for (const type of GUARDED) window.addEventListener(type, onEvent, { capture: true, signal });
}

/** Asks `guard` about each event, in the capture phase, before the page hears of it. */
export function guardEvents(guard: Guard, signal: AbortSignal): void {
  const guards = scope[PLACE];
  if (!guards) throw new Error('The page has no gate. Reload the page.');
  guards.add(guard);
  signal.addEventListener('abort', () => guards.delete(guard));
}
