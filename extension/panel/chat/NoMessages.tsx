/** What stands where nothing was said yet: how to begin, and what the agent must do. */
import { ChatIcon } from '../../design/icons';
import { LISTEN } from '../connection/lights';
import { Command } from '../frame/Command';
import { NoPickingKeys, OrPickingKeys } from '../frame/Shortcuts';
import type { Workbench } from '../workbench';

export function NoMessages({ bench, isLoading }: { bench: Workbench; isLoading: boolean }) {
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
          <OrPickingKeys bench={bench} />, point at something, write, and press <b>Send to chat</b>. Or just
          write below.
        </li>
        <li>Ask your agent, where it runs, to listen:</li>
      </ol>
      <Command bench={bench} command={LISTEN} />
      <NoPickingKeys bench={bench} />
      <p class="muted">Its answer appears here while it is being written.</p>
    </div>
  );
}
