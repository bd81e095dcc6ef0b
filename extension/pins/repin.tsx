/** For a comment whose element changed or is gone: keep it as it is now, or point at another one. */
import { useState } from 'preact/hooks';
import type { Comment } from '../generated/Comment';
import { describe } from '../overlay/describe';
import { ask } from '../overlay/link';
import { type State, upsert } from '../overlay/state';
import { sentence } from '../overlay/words';
import type { Sightings } from './sightings';

interface Props {
  state: State;
  comment: Comment;
  sightings: Sightings;
  /** Every target is found: it can be confirmed as it is. */
  offerSame: boolean;
}

export function Repin({ state, comment, sightings, offerSame }: Props) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    const elements = sightings.elements(comment.id).filter((element) => element !== null);
    if (busy || elements.length !== comment.targets.length) return;
    setBusy(true);
    await pinAnew(state, sightings, comment.id, elements);
    setBusy(false);
  };
  const pick = () => {
    state.opened.value = null;
    state.repinning.value = comment.id;
    state.picking.value = true;
  };
  return (
    <div class="row">
      {offerSame && (
        <button
          type="button"
          class="button"
          data-testid="thread-still-same"
          data-part
          aria-disabled={busy}
          onClick={() => void confirm()}
        >
          Still the same
        </button>
      )}
      <button type="button" class="button" data-testid="thread-repin" data-part onClick={pick}>
        Point at it again
      </button>
    </div>
  );
}

/** Pins a comment to these elements as they are now. Tells of success and failure by a notice. */
export async function pinAnew(
  state: State,
  sightings: Sightings,
  commentId: string,
  elements: readonly Element[],
): Promise<void> {
  try {
    const { targets } = await describe(elements, new AbortController().signal);
    const comment = await ask('change_comment', { commentId, change: { kind: 'repin', targets } });
    sightings.adopt(comment, elements);
    upsert(state, comment);
    state.notice.value = {
      kind: 'info',
      text: `Comment ${state.numbers.value.get(commentId) ?? ''} is pinned as it is now.`,
    };
  } catch (error) {
    state.notice.value = { kind: 'error', text: `Not pinned: ${sentence(error)}` };
  }
}
