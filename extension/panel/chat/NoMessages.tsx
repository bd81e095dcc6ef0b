/** What stands where nothing was said yet: how to begin, and what the agent must do. */
import { ChatIcon } from '../../design/icons';
import { LISTEN } from '../connection/lights';
import type { BrowserShortcuts } from '../frame/browser-shortcuts';
import { Command } from '../frame/Command';
import { NoPickingKeys, OrPickingKeys } from '../frame/Shortcuts';
import type { Clipboard } from '../notices/clipboard';

interface Props {
  clipboard: Clipboard;
  shortcuts: BrowserShortcuts;
  isLoading: boolean;
}

export function NoMessages({ clipboard, shortcuts, isLoading }: Props) {
  if (isLoading) {
    return (
      <div class="empty" role="status" data-testid="chat-loading">
        <p class="muted">Reading this conversation…</p>
        <div class="skeleton" />
      </div>
    );
  }
  return (
    <div class="empty" data-testid="chat-empty">
      <ChatIcon size={28} />
      <h2>Talk to your agent about this page</h2>
      <ol>
        <li>
          Press <b>Pick</b>
          <OrPickingKeys shortcuts={shortcuts} />, point at something, write, and press <b>Send to chat</b>.
          Or just write below.
        </li>
        <li>Ask your agent, where it runs, to listen:</li>
      </ol>
      <Command clipboard={clipboard} command={LISTEN} />
      <NoPickingKeys shortcuts={shortcuts} />
      <p class="muted">Its answer appears here while it is being written.</p>
    </div>
  );
}
