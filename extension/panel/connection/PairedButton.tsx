/** Says beside the lights that the browser is paired, and shows with what. */
import { PairedIcon } from '../../design/icons';
import type { Connection } from '../../state/connection';
import type { Workbench } from '../workbench';
import { useWantedFocus } from './focus';

export function PairedButton({ bench, connection }: { bench: Workbench; connection: Connection }) {
  const button = useWantedFocus<HTMLButtonElement>(bench.pairing, connection.paired ? 'paired' : 'opener');
  const { paired } = connection;
  if (!paired) return null;
  const { isShown } = bench.pairing;
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
