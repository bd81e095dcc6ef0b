/** Asks once whether data that could belong to this tab's project is to be taken over. */
import { useSignal } from '@preact/signals';
import type { Offer } from '../../generated/Offer';
import { asSentence } from '../notices/notices';
import type { HostLink } from './host-link';

export function OfferNotice({ link, offer }: { link: HostLink; offer: Offer }) {
  const busy = useSignal(false);
  const error = useSignal('');
  const answer = async (accept: boolean) => {
    if (busy.value) return;
    busy.value = true;
    error.value = '';
    try {
      await link.answerOffer(offer.id, accept);
    } catch (failure) {
      error.value = asSentence(failure);
    }
    busy.value = false;
  };
  return (
    <section class="advice" aria-label={`Data in ${offer.from}`} data-testid="offer">
      {offer.kind === 'moved' ? (
        <p>
          The project in <code>{offer.from}</code> is gone. Move its comments and conversations to{' '}
          <code>{offer.project.root}</code>?
        </p>
      ) : (
        <p>
          Found a database in <code>{offer.from}</code>: {offer.reason}. Import its comments, marked as
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
        {offer.kind === 'moved' ? 'Move' : 'Import'}
      </button>
      <button
        type="button"
        class="button small"
        data-testid="offer-decline"
        title="Leave it where it is; you won’t be asked again"
        disabled={busy.value}
        onClick={() => answer(false)}
      >
        Don’t {offer.kind === 'moved' ? 'move' : 'import'}
      </button>
      {error.value && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
