/** Asks once whether data that could belong to this tab's project is to be taken over. */
import { useSignal } from '@preact/signals';
import type { Offer } from '../../generated/Offer';
import { asSentence } from '../messages';
import type { Workbench } from '../workbench';

export function OfferNotice({ bench, offer }: { bench: Workbench; offer: Offer }) {
  const busy = useSignal(false);
  const error = useSignal('');
  const answer = async (accept: boolean) => {
    if (busy.value) return;
    busy.value = true;
    error.value = '';
    try {
      await bench.answerOffer(offer.id, accept);
    } catch (failure) {
      error.value = asSentence(failure);
    }
    busy.value = false;
  };
  return (
    <div class="advice" data-testid="offer">
      {offer.kind === 'moved' ? (
        <p>
          The project that was in <code>{offer.from}</code> is gone. Take its comments and conversations over
          into <code>{offer.project.root}</code>?
        </p>
      ) : (
        <p>
          There is a database in <code>{offer.from}</code>: {offer.reason}. Take its comments over, marked as
          somebody else’s?
        </p>
      )}
      <button
        type="button"
        class="button small primary"
        data-testid="offer-accept"
        disabled={busy.value}
        onClick={() => answer(true)}
      >
        Take over
      </button>
      <button
        type="button"
        class="button small"
        data-testid="offer-decline"
        title="You aren’t asked again"
        disabled={busy.value}
        onClick={() => answer(false)}
      >
        Not now
      </button>
      {error.value && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
