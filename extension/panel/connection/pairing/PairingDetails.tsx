/**
 * Where no host is found: pairing with a code. Where one is paired: which, whether it is in use, and how to forget it.
 */
import type { Connection, PairedHost } from '../../../state/connection';
import { useWantedFocus } from '../focus';
import type { HostLink } from '../host-link';
import { PairingForm } from './PairingForm';
import type { Pairing } from './pairing';

/** What the pairing is to the connection now, a sentence. */
export function pairedSentence({ hub, way }: Connection, { host, address, isKnown }: PairedHost): string {
  const where = `${host} (${address})`;
  if (!isKnown) return `This browser was paired with ${where}.`;
  if (hub === 'connected' && way === 'native') {
    return `The host of this machine is in use. This browser is also paired with ${where}, for when that is not there.`;
  }
  if (hub === 'connected') return `Connected to ${where} by pairing; no host is used on this machine.`;
  return `This browser is paired with ${where}.`;
}

export function PairingDetails({ link }: { link: HostLink }) {
  const state = link.tab.state.value;
  if (!state?.allowed) return null;
  const { connection } = state;
  const { paired } = connection;
  const { pairing } = link;
  const isAdvised = !link.adviceFolded.value && (connection.hub === 'none' || paired?.isKnown === false);
  const isShown = pairing.isOpen.value || isAdvised || (paired && pairing.isShown.value);
  if (!isShown) return null;
  return (
    <section class="connection details pairing" aria-label="Pairing">
      {paired && (
        <p class="pairing-state" data-testid="paired">
          {pairedSentence(connection, paired)}
        </p>
      )}
      {!paired && !pairing.isOpen.value && (
        <p class="pairing-state" data-testid="pairing-offer">
          No host was found on this machine. If your agent works on another one, or this browser may start no
          programs (Flatpak, Snap), let it in by a code:
        </p>
      )}
      {pairing.isOpen.value ? (
        <PairingForm pairing={pairing} clipboard={link.clipboard} />
      ) : (
        <Actions pairing={pairing} connection={connection} />
      )}
    </section>
  );
}

function Actions({ pairing, connection }: { pairing: Pairing; connection: Connection }) {
  const { paired } = connection;
  const opener = useWantedFocus<HTMLButtonElement>(pairing, 'opener');
  return (
    <div class="pairing-actions">
      <button
        type="button"
        ref={opener}
        class="button small"
        data-testid="pair"
        onClick={() => pairing.open(paired)}
      >
        {paired?.isKnown ? 'Pair with another' : paired ? 'Pair again' : 'Pair with a code'}
      </button>
      {paired && (
        <button
          type="button"
          class="button small"
          data-testid="forget-pairing"
          aria-label={`Forget ${paired.host}`}
          onClick={() => pairing.forget(paired)}
        >
          Forget
        </button>
      )}
    </div>
  );
}
