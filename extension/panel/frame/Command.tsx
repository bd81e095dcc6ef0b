/** A command to run in a terminal, with a button that copies it. */
import { CopyIcon } from '../../design/icons';
import type { Workbench } from '../workbench';
import { IconButton } from './IconButton';

export function Command({ bench, command }: { bench: Workbench; command: string }) {
  return (
    <span class="command">
      <code>{command}</code>
      <IconButton label={`Copy ${command}`} onClick={() => bench.copyText(command, `“${command}”`)}>
        <CopyIcon size={14} />
      </IconButton>
    </span>
  );
}
