/** Pins a comment to elements as they are now, and back: what a person says goes before what was computed. */
import { commentTitle } from '../../design/comment-name';
import type { Comment } from '../../generated/Comment';
import type { Target } from '../../generated/Target';
import { describe } from '../describing/describe';
import { ask } from '../messaging/link';
import { sentence } from '../messaging/sentence';
import type { Sightings } from '../sightings/sightings';
import { startPicking } from '../state/pick';
import { type State, upsert } from '../state/state';
import { offerUndo } from '../state/undo';

/** What a person said of a comment's elements, as it is told of: when it is done, and when it is undone. */
interface Act {
  done: string;
  undone: string;
}

const CONFIRMED: Act = { done: 'confirmed as it is now', undone: 'no longer confirmed as it is now' };
export const ACCEPTED: Act = { done: 'accepted as it is now', undone: 'no longer accepted: it asks again' };
const PINNED: Act = { done: 'pinned to the element you chose', undone: 'pinned as it was before' };

/** Where every target is found, they can be confirmed as they are; null where one is not. */
export function confirmable(sightings: Sightings, comment: Comment): Element[] | null {
  const elements = sightings.elements(comment.id).filter((element) => element !== null);
  const certain = sightings.of(comment.id).every(({ verdict }) => verdict?.kind !== 'ambiguous');
  return certain && elements.length === comment.targets.length ? elements : null;
}

/** Still the same: the comment's elements as they are now are what it is about. */
export async function confirmSame(
  state: State,
  sightings: Sightings,
  comment: Comment,
  act = CONFIRMED,
): Promise<void> {
  const elements = confirmable(sightings, comment);
  if (!elements) {
    state.notice.value = { kind: 'error', text: 'Its element is not found for certain. Point at it again.' };
    return;
  }
  await pinAnew(state, sightings, comment, elements, act);
}

/** The target at this place is this element; the others stay as they are. */
export async function pinTo(
  state: State,
  sightings: Sightings,
  comment: Comment,
  at: number,
  element: Element,
): Promise<void> {
  const elements = comment.targets.map((_target, place) => (place === at ? element : null));
  await pinAnew(state, sightings, comment, elements, PINNED);
}

/** Starts picking the element that the target at this place is pinned to. */
export function pickFor(state: State, commentId: string, at: number): void {
  startPicking(state, { kind: 'repin', commentId, at });
}

/**
 * One element for each target; null: it stays what it is. Tells of success, with the way back, and of failure by a
 * notice.
 */
async function pinAnew(
  state: State,
  sightings: Sightings,
  comment: Comment,
  elements: readonly (Element | null)[],
  act: Act,
): Promise<void> {
  try {
    const chosen = elements.filter((element) => element !== null);
    const { targets: fresh } = await describe(chosen, new AbortController().signal);
    const rest = [...fresh];
    const targets = comment.targets.map((target, at) => (elements[at] ? (rest.shift() ?? target) : target));
    const pinned = await repin(comment.id, targets);
    sightings.adopt(pinned, elements);
    upsert(state, pinned);
    offerUndo(
      state,
      `${commentTitle(comment)} is ${act.done}.`,
      pinned,
      () => void unpin(state, comment, act),
    );
  } catch (error) {
    state.notice.value = { kind: 'error', text: `Not pinned: ${sentence(error)}` };
  }
}

async function unpin(state: State, before: Comment, { undone }: Act): Promise<void> {
  try {
    upsert(state, await repin(before.id, before.targets));
    state.notice.value = { kind: 'info', text: `${commentTitle(before)} is ${undone}.` };
  } catch (error) {
    state.notice.value = { kind: 'error', text: `Not undone: ${sentence(error)}` };
  }
}

function repin(commentId: string, targets: readonly Target[]): Promise<Comment> {
  return ask('change_comment', { commentId, change: { kind: 'repin', targets: [...targets] } });
}
