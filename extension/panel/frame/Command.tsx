/** A command to run in a terminal, with a button that copies it. */
import { CopyIcon } from '../../design/icons';
import type { Clipboard } from '../notices/clipboard';
import { IconButton } from './IconButton';

export function Command({ clipboard, command }: { clipboard: Clipboard; command: string }) {
  return (
    <span class="command">
      <code>{command}</code>
      <IconButton label={`Copy ${command}`} onClick={() => clipboard.copyText(command, `“${command}”`)}>
        <CopyIcon size={14} />
      </IconButton>
    </span>
  );
}
