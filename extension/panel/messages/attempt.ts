/** What a person does to the tab that is shown. */

import type { WatchedTab } from '../tab/tab';
import type { Messages } from './messages';

/** Does `work` to the tab, if one is known; a failure becomes a message. */
export async function attempt(
  tab: WatchedTab,
  messages: Messages,
  work: (tabId: number) => Promise<unknown>,
): Promise<void> {
  const state = tab.state.peek();
  if (!state) return;
  try {
    await work(state.tabId);
  } catch (error) {
    messages.failed(error);
  }
}
