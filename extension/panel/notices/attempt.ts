/** What a person does to the tab that is shown. */

import type { WatchedTab } from '../tab/tab';
import type { Notices } from './notices';

/** Does `work` to the tab, if one is known; a failure becomes a notice. */
export async function attempt(
  tab: WatchedTab,
  notices: Notices,
  work: (tabId: number) => Promise<unknown>,
): Promise<void> {
  const state = tab.state.peek();
  if (!state) return;
  try {
    await work(state.tabId);
  } catch (error) {
    notices.failed(error);
  }
}
