/**
 * Looks at the page again when an element is gone or different: captures, asks the core, takes its verdicts. At most one
 * capture a second, and none while nothing is due.
 */
import { capturePage } from '../capture/capture';
import { resolveSelector } from '../capture/resolve';
import { documentsOf, rootsOf } from '../capture/tree';
import type { Comment } from '../generated/Comment';
import type { Verdict } from '../generated/Verdict';
import { ask } from '../overlay/link';
import type { State } from '../overlay/state';
import { sentence } from '../overlay/words';
import type { Sightings } from './sightings';

const DEBOUNCE_MS = 150;
const BETWEEN_CAPTURES_MS = 1_000;
/** The background may be starting: try again, slower each time. */
const MAX_RETRY_MS = 30_000;

export interface Look {
  /** The comments or the page have changed; looks soon if anything is due. */
  soon: (pageChanged: boolean) => void;
  /** Watches this element's shadow roots and frames for changes as well. */
  watch: (element: Element) => void;
}

export function initLook(
  state: State,
  sightings: Sightings,
  onSeen: () => void,
  onMutation: () => void,
  signal: AbortSignal,
): Look {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changed = false;
  let looking = false;
  let last = Number.NEGATIVE_INFINITY;
  let retry = BETWEEN_CAPTURES_MS;

  const later = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), wait);
  };

  const run = async () => {
    timer = undefined;
    if (signal.aborted || looking) return;
    const due = state.pinned.value.filter((comment) => sightings.isDue(comment, changed));
    if (due.length === 0) {
      changed = false;
      return onSeen();
    }
    const wait = last + BETWEEN_CAPTURES_MS - performance.now();
    if (wait > 0) return later(wait);
    looking = true;
    changed = false;
    last = performance.now();
    try {
      await look(due);
      retry = BETWEEN_CAPTURES_MS;
    } catch (error) {
      if (!signal.aborted) {
        console.warn(`opentoolbar: could not look for the commented elements: ${sentence(error)}`);
        changed = true;
        retry = Math.min(retry * 2, MAX_RETRY_MS);
        if (document.visibilityState === 'visible') later(retry);
      }
    } finally {
      looking = false;
    }
    onSeen();
    if (changed && timer === undefined && !signal.aborted) later(DEBOUNCE_MS);
  };

  const look = async (due: readonly Comment[]) => {
    const page = await capturePage(signal);
    const verdicts = await ask('relocate', {
      capture: JSON.stringify(page.capture),
      commentIds: due.map((comment) => comment.id),
    });
    for (const [at, comment] of due.entries()) {
      const answer = verdicts[at];
      if (answer && fits(comment, answer)) sightings.take(comment, answer, page.nodes);
    }
    if (page.mutated) changed = true;
  };

  const soon = (pageChanged: boolean) => {
    changed ||= pageChanged;
    if (timer === undefined && !looking) later(DEBOUNCE_MS);
  };

  const observer = new MutationObserver((records) => {
    if (
      records.every(
        ({ target }) => target.nodeType === 1 && (target as Element).localName === 'opentoolbar-root',
      )
    )
      return;
    onMutation();
    soon(true);
  });
  const observed = new WeakSet<Node>();
  const observe = (node: Document | ShadowRoot) => {
    if (observed.has(node)) return;
    observed.add(node);
    observer.observe(node, { subtree: true, childList: true, characterData: true, attributes: true });
  };
  for (const each of documentsOf(document)) observe(each);
  const onLoad = () => {
    for (const each of documentsOf(document)) observe(each);
    soon(true);
  };
  document.addEventListener('load', onLoad, { capture: true, signal });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });

  return {
    soon,
    watch: (element) => {
      for (const root of rootsOf(element)) observe(root);
    },
  };
}

/** One verdict for each target. */
function fits(comment: Comment, verdicts: readonly Verdict[]): boolean {
  return verdicts.length === comment.targets.length;
}

/** Where the selector points now, before the core has looked: a place to draw the pin at once. */
export function firstGuess(comment: Comment): Element | null {
  const target = comment.targets[0];
  const found = target ? resolveSelector(target.selector) : [];
  return found.length === 1 ? (found[0] ?? null) : null;
}
