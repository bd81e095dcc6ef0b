/** Brings a comment's element into view, because the person asked for it, and flashes it. */
import { scrollIntoView } from '../../capture/dom';
import { viewportBox } from '../../capture/geometry';
import type { Root } from '../host/root';
import type { Follow } from '../positioning/follow';
import { Outline } from '../positioning/outline';
import { firstGuess } from '../sightings/address';
import type { Sightings } from '../sightings/sightings';
import { standingOf } from '../sightings/standing';
import { scrollBack } from '../sightings/whereabouts';
import type { State } from '../state/state';

const FLASH_MS = 1_600;

export function jumpTo(
  root: Root,
  state: State,
  follow: Follow,
  sightings: Sightings,
  commentId: string,
): void {
  const comment = state.here.value.find((each) => each.id === commentId);
  if (!comment) {
    const other = state.comments.value.find((each) => each.id === commentId);
    state.notice.value = {
      kind: 'error',
      text: other
        ? `That comment is on ${other.pathname}. Go there and try again.`
        : 'That comment is not known here.',
    };
    return;
  }
  state.revealed.value = new Set([...state.revealed.value, commentId]);
  // A pin that was not drawn until now: the core has not looked yet.
  const seen = sightings.of(commentId).length > 0 ? sightings.elements(commentId) : [firstGuess(comment)];
  const elements = seen.filter((element) => element !== null);
  const first = elements[0];
  const calm =
    matchMedia('(prefers-reduced-motion: reduce)').matches || document.visibilityState !== 'visible';
  if (!first || viewportBox(first).height === 0) {
    const targets = sightings.of(commentId);
    const standing = standingOf(comment, targets, sightings.isHeld(commentId));
    state.opened.value = commentId;
    // Its list draws it when it is scrolled there.
    if (standing.place === 'scrolled' && targets.some(({ whereabouts }) => scrollBack(whereabouts))) return;
    // Its thread says why.
    if (!standing.reason)
      state.notice.value = { kind: 'error', text: 'Its element is not shown on the page at the moment.' };
    return;
  }
  // A page that is not drawn may drop a scroll that takes time.
  scrollIntoView(first, { block: 'center', inline: 'nearest', behavior: calm ? 'instant' : 'smooth' });
  const layer = root.layer('flash');
  const frames = elements.map((element) => new Outline(layer, element, { kind: 'target' }));
  const end = new AbortController();
  follow.each(() => frames.map((frame) => frame.update()).some(Boolean), end.signal);
  setTimeout(() => {
    end.abort();
    layer.remove();
  }, FLASH_MS);
}
