/** What is known of one target of a comment: a weak reference to its element, and what the core said of it. */
import { isAttached } from '../../capture/tree';
import type { Cause } from '../../generated/Cause';
import type { Verdict } from '../../generated/Verdict';
import type { Whereabouts } from './whereabouts';

/** Why an element need not be found well at the moment, although nothing is wrong with it. */
export type Excuse =
  /** Its place is scrolled out of view, in a list that draws only what is in view. */
  | 'scrolled'
  /** It was never seen here, and its list draws only a part of itself. */
  | 'in_part'
  /** The comment was made at another address of this page: another query or another `#/` route. */
  | 'elsewhere'
  /** The page is still being loaded. */
  | 'coming';

/** What is known of one target of one comment. */
export interface Sighting {
  element: WeakRef<Element> | null;
  /** The node that was found for sure under the source of now; it stays when it is not found again. */
  node: WeakRef<Element> | null;
  hash: number;
  /** Text beyond what the hash sees: the page's own word that it changed counts. */
  whole: boolean;
  /** Whether the stored selector led to the element at the last look, and to how many at all. */
  leads: boolean;
  count: 0 | 1 | 2 | null;
  verdict: Verdict | null;
  /** Whether it is of a change of the source that everyone is to be told of. */
  counts: boolean;
  /** What a difference comes from; null before the first look, and of what was pinned on this very page. */
  cause: Cause | null;
  /** Whether the part of the page that it belongs to is shown: if not, it is not missing. */
  inView: boolean;
  /** Whether the source changed since it was last seen, as far as is known. */
  sourceChanged: boolean;
  /** Elements that it may be, best first. */
  candidates: readonly WeakRef<Element>[];
  /** Why it cannot be looked for; empty: it can. */
  unreadable: string;
  /** Where its element was when it was last seen as it is known. */
  whereabouts: Whereabouts | null;
  /** Why it need not be found well now although nothing is wrong with it. */
  excuse: Excuse | null;
}

/** The element itself, as long as it is a part of the page. */
export function liveElement(sighting: Sighting): Element | null {
  const element = sighting.element?.deref();
  return element && isAttached(element) ? element : null;
}
