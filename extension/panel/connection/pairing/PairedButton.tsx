/** Says beside the lights that the browser is paired, and shows with what. */
import { PairedIcon } from '../../../design/icons';
import type { Connection } from '../../../state/connection';
import { useWantedFocus } from '../focus';
import type { Pairing } from './pairing';

export function PairedButton({ pairing, connection }: { pairing: Pairing; connection: Connection }) {
  const button = useWantedFocus<HTMLButtonElement>(pairing, connection.paired ? 'paired' : 'opener');
  const { paired } = connection;
  if (!paired) return null;
  const { isShown } = pairing;
  const label = `Paired with ${paired.host} (${paired.address})`;
  return (
    <button
      type="button"
      ref={button}
      class="icon-button paired-button"
      aria-label={label}
      title={label}
      aria-expanded={isShown.value}
      data-testid="paired-button"
      onClick={() => {
        isShown.value = !isShown.value;
      }}
    >
      <PairedIcon />
    </button>
  );
}
