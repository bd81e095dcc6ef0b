/** Where no host is found: pairing with a code. Where one is paired: which, whether it is in use, and how to forget it. */
import type { Connection, PairedHost } from '../../state/connection';
import type { Workbench } from '../workbench';
import { useWantedFocus } from './focus';
import { PairingForm } from './PairingForm';

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

export function PairingDetails({ bench }: { bench: Workbench }) {
  const state = bench.tab.state.value;
  if (!state?.allowed) return null;
  const { connection } = state;
  const { paired } = connection;
  const { pairing } = bench;
  const isAdvised = !bench.adviceFolded.value && (connection.hub === 'none' || paired?.isKnown === false);
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
        <PairingForm bench={bench} />
      ) : (
        <Actions bench={bench} connection={connection} />
      )}
    </section>
  );
}

function Actions({ bench, connection }: { bench: Workbench; connection: Connection }) {
  const { paired } = connection;
  const { pairing } = bench;
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
