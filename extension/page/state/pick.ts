/** Picking: what elements are chosen for, and how far the person is. One value, so that no two of it can disagree. */
import { computed, type Signal, signal } from '@preact/signals';
import type { AnnotationRequest } from '../../generated/AnnotationRequest';

/** What the person writes about the elements for. */
type ComposedFor =
  | { kind: 'comment' }
  /** What an agent asked the person to point at. */
  | { kind: 'answer'; request: AnnotationRequest };

export type Purpose =
  | ComposedFor
  /** The element that the target at this place of a comment is pinned to from now on. */
  | { kind: 'repin'; commentId: string; at: number };

export type Pick =
  | { step: 'off' }
  /** The elements chosen so far, in order. */
  | { step: 'choosing'; purpose: Purpose; elements: readonly Element[] }
  /** The comment box is open on these. */
  | { step: 'composing'; purpose: ComposedFor; elements: Some };

type Some = readonly [Element, ...Element[]];
const NONE: readonly Element[] = [];

/** The value, and what most of those who read it want to know. */
export function createPick() {
  const pick = signal<Pick>({ step: 'off' });
  return {
    pick,
    /** Whether picking is on, the writing included. */
    picking: computed(() => pick.value.step !== 'off'),
    /** Whether the comment box is open on the picked elements. */
    composing: computed(() => pick.value.step === 'composing'),
  };
}

/** Elements picked so far, in order. No `computed` of them: it would hold the last ones after picking is off. */
export function pickedIn(pick: Pick): readonly Element[] {
  return pick.step === 'off' ? NONE : pick.elements;
}

/** What picking changes of the page's state. */
interface PickState {
  pick: Signal<Pick>;
  /** The comment whose thread is open: it would stand in the way. */
  opened: Signal<string | null>;
}

/** Starts picking for this and nothing else: what was picked for another purpose is none of it. */
export function startPicking(state: PickState, purpose: Purpose): void {
  state.opened.value = null;
  state.pick.value = { step: 'choosing', purpose, elements: NONE };
}

/** These are the elements picked so far. Does nothing while picking is off. */
export function choose(state: PickState, elements: readonly Element[]): void {
  const pick = state.pick.peek();
  if (pick.step !== 'off') state.pick.value = { step: 'choosing', purpose: pick.purpose, elements };
}

/** Opens the comment box on these elements, for what they were chosen for; without any the person chooses first. */
export function compose(
  state: PickState,
  elements: readonly Element[],
  purpose = composedFor(state.pick.peek()),
): void {
  state.pick.value = isSome(elements)
    ? { step: 'composing', purpose, elements }
    : { step: 'choosing', purpose, elements };
}

function composedFor(pick: Pick): ComposedFor {
  return pick.step === 'off' || pick.purpose.kind === 'repin' ? { kind: 'comment' } : pick.purpose;
}

function isSome(elements: readonly Element[]): elements is Some {
  return elements.length > 0;
}

/** Turns picking off, whatever it was for. */
export function stopPicking(state: PickState): void {
  state.pick.value = { step: 'off' };
}
